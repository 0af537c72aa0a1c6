import { isObject } from "../../common/plain-object.js";

/** A call in the arguments of another one. */
export interface HeldCall {
  name: string;
  arguments: object;
}

/** The name that OpenAI's models write for several calls at once. */
export const SEVERAL = /^(?:functions\.)?multi_tool_use\.parallel$/;

/**
 * The calls in the arguments of one that means several. Undefined: it holds anything else, or a call of no tool.
 *
 * @example
 * heldCalls("multi_tool_use.parallel", { tool_uses: [{ recipient_name: "functions.now", parameters: {} }] }, isTool);
 * // [{ name: "functions.now", arguments: {} }]
 */
export function heldCalls(name: string, args: unknown, isTool: (name: string) => boolean): HeldCall[] | undefined {
  if (!SEVERAL.test(name) || !isObject(args) || !Array.isArray(args.tool_uses)) return undefined;
  const calls = args.tool_uses.map((use) => ({ name: String(use?.recipient_name), arguments: use?.parameters }));
  const isEach = calls.every((call) => isTool(call.name) && isObject(call.arguments));
  return isEach && calls.length > 0 && Object.keys(args).length === 1 ? calls : undefined;
}
