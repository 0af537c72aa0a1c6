import { checkArgument } from "../../check-argument.js";
import { isObject } from "../../common/plain-object.js";
import type { FinishReason } from "../../types.js";

/** Providers' values for a reply that reached the token limit. */
const LENGTH = new Set(["length", "max_tokens", "max_output_tokens", "model_length"]);

/** Those for one that a content filter ended: of OpenAI; the AI SDK; Anthropic; Amazon; Cohere; Google. */
const FILTER = new Set([
  ...["content_filter", "content-filter", "refusal", "content_filtered", "guardrail_intervened", "error_toxic"],
  ...["safety", "recitation", "language", "blocklist", "prohibited_content", "spii", "model_armor"],
  ...["image_safety", "image_prohibited_content", "image_recitation"],
]);

/**
 * Reads why a model stopped from its provider's fields: `finish_reason` (OpenAI, Mistral), `stop_reason` (Anthropic),
 * `finishReason` (Google, Cohere), `stopReason` (Amazon, at the end of a stream in `messageStop`), `done_reason`
 * (Ollama), or `incomplete_details` (OpenAI's Responses). Returns `undefined` if none of them is present.
 *
 * @example readFinishReason({ stop_reason: "max_tokens" }); // "length"
 */
export function readFinishReason(fields: Readonly<Record<string, unknown>>): FinishReason | undefined {
  checkArgument("fields", "object", fields);
  const { messageStop, incomplete_details: incomplete, ...said } = fields;
  const reason =
    said.finish_reason ??
    said.stop_reason ??
    said.finishReason ??
    said.stopReason ??
    said.done_reason ??
    (isObject(messageStop) ? messageStop.stopReason : undefined) ??
    (isObject(incomplete) ? incomplete.reason : undefined);
  if (typeof reason !== "string") return undefined;
  const written = reason.toLowerCase();
  if (LENGTH.has(written)) return "length";
  return FILTER.has(written) ? "content-filter" : "stop";
}
