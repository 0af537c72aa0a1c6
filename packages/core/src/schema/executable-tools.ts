import { isObject } from "../common/plain-object.js";
import { type ToolList, toolsIn } from "../common/tool-list.js";
import type { Tool } from "../types.js";
import { ToolDefinitionError } from "./errors.js";

/**
 * The tools of a list, or of an object that lists tools, for a framework that runs them.
 *
 * Errors: `ToolDefinitionError` (`missing-execute`) for a tool without a function; those of the object. A value that is no list
 * is returned as it is, for the check of the list.
 *
 * @example executableTools([{ name: "now" }]); // throws: The tool "now" has no function `execute`. …
 */
export function executableTools(tools: readonly Tool[] | ToolList): readonly Tool[] {
  const list = toolsIn(tools);
  if (!Array.isArray(list)) return list;
  for (const tool of list as readonly unknown[]) {
    if (!isObject(tool) || typeof tool.name !== "string" || typeof tool.execute === "function") continue;
    throw new ToolDefinitionError(
      "missing-execute",
      tool.name,
      `The tool "${tool.name}" has no function \`execute\`. It is only a definition, or a framework's tool already.`,
    );
  }
  return list;
}
