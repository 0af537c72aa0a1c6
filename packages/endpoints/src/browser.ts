// The entry for browsers, workers and other runtimes: the runtime's own fetch, nothing of Node.js.
import type { TextModel } from "@toolingua/core";
import {
  type ChatEndpointOptions,
  type CompletionEndpointOptions,
  chatModel,
  completionEndpointModel,
} from "./models.js";
import { fetchTransport } from "./transport/fetch-transport.js";

export { EndpointError, type EndpointErrorCode, type EndpointErrorDetails } from "./errors.js";
export type { ChatEndpointOptions, CompletionEndpointOptions } from "./models.js";
export type { EndpointOptions, Retries, Timeouts } from "./options.js";

// Looked up at each request: it may be replaced, and must be called as a function of its own.
const transport = fetchTransport((...request) => globalThis.fetch(...request));

/** As in the entry for Node.js, over the runtime's own fetch. */
export const chatEndpoint = (options: ChatEndpointOptions): TextModel => chatModel(options, transport);

/** As in the entry for Node.js, over the runtime's own fetch. */
export const completionEndpoint = (options: CompletionEndpointOptions): TextModel =>
  completionEndpointModel(options, transport);
