import { AIMessageChunk, type BaseMessage, type UsageMetadata } from "@langchain/core/messages";
import { concat } from "@langchain/core/utils/stream";

type Fields = Record<string, unknown>;

/** The tokens that a message reports. */
export const usageOf = (message: BaseMessage | undefined): UsageMetadata | undefined =>
  (message as { usage_metadata?: UsageMetadata } | undefined)?.usage_metadata;

/** The fields for usage and metadata. (LangChain's type of `usage_metadata` is `never` under exactOptionalPropertyTypes.) */
export const endFields = (usage: UsageMetadata | undefined, metadata: Fields) => ({
  response_metadata: metadata,
  ...(usage && { usage_metadata: usage as never }),
});

/** What a message carries beside its content and its calls, for a message made of it. */
export const messageFields = (message: BaseMessage) => ({
  additional_kwargs: message.additional_kwargs,
  ...endFields(usageOf(message), message.response_metadata),
  ...(message.id !== undefined && { id: message.id }),
  ...(message.name !== undefined && { name: message.name }),
});

/** Metadata with that of the next piece: the last word counts, but each piece brings the `logprobs` of its own tokens. */
export function joinedMetadata(known: Fields, next: Fields): Fields {
  const { logprobs } = known;
  // Where a piece of one of several completions belongs, says ChatOpenAI; only streams have it.
  const { prompt: _, completion: __, ...told } = next;
  Object.assign(known, told);
  if (!logprobs) return known;
  const fresh = next.logprobs ? { logprobs: next.logprobs } : {};
  return Object.assign(known, merged({ logprobs }, fresh));
}

/** The `additional_kwargs` of the pieces so far and of the next, without what is told in other fields. */
export function joinedKwargs(known: Fields, next: Fields | undefined): Fields {
  const { reasoning_content: _, tool_calls: __, function_call: ___, ...rest } = next ?? {};
  return Object.keys(rest).length > 0 ? merged(known, rest) : known;
}

/** As LangChain puts pieces together. */
const merged = (known: Fields, next: Fields): Fields =>
  concat(
    new AIMessageChunk({ content: "", additional_kwargs: known }),
    new AIMessageChunk({ content: "", additional_kwargs: next }),
  ).additional_kwargs;

/** Tokens as they stand in `llmOutput`, where older tracers look for them. */
export const tokenUsageOf = (usage: UsageMetadata) => ({
  promptTokens: usage.input_tokens,
  completionTokens: usage.output_tokens,
  totalTokens: usage.total_tokens,
});

/** What the outputs of several requests say together. */
export function combinedOutput(outputs: readonly (Fields | undefined)[]): Fields {
  const tokenUsage: Record<string, number> = {};
  for (const output of outputs) {
    for (const [kind, count] of Object.entries((output?.tokenUsage ?? {}) as Record<string, number>)) {
      tokenUsage[kind] = (tokenUsage[kind] ?? 0) + count;
    }
  }
  return Object.keys(tokenUsage).length > 0 ? { tokenUsage } : {};
}
