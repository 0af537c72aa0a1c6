import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { RequestOptions } from "@modelcontextprotocol/sdk/shared/protocol.js";
import { type CallToolResult, CallToolResultSchema, ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";

/** The result of a call that the server runs as a task: the SDK polls until it is done. Errors: those of the SDK. */
export async function runTask(
  client: Client,
  params: { name: string; arguments: Record<string, unknown> },
  options: RequestOptions,
): Promise<CallToolResult> {
  const stream = client.experimental.tasks.callToolStream(params, CallToolResultSchema, { ...options, task: {} });
  for await (const message of stream) {
    if (message.type === "result") return message.result as CallToolResult;
    if (message.type === "error") throw message.error;
  }
  throw new McpError(ErrorCode.InternalError, "the task ended without a result");
}
