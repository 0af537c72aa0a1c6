import { ToolinguaError } from "@toolingua/core";
import { CallFailure } from "@toolingua/core/adapters";

/**
 * An unusable document, or an unusable part of one.
 * Codes: `unreadable` (no such file or page, or neither JSON nor YAML), `not-openapi`, `unsupported-version`,
 * `bad-reference` (it leads nowhere, or to a forbidden place), `no-server` (the address of the API is missing),
 * `refused-server` (a document from the web names a server in a private network, or a server's URL has a password),
 * `no-credentials` (those that the operation needs were not given), `limit` (more than 50 MB, 5 million values or 500 levels,
 * or 2 million visits of schemas), `bad-operation`, `bad-schema` (a part of a schema is invalid, and is not checked).
 *
 * @example
 * try { await openApiTools("api.yaml"); }
 * catch (error) { if (error instanceof OpenApiDocumentError && error.code === "no-server") console.error(error.message); }
 */
export class OpenApiDocumentError extends ToolinguaError {
  static override readonly name: string = "OpenApiDocumentError";
}

/** The error for an operation that cannot be used; `why` is a sentence. */
export const badOperation = (why: string) => new OpenApiDocumentError("bad-operation", why);

/**
 * Reasons for a failed call. `invalid-arguments`: no request was made; `http-status`: the status was not 2xx;
 * `unreachable`: there was no answer; `timeout`: no answer in time; `too-large`: the answer is larger than
 * `maxFileBytes`.
 */
export type OpenApiCallErrorCode = "invalid-arguments" | "http-status" | "unreachable" | "timeout" | "too-large";

/**
 * A call that failed. The message is written for the model.
 *
 * @example
 * const result = await tool.execute(args, { toolCallId });
 * if (result instanceof OpenApiCallError && result.code === "http-status") console.error(result.status);
 */
export class OpenApiCallError extends CallFailure {
  static override readonly name: string = "OpenApiCallError";

  declare readonly code: OpenApiCallErrorCode;
  /** The HTTP status, if there was an answer. */
  readonly status: number | undefined;
  /** The wait that the server asks for (`Retry-After`), in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: OpenApiCallErrorCode,
    message: string,
    {
      status,
      retryAfterMs,
      ...options
    }: ErrorOptions & { status?: number | undefined; retryAfterMs?: number | undefined } = {},
  ) {
    super(code, message, options);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}
