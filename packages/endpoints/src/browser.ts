// The entry for browsers, workers and other runtimes. It uses the runtime's own fetch and nothing from Node.js.
import type { TextModel } from "@toolingua/core";
import {
  type ChatEndpointOptions,
  type CompletionEndpointOptions,
  chatModel,
  completionEndpointModel,
} from "./models.js";
import { fetchTransport } from "./transport/fetch-transport.js";

export { turnOptionsFor } from "./backends.js";
export { EndpointError, type EndpointErrorCode, type EndpointErrorDetails } from "./errors.js";
export type { ChatEndpointOptions, CompletionEndpointOptions } from "./models.js";
export { type EndpointOptions, type Retries, type Timeouts, whyReserved } from "./options.js";

// Looked up at each request, because it may be replaced, and called without a receiver.
const transport = fetchTransport((...request) => globalThis.fetch(...request));

/** `chatEndpoint` of the Node.js entry, over the runtime's own fetch. */
export const chatEndpoint = (options: ChatEndpointOptions): TextModel => chatModel(options, transport);

/** `completionEndpoint` of the Node.js entry, over the runtime's own fetch. */
export const completionEndpoint = (options: CompletionEndpointOptions): TextModel =>
  completionEndpointModel(options, transport);
