import { isObject } from "../common/plain-object.js";
import type { JsonObject } from "../schema/json.js";
import { typeNamed } from "../schema/json-types.js";
import { requiredOf } from "../schema/required.js";
import { resolve } from "../schema/resolve.js";
import type { JsonSchema, ToolDefinition } from "../types.js";

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
  const value = exampleValue(tool.parameters, { root: tool.parameters ?? {}, depth: 0, unions: 0 });
  return isObject(value) ? value : {};
}

/** Deeper objects and lists are empty. A union is as deep as its first schema. */
const MAX_DEPTH = 3;
/** Unions of unions may contain themselves. */
const MAX_UNIONS = 8;

/** `root`: the document of the schema's references; `unions`: how many are around the value. */
interface ExamplePlace {
  root: JsonSchema;
  depth: number;
  unions: number;
}

function exampleValue(given: unknown, { root, depth, unions }: ExamplePlace): unknown {
  if (!isObject(given)) return "...";
  const schema = resolve(given, root);
  for (const named of [schema.examples, schema.enum]) {
    if (Array.isArray(named) && named.length > 0) return named[0];
  }
  if ("const" in schema) return schema.const;
  if ("default" in schema) return schema.default;
  const inside = { root, depth: depth + 1, unions };
  const branches = [schema.anyOf, schema.oneOf].find((list) => Array.isArray(list) && list.length > 0);
  if (Array.isArray(branches)) {
    const { anyOf: _, oneOf: __, ...beside } = schema;
    const [first] = branches;
    if (unions >= MAX_UNIONS) return "...";
    const branch = isObject(first) ? mergeSchemas(beside, first, root) : first;
    return exampleValue(branch, { root, depth, unions: unions + 1 });
  }
  const type = typeNamed(Array.isArray(schema.type) ? schema.type[0] : schema.type);
  if (type === "integer" || type === "number") return exampleNumber(schema);
  if (type === "boolean") return true;
  if (type === "null") return null;
  const first = Array.isArray(schema.items) ? schema.items : schema.prefixItems;
  if (type === "array" || Array.isArray(first)) {
    if (depth >= MAX_DEPTH) return [];
    return (Array.isArray(first) ? first : [schema.items]).map((item) => exampleValue(item, inside));
  }
  if (type === "object" || isObject(schema.properties)) {
    const properties = isObject(schema.properties) ? schema.properties : {};
    const keys = requiredOf(schema).filter((key) => Object.hasOwn(properties, key));
    return depth < MAX_DEPTH ? Object.fromEntries(keys.map((key) => [key, exampleValue(properties[key], inside)])) : {};
  }
  return "...";
}

/** A branch of a schema, with what the schema says besides. */
const mergeSchemas = (beside: JsonObject, branch: JsonObject, root: JsonSchema): JsonObject =>
  resolve({ allOf: [beside, branch] }, root);

/** 1 if it is allowed, otherwise the nearest bound. */
function exampleNumber({ minimum, maximum }: { minimum?: unknown; maximum?: unknown }): number {
  const least = typeof minimum === "number" ? minimum : 1;
  const most = typeof maximum === "number" ? maximum : 1;
  return Math.max(least, Math.min(most, 1));
}
