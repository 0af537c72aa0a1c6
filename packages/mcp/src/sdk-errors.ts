import { SseError } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { clip, FAILURE } from "./clip.js";

/** The HTTP status of a rejected request; -1 for an answer of an unknown content type. */
export function statusOf(error: unknown): number | undefined {
  if (error instanceof StreamableHTTPError || error instanceof SseError) return error.code;
  // For requests posted next to an event stream, only the message has the status.
  const [, status] =
    /^Error POSTing to endpoint \(HTTP (\d{3})\)/.exec(error instanceof Error ? error.message : "") ?? [];
  return status === undefined ? undefined : Number(status);
}

/** Whether a server rejects streamable HTTP, and may support the older way (by the rule of the specification). */
export const isRefusedAsHttp = (error: unknown): boolean => [400, 404, 405].includes(statusOf(error) ?? 0);

/** The violations of the SDK's schema, in few words: its own message is a page of JSON. */
export function issuesOf(error: unknown): string[] {
  const { issues } = (error ?? {}) as { issues?: unknown };
  if (!(error instanceof Error) || !Array.isArray(issues)) return [];
  return issues.map(
    ({ path, message }) => `${(path as PropertyKey[]).map(String).join("/") || "its root"}: ${message}`,
  );
}

/**
 * The message of an error, without the SDK's prefixes, and with the cause of a `fetch failed`. A server may have written it, so
 * only its beginning.
 */
export const reason = (error: unknown): string => clip(said(error), FAILURE);

function said(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const status = statusOf(error);
  if (status !== undefined && status > 0) {
    const body = error.message.replace(/^Streamable HTTP error: (Error POSTing to endpoint: )?/, "").trim();
    // A page is for browsers.
    return `HTTP ${status}${body === "" || /^<(?:!doctype|html)\b/i.test(body) ? "" : `: ${body}`}`;
  }
  const message = error.message.replace(/^(MCP error -?\d+: )+/, "");
  const { cause } = error as { cause?: { code?: unknown; message?: unknown } | undefined };
  const below = cause?.code ?? cause?.message;
  return below === undefined || error instanceof McpError ? message : `${message} (${String(below)})`;
}

/** Why what answered the first request is no MCP server, or none any more; undefined for any other error. */
export function whyNoServer(error: unknown): string | undefined {
  if (error instanceof McpError && error.code === ErrorCode.ConnectionClosed) return "it ended before it answered";
  const why = "it is no MCP server: its answer breaks the protocol";
  if (issuesOf(error).length > 0) return why;
  // The SDK's -1: an answer of an unknown content type.
  return error instanceof SyntaxError || statusOf(error) === -1 ? `${why} (${reason(error)})` : undefined;
}

/**
 * The limit that a request exceeded, and the option that sets it, in words; undefined for any other error. The SDK's own
 * timeout is recognised by the time in its message: a server may use its code (-32001) for other errors.
 */
export function exceededLimit(error: unknown): string | undefined {
  if (!(error instanceof McpError) || error.code !== ErrorCode.RequestTimeout) return undefined;
  const { timeout, maxTotalTimeout } = (error.data ?? {}) as { timeout?: number; maxTotalTimeout?: number };
  const limit = maxTotalTimeout ?? timeout;
  const option = maxTotalTimeout === undefined ? "timeout" : "maxTotalTimeout";
  return limit === undefined ? undefined : `no answer within ${limit / 1000} s (\`${option}\` sets the limit)`;
}
