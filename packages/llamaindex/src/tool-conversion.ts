import type { JSONValue } from "@llamaindex/core/global";
import type { BaseTool, BaseToolWithCall, ToolMetadata } from "@llamaindex/core/llms";
import {
  explainInvalidArguments,
  normalizeTools,
  type Tool,
  type ToolDefinition,
  validateValue,
} from "@toolingua/core";
import { callRecord, recordCall } from "./calls.js";
import { resultText } from "./messages.js";
import { toToolDefinitions } from "./tools.js";

/** An object that lists tools: a `ToolSpec` of `@toolingua/tools`. */
export interface ToolList {
  toToolList(): readonly Tool[];
}

/** LlamaIndex's tools that were made of core's. */
const origins = new WeakMap<object, Tool>();

/** Whether a tool's result is the answer. */
export const isAnswerTool = (tool: BaseTool): boolean => origins.get(tool)?.resultAsAnswer ?? false;

/**
 * Tools as LlamaIndex's, for `agent`, `multiAgent`, `exec` and `LLMAgent`. An `Error` given back is a failed call, of which
 * the model is told; nothing, and an object with `null` in it, for which LlamaIndex has no form, arrive as text.
 * `resultAsAnswer` holds with the models of `withToolCalling`: the agent's run ends with the result.
 *
 * Errors: `ToolDefinitionError` (`missing-name`, `duplicate-name`, `parameters-not-object`, `invalid-schema`).
 *
 * @example agent({ llm, tools: toLlamaIndexTools([add, search]) });
 */
export function toLlamaIndexTools(tools: readonly Tool[] | ToolList): BaseToolWithCall[] {
  const list = "toToolList" in tools ? tools.toToolList() : tools;
  const definitions = normalizeTools(list);
  return list.map((tool, i) => {
    const made: BaseToolWithCall = {
      metadata: metadataOf(definitions[i]!),
      async call(input: Record<string, unknown>) {
        const result = await tool.execute(input, { toolCallId: callRecord(input).id ?? "" });
        // LlamaIndex knows a failure by its being thrown.
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
 * LlamaIndex's tools as the core's, for `generateWithTools` and whatever else takes those. Arguments that do not fit are
 * refused, where LlamaIndex only warns and runs the tool. What a tool throws is given back, since LlamaIndex's agents, too,
 * tell the model of it and go on.
 *
 * Errors: as `toLlamaIndexTools`.
 *
 * @example const [weather] = fromLlamaIndexTools([FunctionTool.from(forecast, { name: "weather", description, parameters })]);
 */
export function fromLlamaIndexTools(tools: readonly BaseTool[]): Tool[] {
  const definitions = toToolDefinitions(tools);
  return tools.map((tool, i) => {
    const { name, parameters } = definitions[i]!;
    return {
      ...definitions[i]!,
      ...(isAnswerTool(tool) && { resultAsAnswer: true }),
      async execute(args, { toolCallId }) {
        const issues = validateValue(args, parameters);
        if (issues.length > 0) {
          return new Error(explainInvalidArguments({ name, arguments: args, issues, schema: parameters }).feedback);
        }
        if (!tool.call) return new Error(`The tool "${name}" has no implementation here.`);
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

const metadataOf = ({ name, description = "", parameters }: ToolDefinition): ToolMetadata => ({
  name,
  description,
  parameters: typeof parameters === "object" ? parameters : { type: "object", properties: {} },
});

/** As LlamaIndex takes a value: plain, and without `null`. */
function toJsonValue(value: unknown): JSONValue {
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value !== "object" || value === null) return resultText(value);
  const json = resultText(value);
  const plain = JSON.parse(json) as JSONValue | null;
  return holdsNull(plain) ? json : (plain as JSONValue);
}

const holdsNull = (value: unknown): boolean =>
  value === null || (typeof value === "object" && Object.values(value).some(holdsNull));
