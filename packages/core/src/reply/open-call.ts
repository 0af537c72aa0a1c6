import { LOOKAHEAD, type Status, spaceEnd } from "../notation/input.js";
import { Lookahead } from "../notation/lookahead.js";
import { isPunctuation } from "../syntax/tokens.js";
import { beginTokens } from "../syntax/turn-tokens.js";
import type { DroppedReason } from "../types.js";
import { BrokenCall } from "./broken-call.js";
import type { CallReader } from "./calls/call-reader.js";
import type { Opening } from "./forms/opening.js";
import { isPlainTag } from "./opening/marker-index.js";
import { beginsCall } from "./opening/outer-marker.js";
import { mayBeMentioned, sentenceGoesOn } from "./opening/sentence.js";
import type { Call } from "./output/call.js";
import type { ReplyParts } from "./reply-parts.js";

export interface CallStart {
  /** The opener; undefined for the call of a message, whose header was its opener. */
  opening: Extract<Opening, { opens: "call" }> | undefined;
  /** Whether the opener began a line, or followed markup. */
  beginsLine: boolean;
  /** The place of the opener in the reply, and the number of pieces of text before it. */
  place: number;
  pieces: number;
}

/**
 * The kind of source that cannot be read further: a call that lacks only its closing marker, text, markup with a reason
 * to drop it, nothing beyond the events so far, or a broken call. `more`: more input is needed.
 */
type Outcome = "more" | "call" | "text" | { dropped: DroppedReason } | "nothing" | "broken";

/** One call, or the calls of one block, from the opener to the end, and its outcome if the end is missing. */
export class OpenCall {
  /** What the reader has returned. One that failed is not read again: what the failure means may depend on later text. */
  private status: Status = "more";

  constructor(
    private readonly reader: CallReader,
    private readonly start: CallStart,
    private readonly around: ReplyParts,
  ) {}

  private get marker(): string {
    return this.start.opening?.marker ?? "";
  }

  /** Reads on. `done`: all of it was emitted; a broken call: the rest of it must be skipped. */
  read(): "more" | "done" | BrokenCall {
    const { input, output, calls } = this.around;
    if (this.status !== "fail") this.status = this.reader.read(input);
    if (this.status === "more") return this.status;
    if (this.status === "done") {
      const { isEmptyList } = this.reader;
      if (isEmptyList) output.dropped(calls.raw(), "an empty list of calls");
      calls.callsEnded(isEmptyList);
      this.dropCutCloser();
      return "done";
    }
    const outcome = this.outcome();
    if (outcome === "more") return outcome;
    if (outcome === "broken") return this.brokenCall();
    if (outcome === "text") output.text(calls.raw());
    else if (outcome === "call") {
      calls.currentCall().repaired("missing-closer");
      calls.callEnded();
    } else if (outcome !== "nothing") output.dropped(calls.raw(), outcome.dropped);
    return "done";
  }

  /** Drops a closing marker directly after the calls that is cut off at the end of the reply. */
  private dropCutCloser(): void {
    const { input, output } = this.around;
    const { text, pos } = input;
    const at = spaceEnd(text, pos);
    const look = new Lookahead(input);
    if (!input.final || at === text.length || !this.reader.closers.some((marker) => look.cuts(marker, at))) return;
    output.dropped(text.slice(pos), "markup around a call");
    input.pos = text.length;
  }

  private outcome(): Outcome {
    const { input, calls, openings } = this.around;
    if (calls.isEmpty && !calls.current) {
      // The calls of this marker were read: the text after them is text.
      if (input.place(input.pos) > this.start.place) return "nothing";
      // This text cannot follow a call's marker.
      input.pos += this.marker.length;
      return "text";
    }
    if (this.reader.isAnswer) return this.afterAnswer;
    const look = new Lookahead(input);
    const next = openings.openingAt(look, input.pos);
    const isTwice = next?.opens === "call" && !calls.current && beginsCall(look, input.pos, next, calls);
    if (look.hitEnd) return "more";
    const isOther = next?.opens === "header" || (next?.opens === "nothing" && next.where === "around-calls");
    if (calls.current)
      return (isOther || next?.opens === "call") && this.reader.endsWhole(calls.current, false) ? "call" : "broken";
    if (isTwice || isOther) return { dropped: "an opener written twice" };
    if (beginTokens.includes(this.marker)) return { dropped: "markup around the answer" };
    // A plain-word opener is common in prose. A tag is prose only if the sentence mentions it.
    return this.start.opening?.isWord || this.isMentioned ? "text" : "broken";
  }

  /** An empty message becomes text, so that no part of the reply is lost; after an answer nothing is added. */
  private get afterAnswer(): "text" | "nothing" {
    return this.around.output.pieces === this.start.pieces ? "text" : "nothing";
  }

  private brokenCall(): "more" | BrokenCall {
    const { input, calls } = this.around;
    const { text, pos, final } = input;
    const look = new Lookahead({ text: calls.raw() + text.slice(pos, pos + 2 * LOOKAHEAD), final });
    const sentenceFollows = !this.reader.hasBody && this.sentenceFollows(look);
    return look.hitEnd ? "more" : new BrokenCall(this.reader, calls, sentenceFollows);
  }

  /** Whether a sentence mentions its opener in the middle of a line, which is likely because no call can be read. */
  private get isMentioned(): boolean {
    const { input, calls } = this.around;
    const { marker } = this;
    const after = calls.raw().slice(marker.length) + input.text.slice(input.pos, input.pos + 1);
    return !this.start.beginsLine && isPlainTag(marker) && mayBeMentioned(after);
  }

  /** Whether a sentence continues after the call's opener, at the beginning of its source. */
  private sentenceFollows(look: Lookahead): boolean {
    const { marker } = this;
    return marker !== "" && look.text.startsWith(marker) && sentenceGoesOn(look, marker, marker.length);
  }

  /** Ends a call that is not whole. If the reply has its closing marker, nothing was cut off: a value holds the marker. */
  private fail(call: Call, cutOff: boolean): void {
    const { raw } = this.around.calls;
    const isClosed = this.reader.closers.some((closer) => /\w/.test(closer) && raw().includes(closer.trim()));
    if (isClosed && !cutOff) call.fail("a text has an unescaped quote, or no end", raw);
    else call.truncate(raw);
  }

  /** Ends the reply: the call is closed or given up. `cutOff`: the model was stopped before it had finished. */
  conclude(cutOff: boolean): void {
    const { input, output, calls } = this.around;
    const { reader, marker } = this;
    const { isAnswer } = reader;
    const begun = calls.current;
    input.pos = input.text.length;
    const isText = isAnswer ? this.afterAnswer === "text" : !begun && isPunctuation(marker.trim());
    const isAlone = !isAnswer && !begun && !cutOff && calls.piecesAtEnd === this.start.pieces;
    if (isText) output.text(calls.raw());
    else if (isAlone && calls.raw().trim() === marker.trim()) output.dropped(calls.raw(), "an opener without a call");
    else if (!isAnswer) {
      if (reader.endsWhole(calls.currentCall(), cutOff)) calls.callEnded();
      else calls.callFailed((call) => this.fail(call, cutOff));
      return calls.callsEnded();
    }
    output.end();
  }
}
