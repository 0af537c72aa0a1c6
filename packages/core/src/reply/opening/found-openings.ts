import type { FormNode } from "../forms/forms.js";
import type { Opening } from "../forms/opening.js";
import type { Compiled } from "./compile.js";
import type { MessageHeader } from "./message-header.js";

/**
 * The calls that a trial reads. `marked`: calls with a marker, in a fence or in reasoning that may never be closed. All others
 * have none. `start`: the requested format has them only where the reply begins; `own`: it has calls without a marker anywhere;
 * `other`: it has none; `doubted`: it has none, and the words before them may say that they are not meant; `fenced`: objects with a format's own keys in a fence, which may also be its answer.
 */
export type TrialKind = "marked" | "start" | "own" | "other" | "doubted" | "fenced";

/** A position where calls may begin that count only if the reply ends with them. */
export interface TrialPlace {
  opens: "trial";
  node: FormNode;
  kind: TrialKind;
}

/** A message of a format whose replies are several, each with a header. */
export interface Message {
  opens: "message";
  header: MessageHeader;
  messages: NonNullable<Compiled["messages"]>;
}

/** What begins at a position. */
export type Found = Opening | TrialPlace | Message;

/** What begins at a position, or the index to continue at if nothing does. `more`: more input is needed. */
export type Decision = Found | number | "more";
