import { isObject } from "../common/plain-object.js";
import { ToolDefinitionError } from "./errors.js";
import { isPrepared } from "./prepared-tools.js";
import { checkUnique } from "./tool-shapes.js";

/**
 * Checks that each tool has a unique name; prepared tools have. Errors: {@link ToolDefinitionError} (`unknown-shape`,
 * `missing-name`, `duplicate-name`).
 */
export function checkNames(tools: readonly { name: string }[]): void {
  if (isPrepared(tools)) return;
  for (const [i, tool] of tools.entries()) {
    const name: unknown = isObject(tool) ? tool.name : undefined;
    if (typeof name === "string" && name.trim() !== "") continue;
    const message = `Tool #${i + 1} has no name; it needs one that is not empty.`;
    throw new ToolDefinitionError(isObject(tool) ? "missing-name" : "unknown-shape", `#${i + 1}`, message);
  }
  checkUnique(tools);
}
