import type { Body } from "../../syntax/bodies.js";
import type { KnownTools } from "../forms/match-branch.js";
import type { Call } from "../output/call.js";

/** The last call that was read, its body, and the known tools. */
export interface LastCall {
  body: Body;
  call: Pick<Call, "plan" | "hasArguments" | "isSplit" | "isUnbalanced">;
  tools: Pick<KnownTools, "isTool">;
  /** Whether the text after it may show that it is broken; by default it may. */
  mayGoOn?: boolean;
}
