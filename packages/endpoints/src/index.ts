// The entry for Node.js: connections are kept by undici. `browser.ts` is the one for everywhere else.
import type { TextModel } from "@toolingua/core";
import {
  type ChatEndpointOptions,
  type CompletionEndpointOptions,
  chatModel,
  completionEndpointModel,
} from "./models.js";
import { undiciTransport } from "./transport/undici-transport.js";

export { EndpointError, type EndpointErrorCode, type EndpointErrorDetails } from "./errors.js";
export type { ChatEndpointOptions, CompletionEndpointOptions } from "./models.js";
export type { EndpointOptions, Retries, Timeouts } from "./options.js";

/**
 * Any server with OpenAI's `/chat/completions` as a `TextModel`: vLLM, SGLang, llama.cpp, LM Studio, Ollama, hosted ones.
 * It is never told of tools, so its own parser never touches a reply.
 *
 * Thoughts that the server parts from the text (`reasoning_content`, `reasoning`) stay apart. Where the server does not
 * say what a reply cost, or the reply is not read to its end, `usage` is `estimated`. Leaving the loop or aborting ends the
 * request, and with it the server's work.
 *
 * Errors: `OptionsError` at once; at a call {@link EndpointError}, and the signal's reason where it is aborted.
 *
 * @example
 * const model = chatEndpoint({ baseURL: "http://localhost:11434/v1", model: "llama3.1:8b", backend: "ollama" });
 * const { toolCalls } = await generateWithTools({ model, messages, tools }).result();
 */
export const chatEndpoint = (options: ChatEndpointOptions): TextModel => chatModel(options, undiciTransport);

/**
 * Any server with OpenAI's `/completions` as a `TextModel`: the prompt is written here, as the model's chat format has it
 * (`format`, `template`, else by `model`). Every such server takes a prefill. Else as {@link chatEndpoint}.
 *
 * Errors: `OptionsError` and `ChatFormatError` at once; at a call {@link EndpointError}, `ChatFormatError` `refused`, and
 * the signal's reason where it is aborted.
 *
 * @example
 * const model = completionEndpoint({ baseURL: "http://localhost:8080/v1", model: "qwen2.5-7b", backend: "llama.cpp" });
 * const { toolCalls } = await generateWithTools({ model, messages, tools, protocol: "hermes" }).result();
 */
export const completionEndpoint = (options: CompletionEndpointOptions): TextModel =>
  completionEndpointModel(options, undiciTransport);
