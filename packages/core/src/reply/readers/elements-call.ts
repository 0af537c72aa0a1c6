import type { Aliases } from "../../schema/aliases.js";
import type { Plan } from "../../schema/plan.js";
import type { Emitter } from "../arguments/emitter.js";
import { loneArgument } from "../arguments/lone-text.js";
import type { AfterBody } from "../forms/match-token.js";
import type { ArgumentNotes } from "./element-arguments.js";

/** The callbacks of a reader of elements and of its parts. */
export interface ElementsNotes extends ArgumentNotes {
  /** Whether a tool has this name. */
  isTool?(name: string): boolean | undefined;
  /** Whether a tag of this name opens calls in any format that is read. */
  opensCalls(name: string): boolean;
  /** Notes the text of the answer that was read after the arguments, because the call's end is missing. */
  answered(text: string): void;
}

/** The call whose arguments are elements. */
export interface ElementsCall {
  emitter: Emitter;
  plan: Plan;
  notes: ElementsNotes;
  after: Pick<AfterBody, "closers" | "closes" | "elements" | "opener">;
  /** Aliases of the arguments. Default: none. */
  aliases?: Aliases;
  /** Whether the object of the arguments was begun. */
  isBegun?: boolean;
  /** The arguments that it has then. */
  given?: readonly string[];
}

/** The argument for text without a tag. */
export const loneKeyOf = ({ plan, given }: ElementsCall): string | undefined => loneArgument(plan, given);
