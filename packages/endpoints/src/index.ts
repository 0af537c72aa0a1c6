// The entry for Node.js, with undici's connection pool. `browser.ts` is the entry for all other runtimes.
import type { TextModel } from "@toolingua/core";
import {
  type ChatEndpointOptions,
  type CompletionEndpointOptions,
  chatModel,
  completionEndpointModel,
} from "./models.js";
import { undiciTransport } from "./transport/undici-transport.js";

export { turnOptionsFor } from "./backends.js";
export { EndpointError, type EndpointErrorCode, type EndpointErrorDetails } from "./errors.js";
export type { ChatEndpointOptions, CompletionEndpointOptions } from "./models.js";
export { type EndpointOptions, type Retries, type Timeouts, whyReserved } from "./options.js";

/**
 * Any server with OpenAI's `/chat/completions` as a `TextModel`: vLLM, SGLang, llama.cpp, LM Studio, Ollama, hosted
 * ones. The server receives no tools, so its own parser never touches a reply.
 *
 * Reasoning that the server separates from the text (`reasoning_content`, `reasoning`) stays separate. `usage` is
 * `estimated` if the server reports none or the reply is not read to its end. Leaving the loop or aborting ends the
 * request, and so the server's work. `abilities` of the model say what a server of this `backend` can do, and a turn uses them.
 *
 * Errors: `OptionsError` at once; during a call {@link EndpointError}, and the signal's reason if it is aborted.
 *
 * @example
 * const model = chatEndpoint({ baseURL: "http://localhost:11434/v1", model: "llama3.1:8b", backend: "ollama" });
 * const { toolCalls } = await generateWithTools({ model, messages, tools }).result();
 */
export const chatEndpoint = (options: ChatEndpointOptions): TextModel => chatModel(options, undiciTransport);

/**
 * Any server with OpenAI's `/completions` as a `TextModel`: the endpoint writes the prompt in the model's chat format
 * (`format`, `template`, else by `model`). Every such server accepts a prefill. Otherwise as {@link chatEndpoint}.
 *
 * Errors: `OptionsError` and `ChatFormatError` at once; during a call {@link EndpointError}, `ChatFormatError`
 * `refused`, and the signal's reason if it is aborted.
 *
 * @example
 * const model = completionEndpoint({ baseURL: "http://localhost:8080/v1", model: "qwen2.5-7b", backend: "llama.cpp" });
 * const { toolCalls } = await generateWithTools({ model, messages, tools, protocol: "hermes" }).result();
 */
export const completionEndpoint = (options: CompletionEndpointOptions): TextModel =>
  completionEndpointModel(options, undiciTransport);
