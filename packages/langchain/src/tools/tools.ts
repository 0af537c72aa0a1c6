import type { BindToolsInput, ToolChoice as LangChainToolChoice } from "@langchain/core/language_models/chat_models";
import { isLangChainTool } from "@langchain/core/utils/function_calling";
import { toJsonSchema as toZod4JsonSchema } from "@langchain/core/utils/json_schema";
import { isSerializableSchema } from "@langchain/core/utils/standard_schema";
import { isZodSchemaV4 } from "@langchain/core/utils/types";
import {
  type JsonSchema,
  type Protocol,
  readToolChoice,
  type ToolChoice,
  type ToolDefinition,
  ToolDefinitionError,
  toJsonSchema,
} from "@toolingua/core";
import {
  describeValue,
  messageOf,
  misspeltSchemaKey,
  nearestNames,
  whyNoChoice,
  whyUncallable,
  withoutFrameworkKeywords,
} from "@toolingua/core/adapters";
import { ToolBindingError } from "../errors.js";

type Fields = Record<string, unknown>;

/** A tool in OpenAI's shape. `bindTools` binds it, because tracers and LangChain's own checks support it. */
export interface BoundTool {
  type: "function";
  function: ToolDefinition;
}

/**
 * Converts tools of any shape that LangChain binds to definitions: StructuredTool, RunnableToolLike,
 * StructuredToolParams, OpenAI's and Anthropic's objects, MCP's `{ name, inputSchema }`, plain `{ name, schema }`.
 *
 * Errors: `ToolDefinitionError` as of `normalizeTools`: `unknown-shape` (also for a schema under a misspelt key),
 * `missing-name`, `duplicate-name`, `parameters-not-object`, `invalid-schema`; `ToolBindingError` (`built-in-tool`) for a
 * provider's built-in tool.
 *
 * @example toToolDefinitions([{ name: "now", description: "The time", schema: z.object({}) }])[0]?.name; // "now"
 */
export function toToolDefinitions(tools: readonly BindToolsInput[]): ToolDefinition[] {
  if (!Array.isArray(tools)) {
    throw new ToolDefinitionError("unknown-shape", "tools", `Tools are given as a list. ${SHAPES}`);
  }
  const definitions = tools.map(toToolDefinition);
  const names = new Set<string>();
  for (const { name } of definitions) {
    if (names.has(name)) {
      const message = `Two tools are named "${name}". Give each tool its own name.`;
      throw new ToolDefinitionError("duplicate-name", name, message);
    }
    names.add(name);
  }
  return definitions;
}

/** The bound tools and the lists they were created from; keyed by the bound list and by its first definition. */
interface Binding {
  tools: readonly BindToolsInput[];
  definitions: ToolDefinition[];
  protocol: Protocol;
  bindable: BoundTool[];
}
const byList = new WeakMap<readonly BindToolsInput[], Binding>();
const byFirst = new WeakMap<ToolDefinition, Binding>();

/**
 * Checks and converts tools for `bindTools`. Errors: as above, and a name that the protocol cannot write.
 *
 * Agents bind the same tools at every step: the same tools return the same cached list.
 */
export function bindableTools(tools: readonly BindToolsInput[], protocol: Protocol): BoundTool[] {
  const definitions = toToolDefinitions(tools);
  const first = definitions[0];
  const known = first && byFirst.get(first);
  if (known?.protocol === protocol && sameItems(known.definitions, definitions)) return known.bindable;
  for (const { name } of definitions) assertCallable(name, protocol);
  const bindable = definitions.map((definition): BoundTool => ({ type: "function", function: definition }));
  const binding = { tools: [...tools], definitions, protocol, bindable };
  byList.set(bindable, binding);
  if (first) byFirst.set(first, binding);
  return bindable;
}

function assertCallable(name: string, protocol: Protocol): void {
  const reason = whyUncallable(name, protocol);
  if (reason !== undefined) throw new ToolBindingError("bad-tool-name", reason);
}

const sameItems = (some: readonly unknown[], others: readonly unknown[]) =>
  some.length === others.length && some.every((item, i) => item === others[i]);

/** The definitions of a call's `tools` option; those that came through `bindTools` are not converted again. */
export const boundDefinitions = (tools: readonly BindToolsInput[] | undefined): ToolDefinition[] =>
  tools ? (byList.get(tools)?.definitions ?? toToolDefinitions(tools)) : [];

/** The original tools passed to `bindTools`, for another model's `bindTools`. */
export const givenTools = (tools: readonly BindToolsInput[]): readonly BindToolsInput[] =>
  byList.get(tools)?.tools ?? tools;

/** Cached definitions by tool. Tools are mutable, so the source values are compared. */
const made = new WeakMap<
  object,
  { name: unknown; description: unknown; schema: unknown; definition: ToolDefinition }
>();

function toToolDefinition(tool: BindToolsInput, position: number): ToolDefinition {
  if (typeof tool !== "object" || tool === null || Array.isArray(tool)) {
    throw new ToolDefinitionError(
      "unknown-shape",
      `#${position + 1}`,
      `Tool #${position + 1} is ${describeValue(tool)}, and a tool is an object. ${SHAPES}`,
    );
  }
  const fields = tool as Fields;
  const declared = isLangChainTool(tool) ? fields : declaration(fields, position);
  const { name, description } = declared;
  if (typeof name !== "string" || name === "") {
    const message = `Tool #${position + 1} has no name. Every tool needs one.`;
    throw new ToolDefinitionError("missing-name", `#${position + 1}`, message);
  }
  const schema: unknown = declared.schema ?? declared.parameters ?? declared.input_schema ?? declared.inputSchema;
  const misspelt = schema == null ? misspeltSchemaKey(declared) : undefined;
  if (misspelt) {
    throw new ToolDefinitionError(
      "unknown-shape",
      name,
      `Tool "${name}" has a schema under "${misspelt.key}". Did you mean "${misspelt.meant}"?`,
    );
  }
  const known = made.get(tool);
  if (known && known.name === name && known.description === description && known.schema === schema) {
    return known.definition;
  }
  const definition = {
    name,
    ...(typeof description === "string" && { description }),
    ...(schema != null && { parameters: parametersOf(name, schema) }),
  };
  made.set(tool, { name, description, schema, definition });
  return definition;
}

const SHAPES =
  'Use tool() of "@langchain/core/tools", { type: "function", function: { name, parameters } } or { name, schema }.';

/** Whether a bound tool is the application's: tools on a provider's server have no function. */
export function isFunctionTool(tool: object): boolean {
  const { type, name, ...fields } = tool as Fields;
  if (isLangChainTool(tool) || ["function", "functionDeclarations", "toolSpec"].some((key) => key in fields))
    return true;
  return typeof name === "string" && (type === undefined || type === "function" || type === "custom");
}

/** The object with name and schema; a tool with neither belongs to a provider's server. */
function declaration(tool: Fields, position: number): Fields {
  const type = tool.type;
  if (typeof tool.function === "object" && tool.function !== null) return tool.function as Fields;
  const isFunction = type === undefined || type === "function" || type === "custom";
  if (isFunction && "name" in tool) return tool;
  if (typeof type === "string" && !isFunction) {
    throw new ToolBindingError(
      "built-in-tool",
      `Tool #${position + 1} ("${type}") is built into a provider's server and cannot be called through a prompt. ` +
        "Bind a tool of your own that does the same.",
    );
  }
  throw new ToolDefinitionError(
    "unknown-shape",
    `#${position + 1}`,
    `Tool #${position + 1} has the keys ${Object.keys(tool).join(", ") || "(none)"}, which is not a known tool shape. ${SHAPES}`,
  );
}

/** One JSON Schema per schema object, so that the core's caches apply at every step. */
const converted = new WeakMap<object, JsonSchema>();

function parametersOf(name: string, schema: unknown): JsonSchema {
  // A schema may be a function, such as ArkType's; what is neither is refused below.
  const key: object = Object(schema);
  const known = converted.get(key);
  if (known !== undefined) return known;
  try {
    // zod 4.0 and 4.1 have no Standard JSON Schema yet; LangChain brings a converter for them.
    const isOldZod4 = isZodSchemaV4(schema) && !isSerializableSchema(schema);
    const given = isOldZod4 ? (toZod4JsonSchema(schema, { io: "input" }) as JsonSchema) : toJsonSchema(schema);
    const { type = "object" } = Object(given) as { type?: unknown };
    if (![type].flat().some((each) => /^(object|dict)$/i.test(String(each)))) {
      const message = `The schema of the tool "${name}" is of type ${JSON.stringify(type)}, and arguments are an object.`;
      throw new ToolDefinitionError("parameters-not-object", name, message, { path: "" });
    }
    JSON.stringify(given); // throws if a schema contains itself
    const parameters = withoutFrameworkKeywords(given);
    converted.set(key, parameters);
    return parameters;
  } catch (cause) {
    if (cause instanceof ToolDefinitionError) throw cause;
    const reason = messageOf(cause);
    const message = `The schema of the tool "${name}" cannot be used: ${reason}`;
    throw new ToolDefinitionError("invalid-schema", name, message, { cause });
  }
}

/** The tool choice in a call's options. */
export interface Choice {
  toolChoice: ToolChoice;
  parallel?: boolean;
}

/**
 * Reads LangChain's `tool_choice`, in any provider's form, and `parallel_tool_calls`.
 *
 * Errors: `ToolBindingError` with code `unknown-tool-choice` for an unknown shape or tool.
 *
 * @example toChoice({ tool_choice: "any" }, tools); // { toolChoice: "required" }
 */
export function toChoice(
  options: { tool_choice?: LangChainToolChoice | null | undefined; parallel_tool_calls?: unknown },
  tools: readonly ToolDefinition[],
): Choice {
  const asked = options.tool_choice;
  const toolChoice = readChoice(asked, tools);
  const oneOnly = typeof asked === "object" && asked !== null && asked.disable_parallel_tool_use === true;
  const parallel = oneOnly ? false : options.parallel_tool_calls;
  // Without `parallel`, the turn decides.
  return { toolChoice, ...(typeof parallel === "boolean" && { parallel }) };
}

/** Whether a call is required. */
export const isForced = (choice: ToolChoice): boolean => choice === "required" || typeof choice === "object";

function readChoice(asked: unknown, tools: readonly ToolDefinition[]): ToolChoice {
  const choice = readToolChoice(asked, tools);
  if (choice) return choice;
  const names = [...tools.map(({ name }) => name), "auto", "any", "required", "none"];
  const { meant } = typeof asked === "string" ? nearestNames(asked, names) : {};
  const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
  throw new ToolBindingError("unknown-tool-choice", `${whyNoChoice(asked, tools)}${hint}`);
}
