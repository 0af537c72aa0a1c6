import { type Input, LOOKAHEAD } from "../notation/input.js";
import type { CallReader } from "./calls/call-reader.js";
import type { CallSequence } from "./calls/call-sequence.js";
import { firstMarker } from "./first-marker.js";
import type { Openings } from "./opening/openings.js";
import { reasonWith } from "./output/call.js";

/**
 * A call that cannot be read further. It ends at its last closing marker or that of its block, before the next opener, or
 * with the reply.
 */
export class BrokenCall {
  private readonly reason: string;
  private readonly code: "malformed" | "limit";
  private readonly closers: readonly string[];
  /** The number of characters of the call before it broke. */
  private readonly at: number;
  /** Whether its closing marker was found. */
  private isClosed = false;
  /** The last characters that were skipped. */
  private skipped = "";
  /** The closing markers, and the markers before which it ends. */
  private ends: readonly string[] | undefined;

  constructor(
    { failed, closers }: CallReader,
    private readonly calls: CallSequence,
    /** Whether a sentence follows its opener: without a closing marker, the lines after that are text. */
    private readonly sentenceFollows: boolean,
  ) {
    this.reason = failed.failure;
    this.code = failed.tooDeep ? "limit" : "malformed";
    this.closers = closers;
    this.at = failed.hasPlace ? Number.POSITIVE_INFINITY : calls.raw().length;
  }

  /** Skips to its end, or to one of the markers `before`; false: more input is needed. */
  skip(input: Input, openings: Openings, before: readonly string[]): boolean {
    this.ends ??= [...this.closers, ...before];
    const found = firstMarker(input, this.ends);
    const next = openings.nextCall(input.pos, found.at, this.skipped);
    if (next ? !next.call : found.end < 0) {
      const { pos } = input;
      input.pos = next?.at ?? found.at;
      this.skipped = (this.skipped + input.text.slice(Math.max(pos, input.pos - LOOKAHEAD), input.pos)).slice(
        -LOOKAHEAD,
      );
      return false;
    }
    this.isClosed = next === undefined && this.closers.includes(found.marker);
    input.pos = next?.at ?? (this.isClosed ? found.end : found.at);
    return true;
  }

  /** Emits the call. */
  end(): void {
    const { calls, reason, at, code } = this;
    const source = calls.raw();
    const lineEnd = this.sentenceFollows && !this.isClosed ? source.indexOf("\n") : -1;
    const raw = lineEnd < 0 ? source : source.slice(0, lineEnd);
    calls.callFailed((call) => call.fail(reasonWith(reason, raw, at), () => raw, code), source.slice(raw.length));
  }
}
