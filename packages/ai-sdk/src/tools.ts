import {
  type JsonSchema,
  mapSchemas,
  nearestNames,
  normalizeTools,
  type Protocol,
  readToolChoice,
  type ToolChoice,
  type ToolDefinition,
  whyUncallable,
} from "@toolingua/core";
import { ToolBindingError } from "./errors.js";
import type { CallOptions } from "./sdk.js";

type Tool = NonNullable<CallOptions["tools"]>[number];
type FunctionTool = Extract<Tool, { type: "function" }>;

/** The tools of a request: those in the prompt, and those that the wrapped model's provider runs or defines. */
export interface GivenTools {
  definitions: readonly ToolDefinition[];
  provider: Extract<Tool, { type: "provider" }>[];
  /** Whether the AI SDK validates the arguments of a tool itself. */
  validated: ReadonlySet<string>;
}

/** The size of the tool cache. The SDK creates equal tools anew for every request. */
const REMEMBERED = 2000;
const known = new Map<string, ToolDefinition>();
const lists = new Map<string, readonly ToolDefinition[]>();

/**
 * Reads the tools of a call.
 *
 * Errors: `ToolBindingError` (`bad-tool-name`) for a name that the protocol cannot write; `ToolDefinitionError`
 * (`duplicate-name`, `parameters-not-object`, `invalid-schema`).
 */
export function readTools(tools: readonly Tool[] = [], protocol: Protocol, strict: boolean): GivenTools {
  const functions = tools.filter((tool) => tool.type === "function");
  const keys = functions.map((tool) => contentKey(tool, strict));
  const definitions = remembered(lists, keys.join("\n"), () => {
    const made = functions.map((tool, i) => remembered(known, keys[i] ?? "", () => definitionOf(tool, strict)));
    return normalizeTools(made).length === made.length ? made : [];
  });
  for (const definition of definitions) assertCallable(definition, protocol);
  return {
    definitions,
    provider: tools.filter((tool) => tool.type === "provider"),
    validated: new Set(functions.filter(isValidated).map(({ name }) => name)),
  };
}

function remembered<T>(cache: Map<string, T>, key: string, make: () => T): T {
  const found = cache.get(key);
  if (found !== undefined) return found;
  const made = make();
  cache.set(key, made);
  for (const oldest of cache.keys()) {
    if (cache.size <= REMEMBERED) break;
    cache.delete(oldest);
  }
  return made;
}

const contentKey = ({ name, description, inputSchema, inputExamples }: FunctionTool, strict: boolean) =>
  JSON.stringify([name, description, inputSchema, inputExamples, strict]);

/** The SDK adds `$schema` to schemas of zod and other libraries, and validates with the originals. */
const isValidated = ({ inputSchema }: FunctionTool) => "$schema" in inputSchema;

function definitionOf(tool: FunctionTool, strict: boolean): ToolDefinition {
  const { name, inputExamples = [] } = tool;
  const examples = inputExamples.map(({ input }) => JSON.stringify(input));
  const description = [tool.description ?? "", ...(examples.length > 0 ? ["Input examples:", ...examples] : [])];
  const [definition] = normalizeTools([
    {
      name,
      ...(description.join("") !== "" && { description: description.filter((line) => line !== "").join("\n") }),
      parameters: parametersOf(tool, strict),
    },
  ]);
  return definition ?? { name };
}

/**
 * The SDK adds `additionalProperties: false` to objects without it: loose objects, records, and the arguments of every
 * MCP tool. Enforcing it would remove keys from a call. The keyword is therefore dropped if the SDK validates the
 * arguments itself or if the schema declares no properties; with `strict` only in the second case, because a grammar
 * would admit any key.
 */
function parametersOf(tool: FunctionTool, strict: boolean): JsonSchema {
  const { $schema: _, ...schema }: Record<string, unknown> = { ...tool.inputSchema };
  const open = isValidated(tool) && !strict;
  return mapSchemas(schema, (part) => {
    if (part.additionalProperties !== false || !(open || declaresNothing(part))) return part;
    const { additionalProperties: __, ...rest } = part;
    return rest;
  });
}

const declaresNothing = ({ properties, patternProperties }: Record<string, unknown>) =>
  [properties, patternProperties].every((named) => Object.keys(Object(named)).length === 0);

/** The tools with names that a protocol can write, as found so far. */
const callable = new WeakMap<Protocol, WeakSet<ToolDefinition>>();

function assertCallable(definition: ToolDefinition, protocol: Protocol): void {
  const known = callable.get(protocol) ?? new WeakSet();
  if (known.has(definition)) return;
  const reason = whyUncallable(definition.name, protocol);
  if (reason !== undefined) {
    throw new ToolBindingError(
      "bad-tool-name",
      `The protocol "${protocol.name}" cannot call a tool named "${definition.name}": ${reason}`,
    );
  }
  callable.set(protocol, known.add(definition));
}

/**
 * Reads the SDK's tool choice.
 *
 * Errors: `ToolBindingError` (`unknown-tool-choice`) if it names none of the tools.
 */
export function readChoice(asked: CallOptions["toolChoice"], tools: readonly ToolDefinition[]): ToolChoice {
  const choice = readToolChoice(asked?.type === "tool" ? { name: asked.toolName } : asked?.type, tools);
  if (choice) return choice;
  const names = tools.map(({ name }) => name);
  const named = typeof asked === "object" && asked.type === "tool" ? String(asked.toolName) : undefined;
  const { meant } = named === undefined ? {} : nearestNames(named, names);
  const there = names.length > 0 ? `The tools are ${names.join(", ")}.` : "There are no tools.";
  throw new ToolBindingError(
    "unknown-tool-choice",
    named === undefined
      ? `toolChoice is "auto", "required", "none" or { type: "tool", toolName }, not ${JSON.stringify(asked)}.`
      : `toolChoice names the tool ${JSON.stringify(named)}, which there is not.${meant === undefined ? "" : ` Did you mean "${meant}"?`} ${there}`,
  );
}
