import {
  createReplyParser,
  type FinishReason,
  type InvalidToolCall,
  type ReplyEvent,
  type ReplyParserOptions,
  type ToolCall,
} from "@toolingua/core";
import { whyNoCall } from "./why-no-call.js";

/** The role of a piece of a reply. An invalid call has an `error`. */
export type Became =
  /** `why`: why a text that looks like a call is none. */
  | { became: "text"; why?: string }
  | { became: "reasoning"; why?: string }
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
  const parts = placed(
    reply,
    pieces.flatMap((piece) => ("sources" in piece ? paired(piece.sources, calls.shift()) : [piece])),
  );
  return explained(parts, how);
}

/** The parts, with the reason for each text that looks like a call. */
function explained(parts: readonly ReplyPart[], how: ReplyParserOptions): ReplyPart[] {
  let followsInvalid = false;
  return parts.map((part) => {
    if (part.became === "calls") followsInvalid ||= part.calls.some((call) => "error" in call);
    if (part.became !== "text" && part.became !== "reasoning") return part;
    const isLast = part.to === parts.at(-1)?.to;
    const why = whyNoCall(part.source, how, { isReasoning: part.became === "reasoning", followsInvalid, isLast });
    return why === undefined ? part : { ...part, why };
  });
}

type Call = ToolCall | InvalidToolCall;
type Piece = { source: string } & Became;

/** Calls without anything between them, and the text after them. */
interface Run {
  calls: Call[];
  after: string;
}

function runsOfCalls(events: readonly ReplyEvent[]): Run[] {
  const runs: Run[] = [];
  for (const event of events) {
    const last = runs.at(-1);
    if (event.type === "call-end" || event.type === "call-invalid") {
      if (last?.after === "") last.calls.push(event.call);
      else runs.push({ calls: [event.call], after: "" });
    } else if ("text" in event && last) last.after += event.text;
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

/**
 * Pairs the sources of a run with its calls. A remaining source is text where the reply has it as text; else, as the end
 * of a list, it belongs to the last call.
 */
function paired(sources: readonly string[], { calls, after }: Run = { calls: [], after: "" }): Piece[] {
  const isText = (source: string | undefined) => source !== undefined && after.includes(source.trim());
  let end = sources.length;
  while (end > Math.max(1, calls.length) && isText(sources[end - 1])) end--;
  const count = Math.max(1, Math.min(end, calls.length));
  const made = Array.from({ length: count }, (_, i): Piece => {
    const isLast = i === count - 1;
    const source = isLast ? sources.slice(i, end).join("") : (sources[i] ?? "");
    return { source, became: "calls", calls: calls.slice(i, isLast ? calls.length : i + 1) };
  });
  return [...made, ...sources.slice(end).map((source): Piece => ({ source, became: "text" }))];
}

/** Locates the pieces in the reply; text between them is markup. */
function placed(reply: string, pieces: readonly Piece[]): ReplyPart[] {
  const parts: ReplyPart[] = [];
  const add = (to: number, became: Became) => {
    const last = parts.at(-1);
    const from = last?.to ?? 0;
    if (to <= from) return;
    // In untrusted text, markers are pieces of their own.
    const isMore = last?.became === became.became && (became.became === "text" || became.became === "reasoning");
    if (isMore) parts.pop();
    const begin = isMore ? last.from : from;
    parts.push({ ...became, from: begin, to, source: reply.slice(begin, to) });
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
