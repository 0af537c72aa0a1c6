import type { BaseTool } from "@llamaindex/core/llms";
import { normalizeTools, type Protocol, type ToolDefinition } from "@toolingua/core";
import { isObject, mapSchemas, oncePer, whyUncallable } from "@toolingua/core/adapters";
import { ToolBindingError } from "./errors.js";

/**
 * Converts LlamaIndex's tools to definitions.
 *
 * LlamaIndex converts a zod schema to the schema of its output, so properties with a default are required. Here they
 * are optional: the tool fills in the default.
 *
 * Errors: `ToolDefinitionError` (`missing-name`, `duplicate-name`, `parameters-not-object`, `invalid-schema`).
 *
 * @example toToolDefinitions([FunctionTool.from(now, { name: "now", description: "The time" })])[0]?.name; // "now"
 */
export function toToolDefinitions(tools: readonly BaseTool[]): ToolDefinition[] {
  const given: unknown = tools;
  // A list without tools of LlamaIndex has the core's error for it.
  const isList = Array.isArray(given) && given.every((tool) => isObject(tool) && isObject(tool.metadata));
  const made = isList ? tools.map(({ metadata }) => definitionOf(metadata)) : (given as ToolDefinition[]);
  normalizeTools(made);
  return made;
}

/** Made once, so that the core's caches of a schema apply. */
const definitionOf = oncePer(({ name, description, parameters }: BaseTool["metadata"]): ToolDefinition => {
  const [definition] = normalizeTools([{ name, description, parameters: asInput(parameters) }]);
  return definition!;
});

/**
 * The same, for a protocol. Errors: as above, and `ToolBindingError` (`bad-tool-name`) for a name that it cannot write.
 */
export function callableDefinitions(tools: readonly BaseTool[], protocol: Protocol): ToolDefinition[] {
  const made = toToolDefinitions(tools);
  for (const definition of made) {
    if (callable.get(definition) === protocol) continue;
    const reason = whyUncallable(definition.name, protocol);
    if (reason !== undefined) throw new ToolBindingError("bad-tool-name", reason);
    callable.set(definition, protocol);
  }
  return made;
}

/** The protocol that can call a tool, as found by the last check. */
const callable = new WeakMap<ToolDefinition, Protocol>();

/** zod adds `$schema` to its schemas; for schemas without it, `required` is kept. */
function asInput(parameters: unknown): unknown {
  if (!isObject(parameters) || parameters.$schema === undefined) return parameters;
  const { $schema: _, ...schema } = parameters;
  return mapSchemas(schema, optionalWhereDefault);
}

function optionalWhereDefault(schema: Record<string, unknown>): Record<string, unknown> {
  const { properties, required } = schema;
  if (!isObject(properties) || !Array.isArray(required)) return schema;
  const needed = required.filter((name: string) => {
    const property = properties[name];
    return !(isObject(property) && "default" in property);
  });
  return { ...schema, required: needed };
}
