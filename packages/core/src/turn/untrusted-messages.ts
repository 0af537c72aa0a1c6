import type { ChatMessage } from "../types.js";

const marked = new WeakSet<ChatMessage>();

/**
 * Marks a system message whose text is not the application's, such as what is remembered of a conversation: a call that the
 * model copies from it is text. The message is known by identity, because a field could come from untrusted JSON. For adapters.
 *
 * @example asUntrusted({ role: "system", content: escapeText(memory) });
 */
export function asUntrusted<T extends ChatMessage>(message: T): T {
  marked.add(message);
  return message;
}

/** Whether a message's text comes from users or tools. */
export const isUntrusted = (message: ChatMessage): boolean =>
  message.role === "user" || message.role === "tool" || marked.has(message);
