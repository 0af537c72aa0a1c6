import { hash36 } from "../common/hash.js";
import { callsOf, oneCallATurn } from "../common/one-call-a-turn.js";
import type { ChatMessage } from "../types.js";
import { type ChatFormat, ChatFormatError } from "./chat-format.js";

// Helpers that several chat formats share.

/** Whether messages contain calls or results, for which a format without tools has no place. */
export const speaksOfTools = (messages: readonly ChatMessage[]): boolean =>
  messages.some((message) => message.role === "tool" || callsOf(message).length > 0);

/** Splits the system message at the beginning from the rest. */
export function splitSystem(
  messages: readonly ChatMessage[],
): [system: string | undefined, rest: readonly ChatMessage[]] {
  const [first] = messages;
  return first?.role === "system" ? [first.content, messages.slice(1)] : [undefined, messages];
}

/** The assistant's message between a tool's result and a message of the user that follows directly. */
const ACKNOWLEDGEMENT = "OK.";

/**
 * The same conversation in the plainest form: one system message at the start, alternating user and assistant, one call
 * per turn, an answer to its result. Texts that are joined are separated by an empty line.
 */
export function plainer(messages: readonly ChatMessage[]): ChatMessage[] {
  const joined: ChatMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role === "tool" && message.role === "user") joined.push({ role: "assistant", content: ACKNOWLEDGEMENT });
    if (last && last.role === message.role && message.role !== "tool" && callsOf(last).length === 0) {
      joined[joined.length - 1] = { ...message, content: `${last.content}\n\n${message.content}` };
    } else joined.push(message);
  }
  return oneCallATurn(joined);
}

/** Moves the system text to the start of the first user message, for formats that have no place for it. */
export function foldSystem(messages: readonly ChatMessage[]): ChatMessage[] {
  const system = messages.flatMap((message) => (message.role === "system" ? [message.content] : []));
  const turns = messages.filter((message) => message.role !== "system");
  if (system.length === 0) return turns;
  const at = turns.findIndex((message) => message.role === "user");
  if (at < 0) return [{ role: "user", content: system.join("\n\n") }, ...turns];
  return turns.with(at, { role: "user", content: [...system, turns[at]!.content].join("\n\n") });
}

/** Requires that user and assistant alternate, beginning with the user. Calls and their results do not count. */
export function requireTurns(format: Pick<ChatFormat, "name">, messages: readonly ChatMessage[]): void {
  let expected = "user";
  for (const message of messages) {
    if (message.role === "tool" || callsOf(message).length > 0) continue;
    if (message.role !== expected) {
      const rule = "user and assistant take turns after one system message, the user first";
      const where = `message ${messages.indexOf(message) + 1} is of the ${message.role}, not the ${expected}`;
      throw new ChatFormatError("refused", `In the format ${format.name}, ${rule}; here ${where}.`);
    }
    expected = expected === "user" ? "assistant" : "user";
  }
}

/**
 * An id as Mistral's models expect it: nine letters and digits. Any other id is replaced by a hash of it, which is
 * always the same for the same id.
 */
export function nineCharacterId(id: string): string {
  if (/^[a-zA-Z0-9]{9}$/.test(id)) return id;
  let text = "";
  for (let seed = 0; text.length < 9; seed++) text += hash36(id, seed);
  return text.slice(0, 9);
}
