import { ToolinguaError } from "@toolingua/core";

/**
 * A document, or a part of it, that cannot be used.
 * Codes: `unreadable` (no such file or page, or neither JSON nor YAML), `not-openapi`, `unsupported-version`,
 * `bad-reference` (it leads nowhere, or where it may not), `no-server` (nothing says where the API is), `refused-server` (a document
 * of the web names one in a private network), `no-credentials` (none of those that were given is what the operation needs), `limit` (more than 50 MB, 5 million values or 500 levels), `bad-operation`, `bad-schema` (a part of it
 * makes no sense, and is not checked).
 *
 * @example
 * try { await openApiTools("api.yaml"); }
 * catch (error) { if (error instanceof OpenApiDocumentError && error.code === "no-server") console.error(error.message); }
 */
export class OpenApiDocumentError extends ToolinguaError {}

/**
 * Why a call gave no result. `invalid-arguments`: no request was made; `http-status`: the answer was not of the 2xx kind;
 * `unreachable`: there was none; `timeout`: none in time; `too-large`: it is larger than `maxFileBytes`.
 */
export type OpenApiCallErrorCode = "invalid-arguments" | "http-status" | "unreachable" | "timeout" | "too-large";

/**
 * A call that failed. The message is written for the model.
 *
 * @example
 * const result = await tool.execute(args, { toolCallId });
 * if (result instanceof OpenApiCallError && result.code === "http-status") console.error(result.status);
 */
export class OpenApiCallError extends ToolinguaError {
  declare readonly code: OpenApiCallErrorCode;
  /** The HTTP status, where there was an answer. */
  readonly status: number | undefined;
  /** In how many seconds the server wants to be asked again, where it says so (`Retry-After`). */
  readonly retryAfter: number | undefined;

  constructor(
    code: OpenApiCallErrorCode,
    message: string,
    {
      status,
      retryAfter,
      ...options
    }: ErrorOptions & { status?: number | undefined; retryAfter?: number | undefined } = {},
  ) {
    super(code, message, options);
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** Where a result is written as JSON, a failure is its message. */
  toJSON(): { error: string } {
    return { error: this.message };
  }
}
