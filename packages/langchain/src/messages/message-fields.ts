import { AIMessageChunk, type BaseMessage, type UsageMetadata } from "@langchain/core/messages";
import { concat } from "@langchain/core/utils/stream";

type Fields = Record<string, unknown>;

/** The tokens that a message reports. */
export const usageOf = (message: BaseMessage | undefined): UsageMetadata | undefined =>
  (message as { usage_metadata?: UsageMetadata } | undefined)?.usage_metadata;

/**
 * The fields for usage and metadata. (LangChain's type of `usage_metadata` is `never` under
 * exactOptionalPropertyTypes.)
 */
export const endFields = (usage: UsageMetadata | undefined, metadata: Fields) => ({
  response_metadata: metadata,
  ...(usage && { usage_metadata: usage as never }),
});

/** The fields of a message except content and calls, for a message derived from it. */
export const messageFields = (message: BaseMessage) => ({
  additional_kwargs: message.additional_kwargs,
  ...endFields(usageOf(message), message.response_metadata),
  ...(message.id !== undefined && { id: message.id }),
  ...(message.name !== undefined && { name: message.name }),
});

/** Metadata merged with that of the next piece: the last value wins, except that `logprobs` are concatenated. */
export function joinedMetadata(known: Fields, next: Fields): Fields {
  const { logprobs } = known;
  // ChatOpenAI adds these indices of the completion, only in streams.
  const { prompt: _, completion: __, ...told } = next;
  Object.assign(known, told);
  if (!logprobs) return known;
  const fresh = next.logprobs ? { logprobs: next.logprobs } : {};
  return Object.assign(known, merged({ logprobs }, fresh));
}

/** The merged `additional_kwargs` of the pieces so far and of the next, without fields reported elsewhere. */
export function joinedKwargs(known: Fields, next: Fields | undefined): Fields {
  const { reasoning_content: _, tool_calls: __, function_call: ___, ...rest } = next ?? {};
  return Object.keys(rest).length > 0 ? merged(known, rest) : known;
}

/** Merges pieces in the same way as LangChain. */
const merged = (known: Fields, next: Fields): Fields =>
  concat(
    new AIMessageChunk({ content: "", additional_kwargs: known }),
    new AIMessageChunk({ content: "", additional_kwargs: next }),
  ).additional_kwargs;

/** Token counts as in `llmOutput`, where older tracers read them. */
export const tokenUsageOf = (usage: UsageMetadata) => ({
  promptTokens: usage.input_tokens,
  completionTokens: usage.output_tokens,
  totalTokens: usage.total_tokens,
});

/** The combined outputs of several requests. */
export function combinedOutput(outputs: readonly (Fields | undefined)[]): Fields {
  const tokenUsage: Record<string, number> = {};
  for (const output of outputs) {
    for (const [kind, count] of Object.entries((output?.tokenUsage ?? {}) as Record<string, number>)) {
      tokenUsage[kind] = (tokenUsage[kind] ?? 0) + count;
    }
  }
  return Object.keys(tokenUsage).length > 0 ? { tokenUsage } : {};
}
