import { withoutMarks } from "../common/part-marks.js";
import { inOrderOfCalls, withoutItsStack } from "../prompt/text-turns.js";
import type { ChatMessage } from "../types.js";

/** The untrusted texts of a message besides its content, by message. */
const marked = new WeakMap<ChatMessage, readonly string[]>();

/**
 * Marks a message whose text is not the application's, such as what is remembered of a conversation: a call that the model
 * copies from it is text. `also`: further such texts that the model sees with it, by a transcript. The message is known by
 * identity, because a field could come from untrusted JSON. For adapters.
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
 * The untrusted texts of a conversation, such as those of users and results; a failed result as prompts show it as well, and
 * the names of tools that are none. For adapters. `trusted`: messages that count as the application's.
 *
 * @example untrustedContents([{ role: "user", content: "2 + 3?" }]); // ["2 + 3?"]
 */
export function untrustedContents(messages: readonly ChatMessage[], trusted?: ReadonlySet<ChatMessage>): string[] {
  const texts: string[] = [];
  const names: string[] = [];
  for (const message of inOrderOfPrompt(messages)) {
    texts.push(...(marked.get(message) ?? []));
    if (!isUntrusted(message) || trusted?.has(message)) continue;
    if (message.role === "tool" && !/^[\w.:/-]*$/.test(message.name)) names.push(message.name);
    texts.push(withoutMarks(message.content));
    const { content } = withoutItsStack(message);
    if (content !== message.content) texts.push(withoutMarks(content));
  }
  return [...texts, ...names];
}

/**
 * The messages in the order in which prompts show them, because a call may be split over several: results have the order of
 * their calls there. Where they were given in another order, they come in that one too, because servers show them so.
 */
function inOrderOfPrompt(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.flatMap((message, i): ChatMessage | ChatMessage[] => {
    if (message.role !== "tool") return message;
    if (messages[i - 1]?.role === "tool") return [];
    const run = runFrom(messages, i);
    const before = messages[i - 1];
    const shown = inOrderOfCalls([...run], (before?.role === "assistant" && before.toolCalls) || []);
    return shown.every((result, at) => result === run[at]) ? run : [...shown, ...run, ...shown];
  });
}

/** The results that follow each other from an index on. */
function runFrom(messages: readonly ChatMessage[], from: number): Extract<ChatMessage, { role: "tool" }>[] {
  const run: Extract<ChatMessage, { role: "tool" }>[] = [];
  for (let next = messages[from]; next?.role === "tool"; next = messages[from + run.length]) run.push(next);
  return run;
}
