import { openai } from "@toolingua/core/providers";
import { z } from "zod";
import { type Api, allowsSome, answerSchemaOf, customTools, type TurnRequest } from "./api.js";
import { ChatWriter } from "./chat-writer.js";
import { openaiError } from "./openai-errors.js";
import { fieldsOf, isThinkingOff, passedFields } from "./passed-fields.js";
import {
  answerType,
  count,
  jsonSchema,
  messageList,
  named,
  openaiSettings,
  readConversation,
  readSettings,
} from "./settings.js";
import { refuseChatTools, refuseFunctions } from "./tool-types.js";

// OpenAI's Chat Completions: https://platform.openai.com/docs/api-reference/chat/create

const settings = z.looseObject({
  ...openaiSettings,
  messages: messageList,
  n: count,
  max_tokens: count,
  max_completion_tokens: count,
  seed: z.int().nullish(),
  stop: z.union([z.string(), z.array(z.string())], { error: "must be a string or a list of strings" }).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  stream_options: named({ include_usage: z.boolean().nullish() }).nullish(),
  response_format: z
    .looseObject({ type: answerType, json_schema: z.looseObject({ schema: jsonSchema }).optional() })
    .nullish(),
});

const toolFields = ["tools", "tool_choice", "functions", "function_call"];

/** Chat Completions, including the deprecated `functions`. */
export const chatApi: Api = {
  name: "chat",
  answerSchemas: [["response_format", "json_schema", "schema"]],
  error: openaiError,
  read(body, { sees }) {
    const asked = readSettings("chat", settings, body, [...toolFields, ...passedFields]);
    refuseChatTools(asked.tools);
    refuseFunctions(asked.functions);
    const { value: conversation } = readConversation(openai, asked, sees(asked.model));
    const format = asked.response_format;
    const isDeprecated = asked.functions != null && asked.tools == null;
    const request: Omit<TurnRequest, "writer"> = {
      model: asked.model,
      stream: asked.stream === true,
      conversation,
      options: {
        maxTokens: asked.max_completion_tokens ?? asked.max_tokens ?? undefined,
        temperature: asked.temperature ?? undefined,
        seed: asked.seed ?? undefined,
        stop: typeof asked.stop === "string" ? [asked.stop] : (asked.stop ?? undefined),
        fields: fieldsOf(asked),
        ...(isThinkingOff(asked.chat_template_kwargs) && { startWithReasoning: false }),
        // In the deprecated form, a message has a single call.
        parallel: isDeprecated ? false : (asked.parallel_tool_calls ?? undefined),
        answerSchema: answerSchemaOf(
          format && { type: format.type, schema: format.json_schema?.schema },
          "response_format.json_schema.schema",
        ),
      },
      hasForbidden: allowsSome(asked.tool_choice),
      reasoning: true,
      choices: asked.n ?? 1,
    };
    return {
      ...request,
      writer: () =>
        new ChatWriter({
          model: asked.model,
          isDeprecated,
          custom: customTools(asked.tools),
          withUsage: asked.stream_options?.include_usage === true,
        }),
    };
  },
};
