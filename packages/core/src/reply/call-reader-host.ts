import type { CallHost } from "./bodies/call-router.js";
import type { BodyKinds } from "./body-kind.js";

/** What a call reader needs of the parser. */
export interface CallReaderHost extends CallHost {
  /** What reads the bodies. */
  readonly bodies: BodyKinds;
  /** A call has begun that has not ended. */
  readonly isCalling: boolean;
  /** The source of a call begins here: what comes before is of the block around it. */
  callBegins(): void;
  /** Only markers that close the current call may follow. */
  callComplete(): void;
  /** The wire format of the current call ends here. */
  callEnded(): void;
}
