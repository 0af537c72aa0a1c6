import {
  createReplyParser,
  type FinishReason,
  type InvalidToolCall,
  type ReplyEvent,
  type ReplyParserOptions,
  type ToolCall,
} from "@toolingua/core";

/** The role of a piece of a reply. An invalid call has an `error`. */
export type Became =
  | { became: "text" }
  | { became: "reasoning" }
  | { became: "dropped"; reason: string }
  /** Several calls if they are read as one list. */
  | { became: "calls"; calls: (ToolCall | InvalidToolCall)[] }
  /** Markers and the white space around them. */
  | { became: "markup" };

/** A piece of a reply. All pieces concatenated are the reply. `from` and `to` are indexes of UTF-16 units. */
export type ReplyPart = { from: number; to: number; source: string } & Became;

/**
 * Explains the role of each character of a reply.
 *
 * Events of calls do not contain their source. With the reply itself as untrusted text, each call becomes text, which
 * is its source. So the reply is parsed twice.
 *
 * @example explainReply("Hi <think>hm</think>", {}).map(({ became }) => became); // ["text", "markup", "reasoning", "markup"]
 */
export function explainReply(
  reply: string,
  { finish, ...how }: ReplyParserOptions & { finish?: FinishReason | undefined },
): ReplyPart[] {
  const read = (options: ReplyParserOptions) => {
    const parser = createReplyParser({ ...options, deltas: false });
    return [...parser.push(reply), ...parser.end({ finish })];
  };
  const calls = runsOfCalls(read(how));
  const pieces = piecesOf(read({ ...how, untrusted: [reply] }));
  return placed(
    reply,
    pieces.flatMap((piece) => ("sources" in piece ? paired(piece.sources, calls.shift() ?? []) : [piece])),
  );
}

type Call = ToolCall | InvalidToolCall;
type Piece = { source: string } & Became;

/** The calls, grouped into runs without anything between them. */
function runsOfCalls(events: readonly ReplyEvent[]): Call[][] {
  const runs: Call[][] = [];
  let isOpen = false;
  for (const event of events) {
    if (event.type === "call-end" || event.type === "call-invalid") {
      const last = runs.at(-1);
      if (last && isOpen) last.push(event.call);
      else runs.push([event.call]);
      isOpen = true;
    } else if ("text" in event) isOpen = false;
  }
  return runs;
}

/** The pieces of the reply, parsed with itself as untrusted text: for a run of calls only their sources. */
function piecesOf(events: readonly ReplyEvent[]): (Piece | { sources: string[] })[] {
  const pieces: (Piece | { sources: string[] })[] = [];
  for (const event of events) {
    const source = sourceOfCall(event);
    const last = pieces.at(-1);
    if (source !== undefined) {
      if (last && "sources" in last) last.sources.push(source);
      else pieces.push({ sources: [source] });
    } else if (event.type === "dropped") pieces.push({ source: event.text, became: "dropped", reason: event.reason });
    else if ("text" in event) pieces.push({ source: event.text, became: event.type === "text" ? "text" : "reasoning" });
  }
  return pieces;
}

function sourceOfCall(event: ReplyEvent): string | undefined {
  if (event.type === "call-invalid") return event.call.raw;
  return event.type === "text" && event.reason === "copied-call" ? event.text : undefined;
}

/** Pairs the sources of a run with its calls. A remaining source, the end of a list, belongs to the last call. */
function paired(sources: readonly string[], calls: readonly Call[]): Piece[] {
  const count = Math.max(1, Math.min(sources.length, calls.length));
  return Array.from({ length: count }, (_, i) => {
    const isLast = i === count - 1;
    const source = isLast ? sources.slice(i).join("") : (sources[i] ?? "");
    return { source, became: "calls", calls: calls.slice(i, isLast ? calls.length : i + 1) };
  });
}

/** Locates the pieces in the reply; text between them is markup. */
function placed(reply: string, pieces: readonly Piece[]): ReplyPart[] {
  const parts: ReplyPart[] = [];
  const add = (to: number, became: Became) => {
    const from = parts.at(-1)?.to ?? 0;
    if (to > from) parts.push({ ...became, from, to, source: reply.slice(from, to) });
  };
  for (const { source, ...became } of pieces) {
    const begun = parts.at(-1)?.to ?? 0;
    const at = placeOf(source, reply, begun);
    if (at === undefined) {
      // A structured answer differs from its source: it covers the rest of the reply.
      add(reply.length, became);
      continue;
    }
    add(at, { became: "markup" });
    add(at + source.length, became);
  }
  add(reply.length, { became: "markup" });
  return parts;
}

/** The position of a piece at or after `from`: preferably one that only markup precedes, not one inside a marker. */
function placeOf(source: string, reply: string, from: number): number | undefined {
  const first = reply.indexOf(source, from);
  if (first < 0) return undefined;
  for (let at = first; at >= 0; at = reply.indexOf(source, at + 1)) {
    if (at === from || /[\s>\]:|]/.test(reply.charAt(at - 1)) || /^\s/.test(source)) return at;
  }
  return first;
}
