import { isObject } from "../../common/plain-object.js";
import { meantSpellings } from "../../syntax/spelling.js";
import { ARGUMENT_KEYS, ASIDE_KEYS, LIST_KEYS, NAME_KEYS } from "./call-keys.js";

/** A call in the arguments of another one. */
export interface HeldCall {
  name: string;
  arguments: object;
}

const SEVERAL = new Set(["multitooluse", "multitooluseparallel", "parallel", "paralleltooluse", "paralleltoolcalls"]);

/** Whether a name means several calls at once. Source: the prompts of OpenAI's models, with `multi_tool_use.parallel`. */
export const meansSeveral = (name: string): boolean => meantSpellings(name).some((spelling) => SEVERAL.has(spelling));

/**
 * The calls in the arguments of one that means several. Undefined: it holds anything else, or a call of no tool.
 *
 * @example
 * heldCalls("multi_tool_use.parallel", { tool_uses: [{ recipient_name: "functions.now", parameters: {} }] }, isTool);
 * // [{ name: "functions.now", arguments: {} }]
 */
export function heldCalls(name: string, args: unknown, isTool: (name: string) => boolean): HeldCall[] | undefined {
  const [list, ...more] = meansSeveral(name) && isObject(args) ? Object.entries(args) : [];
  if (!list || more.length > 0 || !LIST_KEYS.has(list[0]) || !Array.isArray(list[1])) return undefined;
  const calls = list[1].flatMap((item: unknown) => heldCall(item, isTool) ?? []);
  return calls.length > 0 && calls.length === list[1].length ? calls : undefined;
}

function heldCall(item: unknown, isTool: (name: string) => boolean): HeldCall | undefined {
  const entries = isObject(item)
    ? Object.entries(item).filter(([key, value]) => !(ASIDE_KEYS.has(key) && typeof value !== "object"))
    : [];
  const name = entries.find(([key]) => NAME_KEYS.has(key))?.[1];
  const args = entries.find(([key]) => ARGUMENT_KEYS.has(key))?.[1];
  if (entries.length !== 2 || typeof name !== "string" || !isTool(name) || !isObject(args)) return undefined;
  return { name, arguments: args };
}
