import {
  type AnyTool,
  type JsonSchema,
  normalizeTools,
  type Protocol,
  readToolChoice,
  type ToolChoice,
  type ToolDefinition,
} from "@toolingua/core";
import { didYouMean, mapSchemas, oncePer, preparedTools, whyUncallable } from "@toolingua/core/adapters";
import { ToolBindingError } from "../errors.js";
import type { CallOptions } from "../sdk.js";

type Tool = NonNullable<CallOptions["tools"]>[number];
type FunctionTool = Extract<Tool, { type: "function" }>;

/** The tools of a request: those in the prompt, and those that the wrapped model's provider runs or defines. */
export interface GivenTools {
  definitions: readonly ToolDefinition[];
  provider: Extract<Tool, { type: "provider" }>[];
}

/** What is read of a list of function tools, and the protocols that can write their names. */
interface Read extends Pick<GivenTools, "definitions"> {
  callableIn: WeakSet<Protocol>;
}

/** Reads a list that core has prepared, once: the SDK makes the same tools anew for every request. */
const readOnce = (strict: boolean) =>
  oncePer((given: readonly ToolDefinition[]): Read => {
    const definitions = normalizeTools(given.map((tool) => ({ ...tool, parameters: parametersOf(tool, strict) })));
    return { definitions: preparedTools(definitions), callableIn: new WeakSet() };
  });
const readStrict = readOnce(true);
const readOpen = readOnce(false);

/**
 * Reads the tools of a call.
 *
 * Errors: `ToolBindingError` (`bad-tool-name`) for a name that the protocol cannot write; `ToolDefinitionError`
 * (`duplicate-name`, `parameters-not-object`, `invalid-schema`).
 */
export function readTools(tools: readonly Tool[] = [], protocol: Protocol, strict: boolean): GivenTools {
  const { definitions, callableIn, provider } = read(tools, strict);
  if (!callableIn.has(protocol)) {
    for (const definition of definitions) assertCallable(definition, protocol);
    callableIn.add(protocol);
  }
  return { definitions, provider };
}

/**
 * Reads the tools of a call for native tool calling, where every name can be written.
 *
 * Errors: `ToolDefinitionError`, as {@link readTools}.
 */
export function readNativeTools(tools: readonly Tool[] = []): GivenTools {
  return read(tools, false);
}

function read(tools: readonly Tool[], strict: boolean): Read & GivenTools {
  const functions: AnyTool[] = [];
  const provider: GivenTools["provider"] = [];
  for (const tool of tools) {
    if (tool.type === "function") functions.push(asGiven(tool));
    else provider.push(tool);
  }
  const given = preparedTools(functions);
  const { definitions, callableIn } = strict ? readStrict(given) : readOpen(given);
  return { definitions, callableIn, provider };
}

/** A tool as the SDK gives it, which is a shape that core reads, with its examples in its description. */
function asGiven(tool: FunctionTool): AnyTool {
  const { name, description = "", inputSchema, inputExamples = [] } = tool;
  if (inputExamples.length === 0) return tool.description === "" ? { name, inputSchema } : tool;
  const lines = ["Input examples:", ...inputExamples.map(({ input }) => JSON.stringify(input))];
  return { name, description: (description === "" ? lines : [description, ...lines]).join("\n"), inputSchema };
}

/**
 * Whether the SDK may validate the arguments by an original schema: those that it made of zod's and other libraries' have
 * `$schema`, as do those of some MCP servers.
 */
const mayBeValidated = ({ parameters }: ToolDefinition) => "$schema" in Object(parameters);

/**
 * The SDK adds `additionalProperties: false` to objects without it: loose objects, records, and the arguments of every
 * MCP tool. Enforcing it would remove keys from a call. The keyword is therefore dropped if the SDK may validate
 * the arguments itself or if the schema declares no properties; with `strict` only in the second case, because a grammar
 * would admit any key.
 */
function parametersOf(tool: ToolDefinition, strict: boolean): JsonSchema {
  const { $schema: _, ...schema }: Record<string, unknown> = { ...Object(tool.parameters) };
  const open = mayBeValidated(tool) && !strict;
  return mapSchemas(schema, (part) => {
    if (part.additionalProperties !== false || !(open || declaresNothing(part))) return part;
    const { additionalProperties: __, ...rest } = part;
    return rest;
  });
}

const declaresNothing = ({ properties, patternProperties }: Record<string, unknown>) =>
  [properties, patternProperties].every((named) => Object.keys(Object(named)).length === 0);

function assertCallable(definition: ToolDefinition, protocol: Protocol): void {
  const reason = whyUncallable(definition.name, protocol);
  if (reason !== undefined) throw new ToolBindingError("bad-tool-name", reason);
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
  const shapes = '"auto", "required", "none" or { type: "tool", toolName: "…" }';
  const named: unknown = asked?.type === "tool" ? asked.toolName : undefined;
  const message =
    typeof named === "string"
      ? `toolChoice names the tool ${JSON.stringify(named)}, which there is not. ${didYouMean(named, names)}`
      : asked?.type === "tool"
        ? `toolChoice names no tool. It is ${shapes}.`
        : `toolChoice is ${shapes}, not ${JSON.stringify(asked)}.`;
  throw new ToolBindingError("unknown-tool-choice", message);
}
