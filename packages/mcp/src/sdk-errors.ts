import { SseError } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpError } from "@modelcontextprotocol/sdk/types.js";

/** The HTTP status of an answer that was refused; -1 for one of a type that the protocol does not know. */
export function statusOf(error: unknown): number | undefined {
  if (error instanceof StreamableHTTPError || error instanceof SseError) return error.code;
  // What is posted beside a stream of events fails with a message only.
  const [, status] =
    /^Error POSTing to endpoint \(HTTP (\d{3})\)/.exec(error instanceof Error ? error.message : "") ?? [];
  return status === undefined ? undefined : Number(status);
}

/** Whether a server does not know streamable HTTP, so that it may know the older way (as the specification has it). */
export const isRefusedAsHttp = (error: unknown): boolean => [400, 404, 405].includes(statusOf(error) ?? 0);

/** Where an answer breaks the SDK's schema of it, in few words: its own message is a page of JSON. */
export function issuesOf(error: unknown): string[] {
  const { issues } = (error ?? {}) as { issues?: unknown };
  if (!(error instanceof Error) || !Array.isArray(issues)) return [];
  return issues.map(
    ({ path, message }) => `${(path as PropertyKey[]).map(String).join("/") || "its root"}: ${message}`,
  );
}

/** What an error says, without the SDK's own words, and what lies below a `fetch failed`. */
export function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const status = statusOf(error);
  if (status !== undefined && status > 0) {
    const said = error.message.replace(/^Streamable HTTP error: (Error POSTing to endpoint: )?/, "").trim();
    return `HTTP ${status}${said && `: ${said}`}`;
  }
  const message = error.message.replace(/^(MCP error -?\d+: )+/, "");
  const { cause } = error as { cause?: { code?: unknown; message?: unknown } | undefined };
  const below = cause?.code ?? cause?.message;
  return below === undefined || error instanceof McpError ? message : `${message} (${String(below)})`;
}
