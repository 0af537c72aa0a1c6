import { CallFailure } from "@toolingua/core/adapters";

/**
 * Reasons for a failure of an MCP server.
 * `unreachable`: it did not start, did not answer, or is not an MCP server; `unauthorized`: it needs other credentials;
 * `connection-lost`: it died during the call, which may have taken effect partly; `timeout`: no answer in time;
 * `tool-gone`: it no longer has the tool; `tool-failed`: the tool reported an error (`isError`); `refused`: the server
 * answered with a protocol error, or an HTTP status below 500; `server-failed`: HTTP 500 and above, after which the
 * call may have taken effect partly; `invalid-arguments`: they are not JSON, and were not sent; `invalid-result`: the
 * result violates the protocol or the tool's `outputSchema`, or a list is endless; `bad-tool`: a tool that is omitted
 * or renamed, or a schema that cannot be checked completely; `bad-config`: the configuration does not say how to reach
 * the server; `callback-failed`: the application's `onToolsChanged` threw the `cause`, or its `aroundCall` returned no
 * result; `closed`: the toolset was closed.
 */
export type McpErrorCode =
  | "unreachable"
  | "unauthorized"
  | "connection-lost"
  | "timeout"
  | "tool-gone"
  | "tool-failed"
  | "refused"
  | "server-failed"
  | "invalid-arguments"
  | "invalid-result"
  | "bad-tool"
  | "bad-config"
  | "callback-failed"
  | "closed";

/**
 * A failure of an MCP server or of one of its tools. The message of a failed call is written for the model; `cause` is
 * the underlying error.
 *
 * @example
 * try { await connectMcp(servers); }
 * catch (error) { if (error instanceof McpServerError && error.code === "unreachable") console.error(error.message); }
 */
export class McpServerError extends CallFailure {
  static override readonly name: string = "McpServerError";

  declare readonly code: McpErrorCode;
  /** The name of the server in the configuration. */
  readonly server: string;
  /** The tool's name on the server. */
  readonly tool: string | undefined;

  constructor(
    code: McpErrorCode,
    server: string,
    message: string,
    { tool, ...options }: ErrorOptions & { tool?: string | undefined } = {},
  ) {
    super(code, message, options);
    this.server = server;
    this.tool = tool;
  }
}
