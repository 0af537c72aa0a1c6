import type { Plan } from "../../schema/plan.js";
import type { BodyKinds } from "../readers/body-kind.js";
import type { CallHost } from "../readers/call-router.js";

/** The parser as a call reader sees it. */
export interface CallReaderHost extends CallHost {
  /** The readers of bodies. */
  readonly bodies: BodyKinds;
  /** The plan of the current call's arguments, once it names an existing tool. */
  readonly startedPlan: Plan | undefined;
  /** Whether a call has begun that has not ended. */
  readonly isCalling: boolean;
  /** The source of a call begins here; the text before it belongs to the block around it. */
  callBegins(): void;
  /** Only markers that close the current call may follow. */
  callComplete(): void;
  /** The wire format of the current call ends here. */
  callEnded(): void;
}
