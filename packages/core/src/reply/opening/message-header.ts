import type { Lookahead } from "../../notation/lookahead.js";
import type { Messages } from "../../syntax/syntax.js";

/** The longest header to wait for. */
const MAX_HEADER = 256;

/** The kind of a message by its header, and where its text begins. */
export interface MessageHeader {
  end: number;
  /** `call`: it is for a tool; `dropped`: another sender's, made up by the model. */
  kind: "text" | "reasoning" | "dropped" | "call";
  tool: string;
  /** Whether the sender is the other party of the conversation. */
  isTurn?: true;
}

/** The text between the tokens of a header: role, channel, recipient, content type. */
const WORDS = /^[\p{L}\p{M}\p{N}_.:=,/\-\s]*$/u;
const TOKEN = /<\|\w*\|>/g;
const HALF_TOKEN = /<\|?\w*\|?$/;

/** The senders that no call waits for, as it does for its tool. */
const OTHERS = new Set(["user", "developer", "system"]);

/** The header of a message that begins at an index: its parts may occur in any order, and twice. */
export function readMessageHeader(look: Lookahead, at: number, messages: Messages): MessageHeader | undefined {
  const { text } = look;
  const window = text.slice(at, at + MAX_HEADER + messages.text.length);
  const found = window.indexOf(messages.text);
  const written = found < 0 ? text.slice(at, at + MAX_HEADER) : text.slice(at, at + found);
  const words = written.replace(TOKEN, " ").replace(found < 0 ? HALF_TOKEN : "", "");
  const ends = messages.close.some((marker) => written.includes(marker));
  if (ends || !WORDS.test(words)) return undefined;
  if (found < 0) {
    if (window.length < MAX_HEADER + messages.text.length) look.atEnd();
    return undefined;
  }
  const end = at + found + messages.text.length;
  const named = /to=([\p{L}\p{M}\p{N}_.:/-]+)/u.exec(words)?.[1] ?? "";
  const tool = /^(?:assistant|user|self)$/.test(named) ? "" : named.replace(/^functions\./, "");
  const role =
    messages.role !== undefined && text.startsWith(messages.role, at) ? words.trim().split(/\s/)[0] : undefined;
  if (role !== undefined && role !== "assistant" && !role.startsWith("to="))
    return { end, kind: "dropped", tool: "", ...(OTHERS.has(role) && { isTurn: true }) };
  if (tool !== "") return { end, kind: "call", tool };
  const isReasoning = messages.reasoning.some((word) => words.split(/\s+/).includes(word));
  return { end, kind: isReasoning ? "reasoning" : "text", tool: "" };
}
