import type { Lookahead } from "../../notation/lookahead.js";
import type { Messages } from "../../syntax/syntax.js";

/** The longest header to wait for. */
const MAX_HEADER = 256;

/** The kind of a message by its header, and where its text begins. */
export interface Header {
  end: number;
  /** `call`: it is for a tool; `dropped`: another sender's, made up by the model. */
  kind: "text" | "reasoning" | "dropped" | "call";
  tool: string;
  /** Whether the token before its text is missing: an object follows the recipient. */
  isBare?: true;
}

/** The text between the tokens of a header: role, channel, recipient, content type. */
const WORDS = /^[\p{L}\p{M}\p{N}_.:=,/\-\s]*$/u;
const TOKEN = /<\|\w*\|>/g;
const HALF_TOKEN = /<\|?\w*\|?$/;

/** The rest of a header after its recipient, where the tokens are missing: `add commentary json`. */
const REST = /^([\p{L}\p{M}\p{N}_.:/-]+)(?:\s+commentary)?(?:\s+(?:json|code))?\s*$/u;

/** The tool in a header without the token before the arguments; undefined: it is no such header. */
function toolWithoutToken(words: string, { recipient }: Messages): string | undefined {
  if (recipient === undefined) return undefined;
  const at = words.lastIndexOf(recipient);
  if (at < 0 || /\S/.test(words.charAt(at - 1))) return undefined;
  return REST.exec(words.slice(at + recipient.length))?.[1];
}

/** The header of a message that begins at an index: its parts may occur in any order, and twice. */
export function readHeader(look: Lookahead, at: number, messages: Messages): Header | undefined {
  const { text } = look;
  const found = text.slice(at, at + MAX_HEADER + messages.text.length).indexOf(messages.text);
  const all = text.slice(at, found < 0 ? at + MAX_HEADER : at + found);
  const brace = all.indexOf("{");
  const written = brace < 0 ? all : all.slice(0, brace);
  const words = written.replace(TOKEN, " ").replace(found < 0 && brace < 0 ? HALF_TOKEN : "", "");
  const ends = messages.close.some((marker) => written.includes(marker));
  if (ends || !WORDS.test(words)) return undefined;
  if (brace >= 0) {
    const tool = toolWithoutToken(words, messages);
    return tool === undefined ? undefined : { end: at + brace, kind: "call", tool, isBare: true };
  }
  if (found < 0) {
    if (written.length < MAX_HEADER) look.atEnd();
    return undefined;
  }
  const end = at + found + messages.text.length;
  const named = /to=(?:functions\.)?([\p{L}\p{M}\p{N}_.:/-]+)/u.exec(words)?.[1] ?? "";
  const tool = /^(?:assistant|user|self)$/.test(named) ? "" : named;
  const role =
    messages.role !== undefined && text.startsWith(messages.role, at) ? words.trim().split(/\s/)[0] : undefined;
  if (role !== undefined && role !== "assistant" && !role.startsWith("to=")) return { end, kind: "dropped", tool: "" };
  if (tool !== "") return { end, kind: "call", tool };
  const isReasoning = messages.reasoning.some((word) => words.split(/\s+/).includes(word));
  return { end, kind: isReasoning ? "reasoning" : "text", tool: "" };
}
