import { withoutMarks } from "../common/part-marks.js";
import { withoutItsStack } from "../prompt/fold.js";
import type { ChatMessage } from "../types.js";

/** The untrusted texts of a message besides its content, by message. */
const marked = new WeakMap<ChatMessage, readonly string[]>();

/**
 * Marks a message whose text is not the application's, such as what is remembered of a conversation: a call that the model copies
 * from it is text. `also`: further such texts that the model sees with it, by a transcript. The message is known by identity,
 * because a field could come from untrusted JSON. For adapters.
 *
 * @example asUntrusted({ role: "system", content: escapeText(memory) });
 */
export function asUntrusted<T extends ChatMessage>(message: T, also: readonly string[] = []): T {
  marked.set(message, also);
  return message;
}

/** Whether a message's text comes from users or tools. */
const isUntrusted = (message: ChatMessage): boolean =>
  message.role === "user" || message.role === "tool" || marked.has(message);

/**
 * The untrusted texts of a conversation, such as those of users and results; a failed result as prompts show it as well. For
 * adapters. `trusted`: messages that count as the application's.
 *
 * @example untrustedContents([{ role: "user", content: "2 + 3?" }]); // ["2 + 3?"]
 */
export function untrustedContents(messages: readonly ChatMessage[], trusted?: ReadonlySet<ChatMessage>): string[] {
  const texts: string[] = [];
  for (const message of messages) {
    if (!isUntrusted(message) || trusted?.has(message)) continue;
    texts.push(withoutMarks(message.content), ...(marked.get(message) ?? []));
    const { content } = withoutItsStack(message);
    if (content !== message.content) texts.push(withoutMarks(content));
  }
  return texts;
}
