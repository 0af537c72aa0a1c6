import { type FinishReason, readFinishReason, type Usage } from "@toolingua/core";
import { isObject, serverMessage } from "@toolingua/core/adapters";
import { EndpointError } from "../errors.js";

/** The content of one piece of an answer. */
export interface Delta {
  text: string;
  reasoning: string;
  /** The calls, or pieces of them, that the server parsed out of the reply. */
  calls?: readonly unknown[];
  usage?: Usage;
  finish?: FinishReason;
  /** Whether it has a choice, which may be empty: other JSON is not an answer of a model. */
  hasChoice: boolean;
  /** Whether the server reported the end of the reply, with or without a reason. */
  over: boolean;
  /** The failure that the server reports after this content. */
  failure?: EndpointError;
}

type Fields = Record<string, unknown>;

/**
 * Reads a chunk of a stream, or a whole answer, of chat or text completions. Reads the first of several choices.
 *
 * Its `failure` is an {@link EndpointError} `server-error` if the choice has one; `cut-off` if it reports that the server gave
 * up. Errors: `server-error` if the server reports one without a choice; `bad-stream` for JSON that is no object, and for
 * content that is no text.
 */
export function readDelta(payload: unknown): Delta {
  if (!isObject(payload)) throw new EndpointError("bad-stream", "The server sent JSON that is not an object.");
  if (isReported(payload.error)) throw serverError(payload);
  const delta: Delta = { text: "", reasoning: "", hasChoice: false, over: false };
  const usage = usageOf(payload);
  if (usage) delta.usage = usage;
  const choices = Array.isArray(payload.choices) ? payload.choices.filter(isObject) : [];
  const choice = choices.find(({ index }) => (index ?? 0) === 0);
  if (choice) readChoice(choice, delta);
  return delta;
}

function readChoice(choice: Fields, delta: Delta): void {
  // The last chunk of a stream may repeat the whole message beside an empty delta.
  const said = isObject(choice.delta) ? choice.delta : choice.message;
  const message = isObject(said) ? said : {};
  delta.hasChoice = isObject(said) || "text" in choice || isReported(choice.finish_reason);
  addContent(message.content ?? choice.text ?? message.refusal, delta);
  // Some versions of vLLM send the same reasoning under both names.
  const thought = message.reasoning_content ?? message.reasoning ?? message.thinking;
  if (typeof thought === "string") delta.reasoning += thought;
  if (Array.isArray(message.tool_calls)) delta.calls = message.tool_calls;
  // The name that `tool_calls` had before: one call.
  else if (isObject(message.function_call)) delta.calls = [{ function: message.function_call }];
  const reason = reasonOf(choice.finish_reason);
  if (isReported(choice.error)) delta.failure = serverError(choice);
  else if (reason === "abort" || reason === "error")
    delta.failure = new EndpointError("cut-off", `The server ended the reply by itself: finish_reason "${reason}".`);
  if (reason === undefined || delta.failure) return;
  const finish = readFinishReason({ finish_reason: reason });
  if (finish) delta.finish = finish;
  delta.over = true;
}

/** The finish reason. SGLang once sent an object: `{ type: "stop", matched: … }`. */
function reasonOf(value: unknown): string | undefined {
  const reason = isObject(value) ? value.type : value;
  return typeof reason === "string" && reason !== "" ? reason : undefined;
}

/** Adds text, or a list of parts: Mistral's models have reasoning among them. */
function addContent(content: unknown, delta: Delta): void {
  if (content === undefined || content === null) return;
  if (typeof content === "string") {
    delta.text += content;
    return;
  }
  if (!Array.isArray(content)) {
    const body = JSON.stringify(content);
    throw new EndpointError("bad-stream", `The content of the server's answer is no text: ${body.slice(0, 200)}`, {
      body,
    });
  }
  for (const part of content) {
    if (isObject(part) && part.type === "thinking") delta.reasoning += textOf(part.thinking);
    else delta.text += textOf(isObject(part) ? part.text : part);
  }
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.map((part) => (isObject(part) ? textOf(part.text) : textOf(part))).join("") : "";
}

const isReported = (error: unknown) => error !== undefined && error !== null && error !== false && error !== "";

function serverError(payload: Fields): EndpointError {
  const body = JSON.stringify(payload);
  return new EndpointError("server-error", `The server reported an error: ${serverMessage(payload) ?? body}`, { body });
}

const count = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;

/** The usage so far. Placeholder zeros are ignored. */
function usageOf({ usage, timings }: Fields): Usage | undefined {
  const { prompt_n, cache_n, predicted_n } = isObject(timings) ? timings : {};
  // Not all versions of llama.cpp count the tokens of the cache in `usage` too.
  const cached = count(cache_n);
  if (isObject(usage)) {
    const inputTokens = count(usage.prompt_tokens) ?? 0;
    const outputTokens = count(usage.completion_tokens) ?? 0;
    const read = isObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
    const written = isObject(usage.completion_tokens_details) ? usage.completion_tokens_details : {};
    if (inputTokens + outputTokens > 0)
      return {
        inputTokens,
        outputTokens,
        // DeepSeek has a name of its own.
        cacheReadTokens: count(read.cached_tokens) ?? count(usage.prompt_cache_hit_tokens) ?? cached,
        // OpenRouter's name.
        cacheWriteTokens: count(read.cache_write_tokens),
        reasoningTokens: count(written.reasoning_tokens),
      };
  }
  // llama.cpp reports usage with each piece, in fields of its own.
  const [read, written] = [count(prompt_n), count(predicted_n)];
  return read === undefined || written === undefined
    ? undefined
    : { inputTokens: read + (cached ?? 0), outputTokens: written, cacheReadTokens: cached };
}
