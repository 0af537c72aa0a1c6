import { ToolinguaError } from "@toolingua/core";

/**
 * What went wrong with an MCP server.
 * `unreachable`: it did not start, did not answer, or is no MCP server; `unauthorized`: it wants other credentials;
 * `connection-lost`: it died during the call, which may have done half its work; `timeout`: no answer in time;
 * `tool-gone`: it has no such tool any more; `tool-failed`: the tool said so itself (`isError`); `refused`: the server
 * answered with an error of the protocol, or of HTTP below 500; `server-failed`: HTTP 500 and above, where the call may
 * have done half its work; `invalid-arguments`: they are no JSON, and were not sent;
 * `invalid-result`: the result breaks the protocol or the tool's `outputSchema`, or a list has no end; `bad-tool`: a tool that is left out, or
 * gets another name, or whose schema cannot be checked in part; `bad-config`: what was given does not say how the server is
 * reached; `closed`: the toolset was closed.
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
  | "closed";

/**
 * A failure of an MCP server or of one of its tools. The message of a failed call is written for the model; `cause` is
 * what was thrown below.
 *
 * @example
 * try { await connectMcp(servers); }
 * catch (error) { if (error instanceof McpServerError && error.code === "unreachable") console.error(error.message); }
 */
export class McpServerError extends ToolinguaError {
  declare readonly code: McpErrorCode;
  /** The name the server was given. */
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

  /** Where a result is written as JSON, a failure is its message. */
  toJSON(): { error: string } {
    return { error: this.message };
  }
}
