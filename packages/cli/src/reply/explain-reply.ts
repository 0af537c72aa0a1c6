import {
  createReplyParser,
  type FinishReason,
  type InvalidToolCall,
  type ReplyEvent,
  type ReplyParserOptions,
  type ToolCall,
} from "@toolingua/core";
import { whyPieces } from "@toolingua/core/adapters";

/** The role of a piece of a reply. An invalid call has an `error`. */
type Became =
  /** `why`: why a text that looks like a call is none. */
  | { became: "text"; why?: string }
  | { became: "reasoning"; why?: string }
  | { became: "dropped"; reason: string }
  | { became: "call"; call: ToolCall | InvalidToolCall }
  /** Markers and the white space around them. */
  | { became: "markup" };

/** A piece of a reply. All pieces concatenated are the reply. `from` and `to` are indexes of UTF-16 units. */
export type ReplyPart = { from: number; to: number; source: string } & Became;

/**
 * Explains the role of each character of a reply, by the events of the parser, each located in the reply.
 *
 * @example explainReply("<think>hm</think>Hi", {}).map(({ became }) => became); // ["markup", "reasoning", "markup", "text"]
 */
export function explainReply(
  reply: string,
  { finish, ...how }: ReplyParserOptions & { finish?: FinishReason | undefined },
): ReplyPart[] {
  const parser = createReplyParser({ ...how, deltas: false, sources: true });
  const events = [...parser.push(reply), ...parser.end({ finish })];
  const pieces = events.flatMap((event) => pieceOf(event) ?? []);
  return explained(placed(reply, pieces, how.prefill ?? ""), how);
}

/** The parts, with the reason for each text that looks like a call. */
function explained(parts: readonly ReplyPart[], how: ReplyParserOptions): ReplyPart[] {
  const reasons = whyPieces(parts, how);
  return parts.map((part, i) => {
    const why = reasons[i];
    return why !== undefined && (part.became === "text" || part.became === "reasoning") ? { ...part, why } : part;
  });
}

type Piece = { source: string } & Became;

function pieceOf(event: ReplyEvent): Piece | undefined {
  switch (event.type) {
    case "call-end":
      return { source: event.source ?? "", became: "call", call: event.call };
    case "call-invalid":
      return { source: event.call.raw, became: "call", call: event.call };
    case "dropped":
      return { source: event.text, became: "dropped", reason: event.reason };
    case "text":
    case "reasoning":
      return { source: event.text, became: event.type };
    default:
      return undefined;
  }
}

/** Locates the pieces in the reply; text between them is markup. */
function placed(reply: string, pieces: readonly Piece[], prefill: string): ReplyPart[] {
  const parts: ReplyPart[] = [];
  const add = (to: number, became: Became) => {
    const last = parts.at(-1);
    const from = last?.to ?? 0;
    const isMore = last?.became === became.became && (became.became === "text" || became.became === "reasoning");
    if (isMore) parts.pop();
    const begin = isMore ? last.from : from;
    parts.push({ ...became, from: begin, to, source: reply.slice(begin, to) });
  };
  const addMarkup = (to: number) => {
    if (to > (parts.at(-1)?.to ?? 0)) add(to, { became: "markup" });
  };
  /** A piece that differs from its source, as the text of a structured answer does: it has all up to the next one. */
  let waiting: Became | undefined;
  const settle = (to: number) => {
    if (waiting) add(to, waiting);
    waiting = undefined;
  };
  const find = finder(reply);
  for (const { source, ...became } of pieces) {
    const begun = parts.at(-1)?.to ?? 0;
    const written = begun === 0 ? withoutPrefill(source, prefill, reply) : source;
    const place = find(written, begun);
    if (place === undefined) {
      settle(begun);
      if (written.trim() !== "") waiting = became;
      continue;
    }
    settle(place.from);
    addMarkup(place.from);
    add(place.to, became);
  }
  settle(reply.length);
  addMarkup(reply.length);
  return parts;
}

/** The part of a source that the reply itself begins with: its beginning may be in the prefill. */
function withoutPrefill(source: string, prefill: string, reply: string): string {
  for (let length = Math.min(source.length, prefill.length); length > 0; length--) {
    const rest = source.slice(length);
    if (prefill.endsWith(source.slice(0, length)) && reply.startsWith(rest)) return rest;
  }
  return source;
}

/**
 * Finds pieces at or after an index: preferably after nothing but markup, not inside a marker. The parser may move or drop
 * the white space in a piece, so the characters besides it decide.
 */
function finder(reply: string): (source: string, from: number) => { from: number; to: number } | undefined {
  let characters: ReturnType<typeof solidOf> | undefined;
  let read = 0;
  return (source, from) => {
    if (reply.startsWith(source, from)) return { from, to: from + source.length };
    characters ??= solidOf(reply);
    const { solid, indexes } = characters;
    const words = withoutSpace(source);
    while ((indexes[read] ?? reply.length) < from) read++;
    const found = words === "" ? -1 : placeIn(solid, words, read, (at) => reply.charAt((indexes[at] ?? 0) - 1));
    const [first, last] = [indexes[found], indexes[found + words.length - 1]];
    if (first === undefined || last === undefined) return undefined;
    const [before = ""] = /^\s*/.exec(source) ?? [];
    const [after = ""] = /\s*$/.exec(source) ?? [];
    const begin = first - before.length;
    return {
      from: begin >= from && reply.startsWith(before, begin) ? begin : first,
      to: last + 1 + (reply.startsWith(after, last + 1) ? after.length : 0),
    };
  };
}

/** The characters of a text besides white space, and the index of each. */
function solidOf(text: string): { solid: string; indexes: Uint32Array } {
  const solid = withoutSpace(text);
  // A list of that many numbers may be more than a list can have.
  const indexes = new Uint32Array(solid.length);
  let [count, from] = [0, 0];
  for (const { index, 0: space } of text.matchAll(/\s+|$/g)) {
    for (let at = from; at < index; at++) indexes[count++] = at;
    from = index + space.length;
  }
  return { solid, indexes };
}

const withoutSpace = (text: string) => text.replace(/\s/g, "");

function placeIn(solid: string, words: string, from: number, charBefore: (at: number) => string): number {
  const first = solid.indexOf(words, from);
  for (let at = first; at >= 0; at = solid.indexOf(words, at + 1)) {
    if (at === from || /[\s>\]:|]/.test(charBefore(at))) return at;
  }
  return first;
}
