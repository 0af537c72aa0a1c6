import type { Body } from "../../syntax/bodies.js";
import type { FormNode } from "../forms/forms.js";
import type { KnownTools } from "../forms/match-branch.js";
import type { Call } from "../output/call.js";

/** The last call that was read, its body, and the known tools. */
export interface LastCall {
  body: Body;
  /** The markers after the body. */
  node: FormNode;
  call: Pick<Call, "plan" | "hasArguments" | "hasAll" | "isSplit" | "isUnbalanced">;
  /** Its source so far. */
  source(): string;
  tools: Pick<KnownTools, "isTool">;
  /** Whether a broken call is invalid; otherwise it is text, and no more of it is read. */
  mayRefuse: boolean;
}
