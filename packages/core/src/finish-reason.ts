import { isObject } from "./plain-object.js";
import type { FinishReason } from "./types.js";

/** Providers' words for "the token limit was met". */
const LENGTH = new Set(["length", "max_tokens", "max_output_tokens", "model_length"]);

/**
 * Why a model ended, by what its provider says of the reply: `finish_reason` (OpenAI, Mistral), `stop_reason` (Anthropic),
 * `finishReason` (Google, Cohere), `stopReason` (Amazon, at the end of a stream in `messageStop`), `done_reason` (Ollama), or
 * `incomplete_details` (OpenAI's Responses). `undefined` where nothing is said.
 *
 * @example readFinishReason({ stop_reason: "max_tokens" }); // "length"
 */
export function readFinishReason(fields: Readonly<Record<string, unknown>>): FinishReason | undefined {
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
  return LENGTH.has(reason.toLowerCase()) ? "length" : "stop";
}
