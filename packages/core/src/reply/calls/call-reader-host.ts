import type { BodyKinds } from "../readers/body-kind.js";
import type { CallHost } from "../readers/call-router.js";

/** The parser as a call reader sees it. */
export interface CallReaderHost extends CallHost {
  /** The readers of bodies. */
  readonly bodies: BodyKinds;
  /** Whether a call has begun that has not ended. */
  readonly isCalling: boolean;
  /** The source of a call begins here; the text before it belongs to the block around it. */
  callBegins(): void;
  /** Only markers that close the current call may follow. */
  callComplete(): void;
  /** The wire format of the current call ends here. */
  callEnded(): void;
}
