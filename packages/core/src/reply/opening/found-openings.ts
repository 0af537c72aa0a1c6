import type { FormNode } from "../forms/forms.js";
import type { Opening } from "../forms/opening.js";
import type { Compiled } from "./compile.js";
import type { MessageHeader } from "./message-header.js";

/** A position where unmarked calls may begin. They count as calls only if the reply ends with them. */
export interface TrialPlace {
  opens: "trial";
  node: FormNode;
  /** Whether it is the fence around calls of the requested format that begin with a key, which is no marker. */
  isFenced?: boolean;
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
