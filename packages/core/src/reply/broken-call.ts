import type { CallReader } from "./call-reader.js";
import type { CallSequence } from "./call-sequence.js";
import type { Input } from "./input.js";
import type { Openings } from "./opening/openings.js";

/** How much of what was found in the wrong place is shown. */
const SHOWN = 20;

/** A call that cannot be read further. It ends at its last closing marker, before the next opener, or with the reply. */
export class BrokenCall {
  private readonly reason: string;
  private readonly code: "malformed" | "limit";
  private readonly closer: readonly string[];
  /** How much of the call had come when it broke. */
  private readonly at: number;

  constructor(
    { failure, tooDeep, tellsWhere, closers }: CallReader,
    private readonly calls: CallSequence,
  ) {
    this.reason = failure;
    this.code = tooDeep ? "limit" : "malformed";
    this.closer = closers.slice(-1);
    this.at = tellsWhere ? Number.POSITIVE_INFINITY : calls.raw().length;
  }

  /** Goes to its end, also where one of the markers `before` stands; false: it is not there yet. */
  skip(input: Input, openings: Openings, before: readonly string[]): boolean {
    const found = input.findAny([...this.closer, ...before], input.pos);
    const next = openings.nextCall(input.pos, found.at);
    if (next ? !next.node : found.end < 0) {
      input.pos = next?.at ?? found.at;
      return false;
    }
    input.pos = next?.at ?? (this.closer.includes(found.marker) ? found.end : found.at);
    return true;
  }

  /** Tells that it is over. */
  end(): void {
    const { calls, reason, at, code } = this;
    const found = calls.raw().slice(at, at + SHOWN);
    const where = found === "" ? "" : `, found ${JSON.stringify(found)}`;
    calls.callFailed((call) => call.fail(reason + where, calls.raw, code));
  }
}
