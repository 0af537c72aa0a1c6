import { ToolMessage } from "@langchain/core/messages";
import {
  type DynamicStructuredTool,
  type Tool as StringTool,
  type StructuredToolInterface,
  tool as toLangChainTool,
} from "@langchain/core/tools";
import { type JsonSchema, type Tool, ToolDefinitionError, type ToolExecutionContext } from "@toolingua/core";
import { executableTools, type ToolList } from "@toolingua/core/adapters";
import { toToolDefinitions } from "./tools.js";

/**
 * Converts the core's tools to LangChain's, for `createAgent`, `ToolNode` and `bindTools`. They get the call's id and
 * signal; runs that they start are children of their run in a trace. `resultAsAnswer` becomes `returnDirect`; a
 * returned `Error` becomes a tool message with the status `error`, after which the agent continues.
 *
 * Errors: those of {@link toToolDefinitions}; `ToolDefinitionError` (`missing-execute`) for a tool without a function.
 *
 * @example createAgent({ model, tools: toLangChainTools([add, search]) });
 */
export function toLangChainTools(tools: readonly Tool[] | ToolList): DynamicStructuredTool<Record<string, unknown>>[] {
  const list = executableTools(tools);
  const definitions = toToolDefinitions(list);
  return list.map((tool, i) => {
    const { name, description, parameters = noParameters } = definitions[i]!;
    return toLangChainTool(
      async (args: unknown, { toolCall, signal }: CallConfig) => {
        const toolCallId = toolCall?.id ?? "";
        const result = await tool.execute(args as Record<string, unknown>, {
          toolCallId,
          ...(signal && { signal }),
        });
        if (result instanceof Error) return failed(result, name, toolCallId);
        // LangChain would create a message without content, which no model accepts.
        return result ?? "";
      },
      {
        name,
        description: description ?? "",
        // LangChain's validation modifies the schema, which may be shared or frozen.
        schema: structuredClone(parameters) as Record<string, unknown>,
        returnDirect: tool.resultAsAnswer ?? false,
      },
    ) as DynamicStructuredTool<Record<string, unknown>>;
  });
}

interface CallConfig {
  toolCall?: { id?: string | undefined } | undefined;
  signal?: AbortSignal | undefined;
}

const noParameters: JsonSchema = { type: "object", properties: {} };

function failed(error: Error, name: string, toolCallId: string): ToolMessage | string {
  // An interrupt of LangGraph is not a failure of the tool that calls it.
  const { cause } = error as { cause?: { is_bubble_up?: unknown } | undefined };
  if (cause?.is_bubble_up === true) throw cause;
  if (toolCallId === "") return error.message;
  return new ToolMessage({ content: error.message, name, tool_call_id: toolCallId, status: "error" });
}

/**
 * Converts LangChain's tools to the core's, for `generateWithTools` and similar functions. The result is the text of
 * the tool's message; a message with the status `error` is returned as an `Error`.
 *
 * Errors: as `toLangChainTools`, and `built-in-tool`. `execute` throws the errors of the LangChain tool.
 *
 * @example const [search] = fromLangChainTools([new WikipediaQueryRun()]);
 */
export function fromLangChainTools(tools: readonly (StructuredToolInterface | StringTool)[]): Tool[] {
  const definitions = toToolDefinitions(tools);
  const bare = definitions.find((_, i) => typeof tools[i]?.invoke !== "function");
  if (bare) {
    const message = `The tool "${bare.name}" has no function \`invoke\`: it is only a definition.`;
    throw new ToolDefinitionError("missing-execute", bare.name, message);
  }
  return tools.map((tool, i) => ({
    ...definitions[i]!,
    ...("returnDirect" in tool && tool.returnDirect === true && { resultAsAnswer: true }),
    async execute(args, { toolCallId = "", signal }: Partial<ToolExecutionContext> = {}) {
      const call = { type: "tool_call" as const, id: toolCallId, name: tool.name, args };
      const result: unknown = await tool.invoke(call, signal && { signal });
      if (!ToolMessage.isInstance(result)) return result;
      if (result.status === "error") return new Error(result.text);
      return result.content;
    },
  }));
}
