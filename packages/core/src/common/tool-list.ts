import type { Tool } from "../types.js";
import { isObject } from "./plain-object.js";

/** What `tools` must be, in messages: an object of tools by name is the AI SDK's. */
export const TOOL_LIST = "a list of tools (`fromAiSdkTools` of @toolingua/ai-sdk makes one)";

/** An object that lists tools: a `ToolSpec` of `@toolingua/tools`. */
export interface ToolList {
  toToolList(): readonly Tool[];
}

/**
 * The tools of a list, or of an object that lists tools.
 *
 * Errors: those of the object. Another value is returned as it is, for the check of the list.
 *
 * @example toolsIn(new Shop()); // the list that `new Shop().toToolList()` returns
 */
export function toolsIn(tools: readonly Tool[] | ToolList): readonly Tool[] {
  const given: unknown = tools;
  const list: unknown = isObject(given) && typeof given.toToolList === "function" ? given.toToolList() : given;
  return list as readonly Tool[];
}
