import type { JSONValue } from "@llamaindex/core/global";
import type { BaseTool, BaseToolWithCall, ToolMetadata } from "@llamaindex/core/llms";
import {
  explainInvalidArguments,
  normalizeTools,
  type Tool,
  type ToolDefinition,
  type ToolExecutionContext,
  validateValue,
} from "@toolingua/core";
import { CallFailure, executableTools, type ToolList } from "@toolingua/core/adapters";
import { callRecord, recordCall } from "./calls.js";
import { resultText } from "./messages.js";
import { toToolDefinitions } from "./tools.js";

/** The core's tools by the LlamaIndex tools created from them. */
const origins = new WeakMap<object, Tool>();

/** Whether a tool's result is the answer. */
export const isAnswerTool = (tool: BaseTool): boolean => origins.get(tool)?.resultAsAnswer ?? false;

/**
 * Converts the core's tools to LlamaIndex's, for `agent`, `multiAgent`, `exec` and `LLMAgent`. Arguments that do not match the
 * schema are refused: a native model's are not checked by LlamaIndex. A returned `Error` is a failed call, and the model gets
 * its message. `undefined`, and objects that contain `null`, which LlamaIndex does not support, are passed on as text. With
 * models of `withToolCalling`, `resultAsAnswer` ends the agent's run with the result.
 *
 * Errors: `ToolDefinitionError` (`missing-name`, `duplicate-name`, `parameters-not-object`, `invalid-schema`,
 * `missing-execute`).
 *
 * @example agent({ llm, tools: toLlamaIndexTools([add, search]) });
 */
export function toLlamaIndexTools(tools: readonly Tool[] | ToolList): BaseToolWithCall[] {
  const list = executableTools(tools);
  const definitions = normalizeTools(list);
  return list.map((tool, i) => {
    const definition = definitions[i]!;
    const made: BaseToolWithCall = {
      metadata: metadataOf(definition),
      async call(input: Record<string, unknown>) {
        const refused = refusal(definition, input);
        if (refused) throw refused;
        const result = await tool.execute(input, { toolCallId: callRecord(input).id ?? "" });
        // LlamaIndex recognises a failure by a thrown error.
        if (result instanceof Error) throw result;
        const output = toJsonValue(result);
        recordCall(input, { output });
        return output;
      },
    };
    origins.set(made, tool);
    return made;
  });
}

/**
 * Converts LlamaIndex's tools to the core's, for `generateWithTools` and similar functions. Arguments that do not match
 * the schema are refused, where LlamaIndex only warns and runs the tool. An error that a tool throws is returned,
 * because LlamaIndex's agents also show it to the model and continue.
 *
 * Errors: as `toLlamaIndexTools`.
 *
 * @example const [weather] = fromLlamaIndexTools([FunctionTool.from(forecast, { name: "weather", description, parameters })]);
 */
export function fromLlamaIndexTools(tools: readonly BaseTool[]): Tool[] {
  const definitions = toToolDefinitions(tools);
  return tools.map((tool, i) => {
    const definition = definitions[i]!;
    return {
      ...definition,
      ...(isAnswerTool(tool) && { resultAsAnswer: true }),
      async execute(args, { toolCallId = "" }: Partial<ToolExecutionContext> = {}) {
        const refused = refusal(definition, args);
        if (refused) return refused;
        if (!tool.call) return new Error(`The tool "${definition.name}" has no implementation here.`);
        recordCall(args, { id: toolCallId });
        try {
          return await tool.call(args);
        } catch (error) {
          return error instanceof Error ? error : new Error(String(error));
        }
      },
    };
  });
}

/** The error for arguments that do not match the schema, written for the model. */
function refusal({ name, parameters: schema }: ToolDefinition, args: Record<string, unknown>): Error | undefined {
  const issues = validateValue(args, schema);
  if (issues.length === 0) return undefined;
  const { feedback } = explainInvalidArguments({ name, arguments: args, issues, schema });
  return new CallFailure("invalid-arguments", feedback);
}

const metadataOf = ({ name, description = "", parameters }: ToolDefinition): ToolMetadata => ({
  name,
  description,
  parameters: typeof parameters === "object" ? parameters : { type: "object", properties: {} },
});

/** A value in LlamaIndex's form: plain data without `null`. */
function toJsonValue(value: unknown): JSONValue {
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value !== "object" || value === null) return resultText(value);
  const json = resultText(value);
  const plain = JSON.parse(json) as JSONValue | null;
  return holdsNull(plain) ? json : (plain as JSONValue);
}

const holdsNull = (value: unknown): boolean =>
  value === null || (typeof value === "object" && Object.values(value).some(holdsNull));
