import { ToolinguaError } from "@toolingua/core";

/**
 * Reasons for a failed request.
 *
 * - `connect`: the server is unreachable (refused, no such host, TLS); `connect-timeout`: no connection in time.
 * - `api-key`: the function that returns the key threw; its error is the `cause`. Nothing was sent.
 * - `http`: the server answered with an error status; see `status` and `body`.
 * - `server-error`: the server reported an error within its stream, or in an answer with a success status; see `body`.
 * - `idle-timeout`: nothing arrived for too long; `timeout`: the whole call took too long.
 * - `cut-off`: the stream ended before the reply was complete.
 * - `bad-stream`: the answer is not that of a chat or completion endpoint; `body` shows its beginning.
 * - `unsupported`: the server cannot do what the request asks for, such as a grammar. Nothing was sent.
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

/** Details of a failure. */
export interface EndpointErrorDetails {
  status?: number | undefined;
  body?: string | undefined;
  retryAfterMs?: number | undefined;
  partialText?: string | undefined;
  cause?: unknown;
}

/**
 * A failed request to an endpoint. It never contains API keys, even if the server's answer repeats them.
 *
 * @example
 * try { for await (const chunk of model(request)) show(chunk); }
 * catch (error) { if (error instanceof EndpointError && error.code === "cut-off") keep(error.partialText); }
 */
export class EndpointError extends ToolinguaError {
  static override readonly name: string = "EndpointError";

  declare readonly code: EndpointErrorCode;
  /** The HTTP status of the answer. */
  declare readonly status?: number;
  /** The body of the server's answer, at most the first 64 KB. */
  declare readonly body?: string;
  /** The wait that the server asks for before the next request, in ms. */
  declare readonly retryAfterMs?: number;
  /** The text of the reply before the failure. */
  declare readonly partialText?: string;

  constructor(code: EndpointErrorCode, message: string, details: EndpointErrorDetails = {}) {
    super(code, message, details.cause === undefined ? undefined : { cause: details.cause });
    if (details.status !== undefined) this.status = details.status;
    if (details.body !== undefined) this.body = details.body;
    if (details.retryAfterMs !== undefined) this.retryAfterMs = details.retryAfterMs;
    if (details.partialText !== undefined) this.partialText = details.partialText;
  }

  /** A copy of the error, with the text that preceded it. */
  after(partialText: string): EndpointError {
    const { code, message, status, body, retryAfterMs, cause } = this;
    return new EndpointError(code, message, { status, body, retryAfterMs, cause, partialText });
  }
}
