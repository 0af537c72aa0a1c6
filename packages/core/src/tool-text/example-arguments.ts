import { isObject } from "../common/plain-object.js";
import { typeNamed } from "../schema/json-types.js";
import { requiredOf } from "../schema/required.js";
import type { ToolDefinition } from "../types.js";

/** The tool that best shows how a call is written: the first that needs arguments, otherwise the first. */
export function exampleTool(tools: readonly ToolDefinition[]): ToolDefinition | undefined {
  return tools.find((tool) => requiredOf(tool.parameters).length > 0) ?? tools[0];
}

/**
 * Arguments for an example call: the required ones, with values from the schema if it names any. Otherwise the text is
 * `...`, which shows if a model merely copies the example.
 *
 * @example
 * exampleArguments({ name: "add", parameters: { type: "object", properties: { a: { type: "integer" } }, required: ["a"] } }); // { a: 1 }
 */
export function exampleArguments(tool: ToolDefinition): Record<string, unknown> {
  const value = exampleValue(tool.parameters, 0);
  return isObject(value) ? value : {};
}

function exampleValue(schema: unknown, depth: number): unknown {
  if (!isObject(schema)) return "...";
  for (const named of [schema.examples, schema.enum]) {
    if (Array.isArray(named) && named.length > 0) return named[0];
  }
  if ("const" in schema) return schema.const;
  if ("default" in schema) return schema.default;
  const type = typeNamed(Array.isArray(schema.type) ? schema.type[0] : schema.type);
  if (type === "integer" || type === "number") return exampleNumber(schema);
  if (type === "boolean") return true;
  if (type === "null") return null;
  if (type === "array") return depth < 3 ? [exampleValue(schema.items, depth + 1)] : [];
  if (type === "object" || isObject(schema.properties)) {
    const properties = isObject(schema.properties) ? schema.properties : {};
    const keys = requiredOf(schema).filter((key) => Object.hasOwn(properties, key));
    return depth < 3 ? Object.fromEntries(keys.map((key) => [key, exampleValue(properties[key], depth + 1)])) : {};
  }
  return "...";
}

/** 1 if it is allowed, otherwise the nearest bound. */
function exampleNumber({ minimum, maximum }: { minimum?: unknown; maximum?: unknown }): number {
  const least = typeof minimum === "number" ? minimum : 1;
  const most = typeof maximum === "number" ? maximum : 1;
  return Math.max(least, Math.min(most, 1));
}
