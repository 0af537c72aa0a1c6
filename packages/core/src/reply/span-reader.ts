import { Lookahead } from "../notation/lookahead.js";
import type { Span } from "../syntax/syntax.js";
import { modelTurns, turnEndTokens } from "../syntax/turn-tokens.js";
import { firstMarker } from "./first-marker.js";
import { labelOpens } from "./forms/match-branch.js";
import type { Opening } from "./forms/opening.js";
import type { TrialPlace } from "./opening/found-openings.js";
import type { Openings } from "./opening/openings.js";
import { closesReasoning, OtherReasoningCloser } from "./other-reasoning-closer.js";
import type { ReplyParts } from "./reply-parts.js";

/** The reason of the `dropped` events for results that the model wrote itself. */
export const MADE_UP_RESULT = "a result that the model made up";

/** The reason for a turn of another party. */
export const MADE_UP_TURN = "a turn that the model made up";

/** A part of the reply that is not the answer. */
export interface OpenSpan {
  as: Span["as"];
  /**
   * Markers that end it. Without one, reasoning continues to the next label, and dropped text to the end of the reply.
   */
  close: readonly string[];
  /** Markers before which it ends. */
  before: readonly string[];
  /** Whether dropped text is a turn of another party, and not a result. */
  isTurn?: boolean | undefined;
}

/** A turn of another party, with which the reply begins: the model's own may follow. */
export const othersTurn: OpenSpan = { as: "dropped", close: turnEndTokens, before: modelTurns, isTurn: true };

/**
 * Reads one span: reasoning is emitted as it arrives, everything else is dropped. From a closing tag of other reasoning on, it
 * is kept until it is known whether the span's own closing tag follows; if it never does, the span ended there.
 */
export class SpanReader {
  private readonly ends: readonly string[];
  private otherCloser: OtherReasoningCloser | undefined;
  /** The length of the closing tag of other reasoning that was read, if the text from it on is kept. */
  private keptTag: number | undefined;

  constructor(
    private readonly span: OpenSpan,
    private readonly around: ReplyParts,
  ) {
    this.ends = [...span.close, ...span.before];
    if (span.as === "reasoning" && span.close.some(closesReasoning)) this.otherCloser = new OtherReasoningCloser();
  }

  /** Whether no marker ends it. */
  get isOpen(): boolean {
    return this.span.close.length === 0;
  }

  /**
   * Reads on. `end`: the span has ended; a place: a possible call is here, in reasoning that may never be closed. `cutOff`: the
   * model was stopped before it had finished.
   */
  read(cutOff: boolean): "more" | "end" | TrialPlace {
    if (this.isOpen) return this.readToLabel();
    if (this.keptTag !== undefined) return this.readKept(this.keptTag, cutOff);
    for (;;) {
      const { input } = this.around;
      const found = firstMarker(input, this.ends);
      const mark = this.otherCloser?.next(input.text, input.pos, found.at, input.final);
      const to = mark?.at ?? found.at;
      const call = this.nextCall(mark ? to + 1 : to);
      this.emit(call?.at ?? to);
      if (call) return call.call ?? "more";
      const ends = mark && this.otherCloser?.ends(mark, input.text, input.final);
      if (mark && ends === undefined) return "more";
      if (mark && ends) {
        input.mark();
        this.keptTag = mark.end - mark.at;
        return this.readKept(this.keptTag, cutOff);
      }
      if (mark) {
        this.emit(mark.end);
        continue;
      }
      if (found.end < 0) return "more";
      if (this.span.close.includes(found.marker)) input.pos = found.end;
      return "end";
    }
  }

  /** The next possible call in reasoning, before an index. */
  private nextCall(to: number): ReturnType<Openings["nextCall"]> {
    const { input, openings } = this.around;
    const from = Math.max(input.pos, openings.triedTo - input.place(0));
    return this.span.as === "reasoning" ? openings.nextCall(from, to) : undefined;
  }

  /** Reads on after a closing tag of other reasoning. `length`: that of the tag. */
  private readKept(length: number, cutOff: boolean): "more" | "end" | TrialPlace {
    const { input } = this.around;
    const found = firstMarker(input, this.ends);
    input.pos = found.at;
    const isClosed = found.end >= 0;
    if (!isClosed && !input.final) return "more";
    input.rewind();
    if (!isClosed && !cutOff) {
      input.pos += length;
      return "end";
    }
    // The tag is a part of the reasoning, at whose end a call may be, with the span's own closing tag in its arguments.
    this.keptTag = this.otherCloser = undefined;
    return this.read(cutOff);
  }

  private readToLabel(): "more" | "end" | TrialPlace {
    const { input, compiled, calls } = this.around;
    const { text, pos } = input;
    let end = this.span.as === "dropped" ? -1 : text.indexOf("\n", pos);
    const look = new Lookahead(input);
    let found: Opening | undefined;
    for (; end >= 0; end = text.indexOf("\n", end + 1)) {
      found = compiled.markers.atLine(look, end + 1);
      if (found?.opens === "call" && !labelOpens(look, end + 1, found.node, calls)) found = undefined;
      if (found || look.hitEnd) break;
    }
    const call = this.nextCall(end < 0 ? text.length : end);
    if (call) {
      this.emit(call.at);
      return call.call ?? "more";
    }
    this.emit(end < 0 ? text.length : end);
    return found && !look.hitEnd ? "end" : "more";
  }

  /** Emits the text up to an index. */
  private emit(end: number): void {
    const { input, output } = this.around;
    const piece = input.text.slice(input.pos, end);
    this.otherCloser?.passed(piece);
    if (this.span.as === "reasoning") output.reasoning(piece);
    else if (piece !== "") output.dropped(piece, this.span.isTurn ? MADE_UP_TURN : MADE_UP_RESULT);
    input.pos = end;
  }
}
