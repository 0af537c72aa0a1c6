import type { BaseLanguageModelInput, StructuredOutputMethodOptions } from "@langchain/core/language_models/base";
import {
  assembleStructuredOutputPipeline,
  createContentParser,
  createFunctionCallingParser,
} from "@langchain/core/language_models/structured_output";
import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import { OutputParserException } from "@langchain/core/output_parsers";
import { JsonOutputKeyToolsParser } from "@langchain/core/output_parsers/openai_tools";
import type { ChatGeneration } from "@langchain/core/outputs";
import { type Runnable, type RunnableConfig, RunnableLambda } from "@langchain/core/runnables";
import { type JsonSchema, nearestNames, OptionsError, ToolChoiceError, toJsonSchema } from "@toolingua/core";
import { messageOf } from "./answer.js";
import type { ToolCallingChatModel } from "./tool-calling-chat-model.js";
import { toToolDefinitions } from "./tools.js";

/** LangChain's names. A JSON Schema is given to a text model as a tool, so `jsonSchema` is the same as `functionCalling`. */
const METHODS: readonly string[] = ["functionCalling", "jsonSchema", "jsonMode"];

type Output = Record<string, unknown>;

/** What `withStructuredOutput` gives back: the object, or with `includeRaw` the message as well. */
export type StructuredOutput =
  | Runnable<BaseLanguageModelInput, Output>
  | Runnable<BaseLanguageModelInput, { raw: BaseMessage; parsed: Output }>;

/**
 * A model that answers with an object: the schema is bound as the one tool, which must be called.
 *
 * `method: "jsonMode"` binds nothing and reads JSON from the text instead; the prompt has to ask for it.
 * Errors: `OptionsError` (`bad-option`) for a `method` that there is not.
 * Errors when run: `OutputParserException` when no call came or the object breaks a zod or Standard Schema.
 */
export function structuredOutput(
  model: ToolCallingChatModel,
  schema: Record<string, unknown>,
  config: StructuredOutputMethodOptions<boolean> = {},
): StructuredOutput {
  const { method = "functionCalling", includeRaw } = config;
  if (!METHODS.includes(method)) {
    const { meant: near } = nearestNames(method, METHODS);
    const meant = near === undefined ? "" : ` Did you mean "${near}"?`;
    throw new OptionsError(
      "bad-option",
      `\`method\` is ${METHODS.map((name) => `"${name}"`).join(", ")}, not ${JSON.stringify(method)}.${meant}`,
    );
  }
  if (method === "jsonMode") {
    return assembleStructuredOutputPipeline(model, createContentParser(schema), includeRaw, runName(includeRaw));
  }
  const { tool, parameters } = extractionTool(schema, config.name);
  const bound = model.bindTools([tool], {
    tool_choice: { type: "tool", name: tool.name },
    parallel_tool_calls: false,
    ls_structured_output_format: { kwargs: { method: "functionCalling" }, schema: parameters as object },
  });
  const parser = createFunctionCallingParser<Output>(schema, tool.name, RequiredCallParser);
  const llm = includeRaw ? RunnableLambda.from(orWhatItSaid(bound)) : bound;
  return assembleStructuredOutputPipeline(llm, parser, includeRaw, runName(includeRaw));
}

const runName = (includeRaw: boolean | undefined) => (includeRaw ? "StructuredOutputRunnable" : "StructuredOutput");

/** With `includeRaw` a model that makes no call is no error: what it said is the raw message. */
const orWhatItSaid =
  (model: Runnable<BaseLanguageModelInput, BaseMessage>) =>
  async (input: BaseLanguageModelInput, config?: RunnableConfig): Promise<BaseMessage> => {
    try {
      return await model.invoke(input, config);
    } catch (error) {
      if (error instanceof ToolChoiceError) return messageOf(error);
      throw error;
    }
  };

/** The schema as a tool. A function definition (`{ name, description, parameters }`) is one already. */
function extractionTool(schema: Record<string, unknown>, name: string | undefined) {
  const isDefinition = typeof schema.name === "string" && typeof schema.parameters === "object";
  const parameters: JsonSchema = isDefinition ? (schema.parameters as JsonSchema) : toJsonSchema(schema);
  const { title, description } = (isDefinition ? schema : parameters) as { title?: unknown; description?: unknown };
  const own = isDefinition ? schema.name : title;
  const tool = {
    name: name ?? (typeof own === "string" && /^[\w-]+$/.test(own) ? own : "extract"),
    description: typeof description === "string" ? description : "Give the answer by calling this.",
    schema: parameters,
  };
  toToolDefinitions([tool]);
  return { tool, parameters };
}

/** LangChain's parser gives `undefined` where the model made no call; here that is an error that says what came instead. */
class RequiredCallParser extends JsonOutputKeyToolsParser<Output> {
  override async parseResult(generations: ChatGeneration[]): Promise<Output> {
    const result: Output | undefined = await super.parseResult(generations);
    if (result !== undefined) return result;
    const message = generations[0]?.message as AIMessage | undefined;
    const wrong = message?.invalid_tool_calls?.map((call) => call.error).join("; ");
    const said = message?.text ?? "";
    throw new OutputParserException(
      `The model did not call "${this.keyName}", which is how it is to answer. ${wrong || `It said: ${said || "nothing"}`}`,
      said,
    );
  }
}
