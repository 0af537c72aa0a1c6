import { distance } from "fastest-levenshtein";
import { describeValue } from "../common/describe-value.js";
import { nearestNames } from "../common/nearest-name.js";
import { isObject } from "../common/plain-object.js";
import { TOOL_LIST } from "../common/tool-list.js";
import type { JsonSchema, ToolDefinition } from "../types.js";
import { refuseMistakes } from "./check-parameters.js";
import { SchemaError, ToolDefinitionError } from "./errors.js";
import { withoutFrameworkKeywords } from "./framework-keywords.js";
import { toJsonSchema } from "./to-json-schema.js";

/** A tool as an application writes it: `parameters` may be a schema of any kind that `toJsonSchema` accepts. */
export interface ToolInput {
  name: string;
  description?: string | undefined;
  parameters?: unknown;
}

/**
 * A tool in another shape: OpenAI's and that of compatible APIs; Anthropic's; that of MCP and the AI SDK; LangChain's.
 */
export type AnyTool =
  | ToolInput
  | { type: "function"; function: ToolInput }
  | { name: string; description?: string | undefined; input_schema: unknown }
  | { name: string; description?: string | undefined; inputSchema: unknown }
  | { name: string; description?: string | undefined; schema: unknown };

/** The keys under which the shapes have their schema. */
export const SCHEMA_KEYS: readonly string[] = ["parameters", "input_schema", "inputSchema", "schema"];

const SHAPES =
  '{ name, description, parameters }, OpenAI\'s { type: "function", function }, { name, input_schema }, { name, inputSchema } and { name, schema }';

/** One definition for each tool object, so that results that are cached by definition are computed once. */
const known = new WeakMap<object, ToolDefinition>();

/**
 * The fields of a tool of any shape: `given` is its schema, of any kind.
 *
 * Errors: {@link ToolDefinitionError} (`unknown-shape`, `missing-name`); `where`: the tool's place in the list.
 */
export function readTool(
  tool: unknown,
  where: string,
): { name: string; description: string | undefined; given: unknown } {
  const own = isObject(tool) && isObject(tool.function) ? tool.function : tool;
  if (!isObject(own)) {
    throw new ToolDefinitionError(
      "unknown-shape",
      where,
      `Tool ${where} is ${describeValue(own)}, not a tool. The shapes of tools are ${SHAPES}.`,
    );
  }
  const { name, description } = own;
  if (typeof name !== "string" || name.trim() === "") {
    throw new ToolDefinitionError("missing-name", where, `Tool ${where} has no name; it needs one that is not empty.`);
  }
  let given: unknown;
  for (const key of SCHEMA_KEYS) given ??= own[key];
  const misspelt = given == null ? misspeltSchemaKey(own) : undefined;
  if (misspelt) {
    const { key, meant } = misspelt;
    const message = `Tool ${JSON.stringify(name)} has a schema under ${JSON.stringify(key)}. Did you mean ${JSON.stringify(meant)}?`;
    throw new ToolDefinitionError("unknown-shape", name, message);
  }
  return { name, description: typeof description === "string" ? description : undefined, given: given ?? undefined };
}

/** Other words for a tool's parameters. */
const OTHER_KEYS = ["params", "args", "arguments", "input", "inputs"];

/**
 * The key under which a tool has a schema that would be ignored, and the right one. `keys`: those that are read, the usual one
 * first.
 *
 * @example misspeltSchemaKey({ name: "now", paramters: { type: "object" } }); // { key: "paramters", meant: "parameters" }
 */
export function misspeltSchemaKey(
  tool: Record<string, unknown>,
  keys: readonly string[] = SCHEMA_KEYS,
): { key: string; meant: string } | undefined {
  const [usual = ""] = keys;
  const others: readonly string[] = [...SCHEMA_KEYS, ...OTHER_KEYS];
  for (const [key, value] of Object.entries(tool)) {
    if (!isObject(value) || keys.includes(key)) continue;
    const isSchema = value.type === "object" || isObject(value.properties) || "~standard" in value;
    const isEmpty = Object.keys(value).length === 0;
    const [nearest = usual] = nearestNames(key, keys).ranked;
    const isMisspelt = distance(key.toLowerCase(), nearest.toLowerCase()) <= 2;
    if (isMisspelt && (isSchema || isEmpty)) return { key, meant: nearest };
    if (isSchema && others.includes(key)) return { key, meant: usual };
  }
  return undefined;
}

/** A schema of any kind as JSON Schema. Errors: {@link ToolDefinitionError} (`invalid-schema`). */
export const schemaOfTool = (name: string, given: unknown): JsonSchema =>
  withoutFrameworkKeywords(jsonSchemaOfTool(name, given));

/** The same, with the keywords of frameworks. Errors: {@link ToolDefinitionError} (`invalid-schema`). */
export function jsonSchemaOfTool(name: string, given: unknown): JsonSchema {
  try {
    return toJsonSchema(given);
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    const message = `The parameters of tool ${JSON.stringify(name)} are not a usable schema. ${error.message}`;
    throw new ToolDefinitionError("invalid-schema", name, message, { cause: error });
  }
}

/** A tool of any shape as a definition; one that is a definition as it is. Errors: {@link ToolDefinitionError}. */
export function definitionOf(tool: unknown, where = "#1"): ToolDefinition {
  const before = typeof tool === "object" && tool !== null ? known.get(tool) : undefined;
  if (before) return before;
  const { name, description, given } = readTool(tool, where);
  const parameters = given === undefined ? undefined : schemaOfTool(name, given);
  refuseMistakes(name, parameters);
  const own = tool as ToolDefinition;
  const isOurs = own.name === name && own.parameters === parameters && !("function" in own);
  const definition = isOurs ? own : definitionFrom(name, description, parameters);
  known.set(own, definition);
  return definition;
}

/** A definition of these fields. */
export const definitionFrom = (
  name: string,
  description: string | undefined,
  parameters: JsonSchema | undefined,
): ToolDefinition => ({
  name,
  ...(description !== undefined && { description }),
  ...(parameters !== undefined && { parameters }),
});

/** The tools, each of which must have its own name. Errors: {@link ToolDefinitionError} (`duplicate-name`). */
export function checkUnique<Tools extends readonly { name: string }[]>(tools: Tools): Tools {
  const names = new Set<string>();
  for (const { name } of tools) {
    if (names.has(name)) {
      const message = `Two tools are named ${JSON.stringify(name)}; names must be unique.`;
      throw new ToolDefinitionError("duplicate-name", name, message);
    }
    names.add(name);
  }
  return tools;
}

/** Errors: {@link ToolDefinitionError} (`unknown-shape`) for what is no list. */
export function checkToolList(tools: unknown): void {
  if (Array.isArray(tools)) return;
  const message = `\`tools\` must be ${TOOL_LIST}, not ${describeValue(tools)}.`;
  throw new ToolDefinitionError("unknown-shape", "tools", message);
}
