import type { Body } from "../../syntax/bodies.js";
import type { FormNode } from "../forms/forms.js";
import type { BodyReader } from "../readers/body-kind.js";

/** `node`: the one after the arguments. */
export type BodyState = { in: "body"; reader: BodyReader; body: Body; node: FormNode };

/** The part that a call reader reads next. */
export type State =
  /** The tokens before the arguments, with markers and name; or those after them, in forms that begin with them. */
  | { in: "opener"; afterBody: boolean }
  | BodyState
  /** The markers that close the call. `isSkipping`: one of them is missing. */
  | { in: "closers"; isSkipping: boolean }
  /** The call has ended. Another call of its block may follow, perhaps after a separator. */
  | { in: "block"; isSeparated: boolean };

export const OPENER: State = { in: "opener", afterBody: false };

/**
 * Whether markers are missing of a call that ends in this state: none of a block, which ends after its calls, nor a stop
 * sequence, which the server removes. `next`: the node of what follows, after the arguments.
 */
export function lacksCloser(state: State, next: FormNode, stops: ReadonlySet<string>): boolean {
  if (state.in === "block") return false;
  if (state.in === "body" && state.reader.ownClosers) return true;
  const { ends, literals } = state.in === "body" ? state.node : next;
  return !ends && literals.length > 0 && !literals.some((marker) => stops.has(marker));
}
