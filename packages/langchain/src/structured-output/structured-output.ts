import type { BaseLanguageModelInput, StructuredOutputMethodOptions } from "@langchain/core/language_models/base";
import type { BindToolsInput } from "@langchain/core/language_models/chat_models";
import { assembleStructuredOutputPipeline } from "@langchain/core/language_models/structured_output";
import type { AIMessageChunk, BaseMessage } from "@langchain/core/messages";
import type { Runnable, RunnableConfig } from "@langchain/core/runnables";
import { type JsonSchema, OptionsError, toJsonSchema } from "@toolingua/core";
import { isObject, nearestNames } from "@toolingua/core/adapters";
import type { ToolCallingCallOptions } from "../call-options.js";
import { checkStructuredOutput } from "../check-tool-calling-options.js";
import { toToolDefinitions } from "../tools/tools.js";
import { AnswerParser, type Output } from "./answer-parser.js";

/** LangChain's names. A text model is shown the schema in every case, so `jsonMode` equals `jsonSchema`. */
const METHODS: readonly string[] = ["functionCalling", "jsonSchema", "jsonMode"];

/** A model to bind a tool to. */
type ToolModel<C extends RunnableConfig> = Runnable<
  BaseLanguageModelInput,
  AIMessageChunk,
  ToolCallingCallOptions<C>
> & {
  bindTools(
    tools: BindToolsInput[],
    kwargs: Partial<ToolCallingCallOptions<C>>,
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, ToolCallingCallOptions<C>>;
};

/** The result of `withStructuredOutput`: the object, and with `includeRaw` the message as well. */
export type StructuredOutput =
  | Runnable<BaseLanguageModelInput, Output>
  | Runnable<BaseLanguageModelInput, { raw: BaseMessage; parsed: Output }>;

/**
 * A model that answers with an object. Under `functionCalling` the schema is bound as the only tool, and the model must call
 * it; JSON that matches the schema is accepted too, also with text around it. Under `jsonSchema` and `jsonMode` the prompt
 * shows the schema, and the answer is JSON; no tool is bound. Streams the partial object.
 *
 * Errors: `OptionsError` (`bad-option`) for an unknown `method` or a misspelt option.
 * Errors when run: `OutputParserException` if there is no such object.
 */
export function structuredOutput<C extends RunnableConfig>(
  model: ToolModel<C>,
  schema: Record<string, unknown>,
  config: StructuredOutputMethodOptions<boolean> = {},
): StructuredOutput {
  checkStructuredOutput(config);
  const { method = "functionCalling", includeRaw } = config;
  if (!METHODS.includes(method)) {
    const { meant: near } = nearestNames(method, METHODS);
    const meant = near === undefined ? "" : ` Did you mean "${near}"?`;
    throw new OptionsError(
      "bad-option",
      `\`method\` is ${METHODS.map((name) => `"${name}"`).join(", ")}, not ${JSON.stringify(method)}.${meant}`,
    );
  }
  const runName = includeRaw ? "StructuredOutputRunnable" : "StructuredOutput";
  const { tool, parameters, answer } = extractionTool(schema, config.name);
  const isCall = method === "functionCalling";
  const llm = model.bindTools(isCall ? [tool] : [], {
    ...(isCall && { tool_choice: { type: "tool", name: tool.name }, parallel_tool_calls: false }),
    ls_structured_output_format: { kwargs: { method }, schema: (isCall ? parameters : answer) as object },
  } as Partial<ToolCallingCallOptions<C>>);
  const parser = new AnswerParser({ schema, parameters, tool: isCall ? tool.name : undefined });
  return assembleStructuredOutputPipeline(llm, parser, includeRaw, runName);
}

/**
 * The schema as a tool, and as the schema of an answer. A function definition (`{ name, description, parameters }`) already is
 * a tool.
 */
function extractionTool(schema: Record<string, unknown>, name: string | undefined) {
  const isDefinition = isObject(schema) && typeof schema.name === "string" && typeof schema.parameters === "object";
  const parameters: JsonSchema = isDefinition ? (schema.parameters as JsonSchema) : toJsonSchema(schema);
  const { title, description } = (isDefinition ? schema : parameters) as { title?: unknown; description?: unknown };
  const own = isDefinition ? schema.name : title;
  const tool = {
    name: name ?? (typeof own === "string" && /^[\w-]+$/.test(own) ? own : "extract"),
    description: typeof description === "string" ? description : "Give the answer by calling this.",
    schema: parameters,
  };
  toToolDefinitions([tool]);
  const described = {
    ...(tool.name !== "extract" && { title: tool.name }),
    ...(typeof description === "string" && { description }),
  };
  return { tool, parameters, answer: { ...described, ...Object(parameters) } };
}
