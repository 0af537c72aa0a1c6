import {
  explainInvalidArguments,
  type JsonSchema,
  normalizeTools,
  type Tool,
  type ToolDefinition,
  ToolDefinitionError,
  type ToolExecutionContext,
  validateValue,
} from "@toolingua/core";
import {
  describeIssues,
  describeValue,
  executableTools,
  isObject,
  libraryReader,
  messageOf,
  type ReadValue,
  type ToolList,
} from "@toolingua/core/adapters";
import { ToolBindingError } from "../errors.js";

type Arguments = Record<string, unknown>;

/** A schema in the form for any library: Standard Schema with Standard JSON Schema (https://standardschema.dev). */
interface ArgumentsSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "toolingua";
    validate(value: unknown): { value: Arguments } | { issues: { message: string; path: string[] }[] };
    jsonSchema: { input(): Record<string, unknown>; output(): Record<string, unknown> };
    types?: { readonly input: Arguments; readonly output: Arguments };
  };
}

/** A tool of the SDK, created from one of the core's. */
export interface AiSdkTool {
  description?: string;
  inputSchema: ArgumentsSchema;
  needsApproval?: (input: Arguments) => Promise<boolean>;
  execute(input: Arguments, options: { toolCallId: string; abortSignal?: AbortSignal }): Promise<unknown>;
}

/**
 * Converts the core's tools to an object of the AI SDK's, for `generateText`, `streamText` and `ToolLoopAgent`. They
 * get the call's id and signal, and only arguments that match their schema. An `Error` that a tool returns or throws
 * becomes a failed result with its message. `needsApproval` is kept; if it throws, it counts as `true`. The SDK has no
 * counterpart to `resultAsAnswer`: use `stopWhen: hasToolCall(name)`.
 *
 * Errors: `ToolDefinitionError` (`missing-name`, `duplicate-name`, `parameters-not-object`, `invalid-schema`);
 * `unknown-shape` if `tools` is not a list of tools, `missing-execute` if one has no `execute`.
 *
 * @example await generateText({ model, tools: toAiSdkTools([add, search]), stopWhen: stepCountIs(5), prompt });
 */
export function toAiSdkTools(tools: readonly Tool[] | ToolList): Record<string, AiSdkTool> {
  const list = listOf(tools);
  const definitions = normalizeTools(list);
  return Object.fromEntries(
    definitions.map((definition, i) => {
      const { name, description } = definition;
      const tool = list[i];
      const made: AiSdkTool = {
        ...(description !== undefined && { description }),
        inputSchema: argumentsSchema(definition),
        ...(tool?.needsApproval !== undefined && { needsApproval: (input) => needsApproval(tool, input) }),
        async execute(input, { toolCallId, abortSignal }) {
          const result = await tool?.execute(input, { toolCallId, ...(abortSignal && { signal: abortSignal }) });
          // The SDK recognises a failure by a thrown error.
          if (result instanceof Error) throw result;
          // A message cannot contain `undefined`.
          return result ?? "";
        },
      };
      return [name, made];
    }),
  );
}

function listOf(tools: readonly Tool[] | ToolList): readonly Tool[] {
  const given: unknown = tools;
  const list: unknown = executableTools(tools);
  if (!Array.isArray(list)) {
    const hint = isObject(given) ? " Tools of the AI SDK are the SDK's already." : "";
    const message = `toAiSdkTools takes a list of tools or a ToolSpec, not ${describeValue(given)}.${hint}`;
    throw new ToolDefinitionError("unknown-shape", "tools", message);
  }
  return list;
}

async function needsApproval({ needsApproval: needs }: Tool, input: Arguments): Promise<boolean> {
  if (typeof needs !== "function") return needs ?? false;
  try {
    return await needs(input);
  } catch {
    return true;
  }
}

function argumentsSchema({ name, parameters }: ToolDefinition): ArgumentsSchema {
  // A new object each time, because the SDK modifies it. `$schema` marks a schema that validates arguments.
  const json = () => ({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...(isObject(parameters) ? structuredClone(parameters) : { type: "object", properties: {} }),
  });
  return {
    "~standard": {
      version: 1,
      vendor: "toolingua",
      validate(value) {
        const issues = validateValue(value, parameters);
        if (issues.length === 0 && isObject(value)) return { value };
        const { feedback } = explainInvalidArguments({ name, arguments: value, issues, schema: parameters });
        return { issues: [{ message: feedback, path: [] }] };
      },
      jsonSchema: { input: json, output: json },
    },
  };
}

/** The fields of an SDK tool that are read here. */
interface ToolOfSdk {
  type?: unknown;
  description?: string | undefined;
  inputSchema?: unknown;
  needsApproval?: unknown;
  execute?: unknown;
}

/**
 * Converts the AI SDK's tools to the core's, for `generateWithTools` and similar functions. Arguments are validated in
 * the same way as in the SDK, so that a tool gets its schema's output. If a tool is a generator, its last result
 * counts. `execute` throws the errors of the tool.
 *
 * Errors: `ToolDefinitionError` (as `toAiSdkTools`; `invalid-schema` also for a schema that cannot be read synchronously,
 * `unknown-shape` if `tools` is not an object of tools, `missing-schema` if one has no `inputSchema`); `ToolBindingError`
 * (`built-in-tool`) for a tool on a provider's server.
 *
 * @example const [weather] = fromAiSdkTools({ weather: tool({ inputSchema: z.object({ city: z.string() }), execute }) });
 */
export function fromAiSdkTools(tools: Readonly<Record<string, ToolOfSdk>>): Tool[] {
  const given: unknown = tools;
  if (!isObject(given)) {
    const message = `fromAiSdkTools takes an object of tools by their names, such as { weather: tool({ … }) }, not ${describeValue(given)}.`;
    throw new ToolDefinitionError("unknown-shape", "tools", message);
  }
  return Object.entries(tools).map(([name, tool]): Tool => {
    const one: unknown = tool;
    if (!isObject(one)) {
      throw new ToolDefinitionError(
        "unknown-shape",
        name,
        `"${name}" must be a tool, such as tool({ … }) makes, not ${describeValue(one)}.`,
      );
    }
    if (tool.type === "provider" || tool.type === "provider-defined") {
      const message = `The tool "${name}" is run by a provider's server and cannot be run here.`;
      throw new ToolBindingError("built-in-tool", message);
    }
    if (tool.inputSchema === undefined) {
      const hint = "parameters" in one ? " AI SDK 4 called it `parameters`." : "";
      const message = `The tool "${name}" has no \`inputSchema\`, such as z.object({ … }) or jsonSchema({ … }).${hint}`;
      throw new ToolDefinitionError("missing-schema", name, message);
    }
    const { jsonSchema, validate } = readSchema(name, tool.inputSchema);
    const [definition] = normalizeTools([
      { name, ...(tool.description !== undefined && { description: tool.description }), parameters: jsonSchema },
    ]);
    const { execute, needsApproval: needs } = tool;
    return {
      ...definition,
      name,
      ...(typeof needs === "boolean" && { needsApproval: needs }),
      ...(isFunction(needs) && {
        needsApproval: async (args: Arguments) => (await needs(args, { toolCallId: "", messages: [] })) === true,
      }),
      async execute(args, { toolCallId = "", signal }: Partial<ToolExecutionContext> = {}) {
        const read = await validate(args);
        if (read instanceof Error) return read;
        if (!isFunction(execute)) return new Error(`The tool "${name}" has no implementation here.`);
        return last(await execute(read.value, { toolCallId, messages: [], ...(signal && { abortSignal: signal }) }));
      },
    };
  });
}

type Validated = { value: unknown } | Error;
interface ReadSchema {
  jsonSchema: unknown;
  validate(value: unknown): Promise<Validated>;
}

const isFunction = (value: unknown): value is (...args: unknown[]) => unknown => typeof value === "function";

/**
 * The SDK accepts its own schemas (`jsonSchema()`), those of libraries (`~standard`), and functions that return one.
 */
function readSchema(name: string, given: unknown): ReadSchema {
  const schema: unknown = isFunction(given) && !("~standard" in given) ? given() : given;
  const read = libraryReader(schema);
  if (read) return { jsonSchema: schema, validate: async (value) => ofLibrary(name, await read(value)) };
  const { jsonSchema, validate }: Record<string, unknown> = Object(schema);
  if (!isObject(jsonSchema) || isFunction(jsonSchema.then)) {
    throw new ToolDefinitionError(
      "invalid-schema",
      name,
      `The schema of the tool "${name}" cannot be read synchronously as a JSON Schema.`,
    );
  }
  if (isFunction(validate)) return { jsonSchema, validate: async (value) => ofSdk(name, await validate(value)) };
  return { jsonSchema, validate: async (value) => ofJsonSchema(name, value, jsonSchema) };
}

const ofLibrary = (name: string, result: ReadValue): Validated =>
  "value" in result ? result : wrong(name, describeIssues(result.issues));

const ofSdk = (name: string, result: unknown): Validated =>
  isObject(result) && result.success === true ? { value: result.value } : wrong(name, messageOf(Object(result).error));

function ofJsonSchema(name: string, value: unknown, schema: JsonSchema): Validated {
  const issues = validateValue(value, schema);
  if (issues.length === 0) return { value };
  return new Error(explainInvalidArguments({ name, arguments: value, issues, schema }).feedback);
}

const wrong = (name: string, why: string) =>
  new Error(`The call to "${name}" was not run: its arguments do not match the tool's schema.\n${why}`);

/** The last of several results. */
async function last(result: unknown): Promise<unknown> {
  if (typeof result !== "object" || result === null || !isAsyncIterable(result)) return result;
  let value: unknown;
  for await (value of result);
  return value;
}

const isAsyncIterable = (value: object): value is AsyncIterable<unknown> => Symbol.asyncIterator in value;
