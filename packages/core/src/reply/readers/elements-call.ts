import { LOOKAHEAD, spaceEnd } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";
import type { Aliases } from "../../schema/aliases.js";
import type { Plan } from "../../schema/plan.js";
import type { Emitter } from "../arguments/emitter.js";
import { loneArgument } from "../arguments/lone-text.js";
import { openerEnd } from "../forms/call-opener.js";
import type { AfterBody } from "../forms/match-token.js";
import type { ArgumentNotes } from "./element-arguments.js";
import type { OpeningTag } from "./opening-tag.js";
import type { TagShape } from "./tag-shape.js";

/** The callbacks of a reader of elements and of its parts. */
export interface ElementsNotes extends ArgumentNotes {
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

/**
 * Whether a tag that is not an argument's opens another call, so that this call's closing tag is missing. Before any argument
 * (`given`: their number), the call's own tag may as well be written twice.
 */
export function opensCall({ notes, plan, after }: ElementsCall, { key, stated }: OpeningTag, given?: number): boolean {
  const isTool = (name: string) => notes.isTool?.(name.trim()) === true;
  if (isTool(key)) {
    if (given === 0 && after.closers.includes(`</${key}>`)) notes.rejected("its tag is written twice");
    return true;
  }
  const isNamed = isTool(stated?.get("name") ?? "");
  // A tool without declared arguments may have one that is named like a call's tag.
  return plan.properties.size > 0 ? isNamed || notes.opensCalls(key) : isNamed && notes.opensCalls(key);
}

/** Whether a call of a known tool opens here, followed by one of its arguments or its end, or whether a call ends. */
export function callAt(
  { after, notes }: ElementsCall,
  { before, close }: TagShape,
  look: Lookahead,
  at: number,
): "opens" | "element" | "ends" | undefined {
  const [closer = ""] = after.closers;
  if (closer !== "" && look.has(closer, at)) return "ends";
  if (look.hitEnd) return undefined;
  const end = openerEnd(after.opener, look, at, (name) => notes.isTool?.(name));
  if (end === false) return undefined;
  const next = spaceEnd(look.text, end);
  if (next - end > LOOKAHEAD) return undefined;
  const goesOn = look.find([before, closer], (marker) => look.has(marker, next));
  // The argument's own closing tag may begin like that of the call.
  if (goesOn === undefined || (close.after === undefined && look.has(close.before, next))) return undefined;
  const [first] = after.opener;
  return first?.kind === "tag" && first.attribute === undefined ? "element" : "opens";
}
