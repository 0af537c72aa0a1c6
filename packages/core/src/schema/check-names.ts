import { isObject } from "../common/plain-object.js";
import { ToolDefinitionError } from "./errors.js";
import { isPrepared } from "./prepared-tools.js";

/** Prepared lists that were checked. */
const checked = new WeakSet<readonly object[]>();

/**
 * Checks that each tool has a unique name. Errors: {@link ToolDefinitionError} (`unknown-shape`, `missing-name`,
 * `duplicate-name`).
 */
export function checkNames(tools: readonly { name: string }[]): void {
  if (checked.has(tools)) return;
  const names = new Set<string>();
  for (const [i, tool] of tools.entries()) {
    const name: unknown = isObject(tool) ? tool.name : undefined;
    if (typeof name !== "string" || name.trim() === "") {
      const message = `Tool #${i + 1} has no name; it needs one that is not empty.`;
      const code = isObject(tool) ? "missing-name" : "unknown-shape";
      throw new ToolDefinitionError(code, `#${i + 1}`, message);
    }
    if (names.has(name)) {
      const message = `Two tools are named ${JSON.stringify(name)}; names must be unique.`;
      throw new ToolDefinitionError("duplicate-name", name, message);
    }
    names.add(name);
  }
  if (isPrepared(tools)) checked.add(tools);
}
