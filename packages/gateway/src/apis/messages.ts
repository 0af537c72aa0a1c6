import { anthropic } from "@toolingua/core/providers";
import { z } from "zod";
import { anthropicError } from "./anthropic-errors.js";
import type { Api, TurnRequest } from "./api.js";
import { answerSchemaOf, newId } from "./api.js";
import { MessagesWriter } from "./messages-writer.js";
import { fieldsOf } from "./passed-fields.js";
import {
  answerType,
  count,
  jsonSchema,
  messageList,
  named,
  readConversation,
  readSettings,
  sharedSettings,
} from "./settings.js";
import { refuseMessagesTools } from "./tool-types.js";

// Anthropic's Messages: https://docs.anthropic.com/en/api/messages

const format = z.looseObject({ type: answerType, schema: jsonSchema }).nullish();

const settings = z.looseObject({
  ...sharedSettings,
  messages: messageList,
  max_tokens: count,
  stop_sequences: z.array(z.string()).nullish(),
  system: z.union([z.string(), z.array(z.unknown())], { error: "must be a string or a list of text blocks" }).nullish(),
  tool_choice: z.looseObject({ type: z.string(), disable_parallel_tool_use: z.boolean().nullish() }).nullish(),
  thinking: z.looseObject({ type: z.string() }).nullish(),
  output_format: format,
  output_config: named({ format }).nullish(),
});

/** Messages. Unknown fields and beta headers are ignored, except misspellings of known fields. */
export const messagesApi: Api = {
  name: "messages",
  answerSchemas: [
    ["output_config", "format", "schema"],
    ["output_format", "schema"],
  ],
  error: anthropicError,
  read(body, { sees }) {
    const asked = readSettings("messages", settings, body, ["tools"]);
    const system = withoutBilling(asked.system ?? undefined);
    refuseMessagesTools(asked.tools);
    const { value: conversation } = readConversation(anthropic, { ...asked, system }, sees(asked.model));
    const request: Omit<TurnRequest, "writer"> = {
      model: asked.model,
      stream: asked.stream === true,
      conversation,
      options: {
        maxTokens: asked.max_tokens ?? undefined,
        temperature: asked.temperature ?? undefined,
        stop: asked.stop_sequences ?? undefined,
        fields: fieldsOf({ top_p: asked.top_p, top_k: asked.top_k }),
        parallel: asked.tool_choice?.disable_parallel_tool_use ? false : undefined,
        answerSchema: answerSchemaOf(asked.output_config?.format ?? asked.output_format, "output_config.format.schema"),
        generateId: () => newId("toolu_"),
      },
      hasForbidden: false,
      // Clients that did not ask for thinking may not know thinking blocks.
      reasoning: asked.thinking?.type === "enabled" || asked.thinking?.type === "adaptive",
      choices: 1,
    };
    return { ...request, writer: () => new MessagesWriter(asked.model) };
  },
};

/**
 * Removes the billing line that Claude Code puts before its system text. It changes with each request, so no prefix
 * cache could match after it.
 */
function withoutBilling(system: string | unknown[] | undefined): string | unknown[] | undefined {
  if (!Array.isArray(system)) return system;
  const [first] = system as { text?: unknown }[];
  const isBilling = typeof first?.text === "string" && first.text.startsWith("x-anthropic-billing-header:");
  return isBilling ? system.slice(1) : system;
}
