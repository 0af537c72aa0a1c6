import { isTooDeep } from "../common/json-text.js";
import { tooDeepTool, withinLimits } from "../schema/limits.js";
import type { JsonSchema, ToolDefinition } from "../types.js";
import { renderJson } from "./render-json.js";

/**
 * Tools as compact JSON, one line per tool: name, description and the JSON Schema of the arguments.
 *
 * Errors: `ToolDefinitionError` `limit` for a tool whose parameters are too large.
 *
 * @example
 * toolsAsJson([{ name: "now", description: "The time" }]); // {"name":"now","description":"The time"}
 */
export function toolsAsJson(tools: readonly ToolDefinition[]): string {
  return withinLimits(tools, (some) => some.map(definitionText).join("\n"));
}

function definitionText(tool: ToolDefinition): string {
  if (isTooDeep(tool.parameters)) throw tooDeepTool(tool.name);
  return JSON.stringify(plainDefinition(tool));
}

/** A definition with only what a model needs: its fields in a fixed order, without the schema's `$schema`. */
export function plainDefinition(tool: ToolDefinition): ToolDefinition {
  return {
    name: tool.name,
    ...(tool.description ? { description: tool.description } : {}),
    ...(tool.parameters === undefined ? {} : { parameters: withoutDialect(tool.parameters) }),
  };
}

/** A tool in the shape that chat templates receive. */
export const functionOf = (tool: ToolDefinition) => ({ type: "function", function: plainDefinition(tool) });

/** A tool in the shape that chat templates receive, spaced as Python writes JSON. */
export const functionJson = (tool: ToolDefinition): string => renderJson(functionOf(tool));

/** The same JSON over several lines, as templates with `tojson(indent=4)` show it. */
export const indentedFunctionJson = (tool: ToolDefinition): string => JSON.stringify(functionOf(tool), null, 4);

/** Name, description and parameters only, spaced as Python writes JSON. */
export const definitionJson = (tool: ToolDefinition): string => renderJson(plainDefinition(tool));

/** The schema without `$schema`: the draft is of no use to a model and costs tokens. */
export function withoutDialect(schema: JsonSchema): JsonSchema {
  if (typeof schema !== "object" || !("$schema" in schema)) return schema;
  const { $schema: _, ...rest } = schema;
  return rest;
}
