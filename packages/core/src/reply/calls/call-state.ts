import type { Body } from "../../syntax/bodies.js";
import type { FormNode } from "../forms/forms.js";
import { holdsName, isMessage } from "../forms/match-token.js";
import type { BodyReader } from "../readers/body-kind.js";
import type { CallSequence } from "./call-sequence.js";
import type { CallWrapping } from "./call-wrapping.js";

/** `node`: the one after the arguments. */
export type BodyState = { in: "body"; reader: BodyReader; body: Body; node: FormNode };

/** What was read of a call whose arguments are complete. */
export interface ReadCall {
  host: CallSequence;
  wrapping: CallWrapping;
  /** The node after the first marker. */
  inside: FormNode | undefined;
  /** Its body, which another one of its kind may follow; undefined: it has none. */
  last: BodyState | undefined;
  /** The labels of the arguments of a call that begins a line. */
  labels: readonly string[] | undefined;
  /** In a trial, calls are buffered. `around`: what ends their wrapping; `mayRefuse`: a broken call is invalid, not text. */
  trial: { around: readonly string[]; mayRefuse: boolean } | undefined;
}

/** Whether this is a message that has made no call so far. */
export const isAnswer = ({ last, host }: Pick<ReadCall, "last" | "host">): boolean =>
  last !== undefined && isMessage(last.body) && !host.current;

/** Whether no call has begun where one could be. */
export const hasNoCall = (call: Pick<ReadCall, "last" | "host">): boolean =>
  !call.host.current && (!call.last || holdsName(call.last.body)) && !isAnswer(call);

/** Whether markers are missing of a call that ends at a node: not a stop sequence, which the server removes. */
export const lacksCloser = ({ ends, literals }: FormNode, stops: ReadonlySet<string>): boolean =>
  !ends && literals.length > 0 && !literals.some((marker) => stops.has(marker));
