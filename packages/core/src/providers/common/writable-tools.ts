import { isObject } from "../../common/plain-object.js";
import { type JsonObject, join } from "../../schema/json.js";
import type { SchemaInput } from "../../schema/to-json-schema.js";
import { readTool } from "../../schema/tool-shapes.js";
import { itemsAt, optionalText } from "./expect.js";
import type { GivenTool, WritableTool } from "./types.js";

/**
 * The tools in our shape, which are the same objects if they have it.
 *
 * Errors: `ProviderFormatError` for what is no list of objects; `ToolDefinitionError` (`missing-name`, and `unknown-shape` for
 * a schema under a misspelt key).
 *
 * @example writableTools([{ name: "now", input_schema: {} }], ""); // [{ name: "now", parameters: {} }]
 */
export function writableTools(tools: readonly GivenTool[], path: string): readonly WritableTool[] {
  return itemsAt(tools, path, "a tool: { name, parameters }").map((tool, i) => {
    optionalText(tool as JsonObject, "description", join(path, i));
    return writableTool(tool, `#${i + 1}`);
  });
}

function writableTool(tool: GivenTool, where: string): WritableTool {
  const own = tool as WritableTool;
  // A name that no provider accepts is rewritten, also a blank one.
  if (typeof own.name === "string" && own.name.trim() === "") return own;
  const { name, description, given } = readTool(tool, where);
  if (own.name === name && (given === undefined || given === own.parameters)) return own;
  const within: Record<string, unknown> = "function" in tool && isObject(tool.function) ? tool.function : {};
  const { strict = within.strict } = tool;
  return {
    name,
    ...(description !== undefined && { description }),
    ...(given !== undefined && { parameters: given as SchemaInput }),
    ...(typeof strict === "boolean" && { strict }),
  };
}
