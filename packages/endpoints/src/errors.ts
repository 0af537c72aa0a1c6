import { ToolinguaError } from "@toolingua/core";

/**
 * What went wrong between here and the server.
 *
 * - `connect`: the server could not be reached (refused, no such host, TLS); `connect-timeout`: not in time.
 * - `api-key`: the function that gives the key threw; its error is the `cause`. Nothing was sent.
 * - `http`: it answered with an error; `status` and `body`.
 * - `server-error`: it reported an error in the middle of its stream, or in an answer that began as a success; `body`.
 * - `idle-timeout`: nothing came for too long; `timeout`: the whole call took too long.
 * - `cut-off`: the stream ended before the reply was complete.
 * - `bad-stream`: what came is no answer of a chat or completion endpoint; `body` shows where it begins.
 * - `unsupported`: the request asks for something that this server cannot do, such as a grammar. Nothing was sent.
 */
export type EndpointErrorCode =
  | "connect"
  | "connect-timeout"
  | "api-key"
  | "http"
  | "server-error"
  | "idle-timeout"
  | "timeout"
  | "cut-off"
  | "bad-stream"
  | "unsupported";

/** What is known of a failure. */
export interface EndpointErrorDetails {
  status?: number | undefined;
  body?: string | undefined;
  retryAfter?: number | undefined;
  partialText?: string | undefined;
  cause?: unknown;
}

/**
 * A request to an endpoint that failed. API keys never appear in it, also where the server repeats them.
 *
 * @example
 * try { for await (const chunk of model(request)) show(chunk); }
 * catch (error) { if (error instanceof EndpointError && error.code === "cut-off") keep(error.partialText); }
 */
export class EndpointError extends ToolinguaError {
  declare readonly code: EndpointErrorCode;
  /** The HTTP status of the answer. */
  declare readonly status?: number;
  /** The server's own words, at most the first 64 KB. */
  declare readonly body?: string;
  /** How long the server asks to wait before the next request, in ms. */
  declare readonly retryAfter?: number;
  /** The text of the reply that came before the failure. */
  declare readonly partialText?: string;

  constructor(code: EndpointErrorCode, message: string, details: EndpointErrorDetails = {}) {
    super(code, message, details.cause === undefined ? undefined : { cause: details.cause });
    if (details.status !== undefined) this.status = details.status;
    if (details.body !== undefined) this.body = details.body;
    if (details.retryAfter !== undefined) this.retryAfter = details.retryAfter;
    if (details.partialText !== undefined) this.partialText = details.partialText;
  }

  /** The same error, with the text that came before it. */
  after(partialText: string): EndpointError {
    const { code, message, status, body, retryAfter, cause } = this;
    return new EndpointError(code, message, { status, body, retryAfter, cause, partialText });
  }
}
