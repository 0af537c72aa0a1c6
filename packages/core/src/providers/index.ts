import type { SchemaInput } from "../schema/to-json-schema.js";
import { anthropic } from "./anthropic/anthropic.js";
import { providerNameAt } from "./common/expect.js";
import type { Converted, ProviderName } from "./common/types.js";
import { gemini } from "./gemini/gemini.js";
import { openai } from "./openai/openai.js";
import { openaiFunctions } from "./openai/openai-functions.js";
import { openaiResponses } from "./openai/openai-responses.js";

export * from "./anthropic/anthropic.js";
export type * from "./anthropic/anthropic-messages.js";
export {
  conversationFromJson,
  conversationFromYaml,
  conversationToJson,
  conversationToYaml,
} from "./common/conversation-log.js";
export { ProviderFormatError } from "./common/expect.js";
export type { GivenMessage, GivenPart } from "./common/given.js";
export type { ObjectSchema } from "./common/parameters.js";
export {
  type ArgumentIssue,
  parseToolCallArguments,
  ToolArgumentsError,
  validateArguments,
} from "./common/tool-arguments.js";
export type {
  Conversation,
  Converted,
  Given,
  GivenConversation,
  GivenTool,
  Loss,
  ProviderFormat,
  ProviderName,
  ProviderShapes,
  ReadOptions,
  ReadReply,
  ReadRequestOptions,
  ReadResultsOptions,
  WriteOptions,
} from "./common/types.js";
export * from "./gemini/gemini.js";
export type { GeminiSchema, GeminiType } from "./gemini/gemini-schema.js";
export type {
  GivenOpenAIRequest,
  GivenOpenAIResponse,
  OpenAIFunction,
  OpenAIImagePart,
  OpenAIMessage,
  OpenAIRequest,
  OpenAITool,
  OpenAIToolCall,
  OpenAIToolChoice,
  OpenAIToolMessage,
  OpenAIUserContent,
} from "./openai/openai.js";
export { openai } from "./openai/openai.js";
export * from "./openai/openai-functions.js";
export * from "./openai/openai-responses.js";

/**
 * The provider formats by name.
 *
 * @example providers["openai-responses"].toToolChoice({ name: "now" }).value; // { type: "function", name: "now" }
 */
export const providers: {
  openai: typeof openai;
  "openai-functions": typeof openaiFunctions;
  "openai-responses": typeof openaiResponses;
  anthropic: typeof anthropic;
  gemini: typeof gemini;
} = {
  openai,
  "openai-functions": openaiFunctions,
  "openai-responses": openaiResponses,
  anthropic,
  gemini,
};

/**
 * The schema of a tool's parameters in a provider's format, and the losses.
 *
 * Errors: `ProviderFormatError` for an unknown provider, `SchemaError` for an invalid schema.
 *
 * @example
 * formatJsonSchemaForProvider({ type: "object", properties: { n: { type: "integer", multipleOf: 5 } } }, "gemini");
 * // { value: { type: "OBJECT", properties: { n: { type: "INTEGER" } } },
 * //   losses: [{ path: "/properties/n/multipleOf", what: "multipleOf", why: "Gemini's schemas do not have this keyword" }] }
 */
export function formatJsonSchemaForProvider<Name extends ProviderName>(
  schema: SchemaInput,
  provider: Name,
): ReturnType<(typeof providers)[Name]["formatSchema"]> {
  const { formatSchema }: { formatSchema(schema: SchemaInput): Converted<unknown> } =
    providers[providerNameAt(provider)];
  return formatSchema(schema) as ReturnType<(typeof providers)[Name]["formatSchema"]>;
}
