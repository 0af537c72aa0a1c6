import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { messageOf } from "@toolingua/core/adapters";
import { checkHandlerOptions, type McpHandlerOptions, type McpServerInfo } from "./served-options.js";
import { createMcpServer, type ServedTools } from "./server.js";

/** A running server. */
export interface RunningServer {
  /** Notifies the clients that the tools have changed. */
  toolsChanged(): Promise<void>;
  /** Notifies the clients that the resources have changed. */
  resourcesChanged(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves tools over this process's standard input and output, until the input ends. Nothing else may write to standard
 * output: log to standard error.
 *
 * Errors: those of {@link createMcpServer}.
 *
 * @example await serveStdio([add, search], { name: "my-tools", version: "1.0.0" });
 */
export async function serveStdio(tools: ServedTools, info: McpServerInfo): Promise<RunningServer> {
  const server = createMcpServer(tools, info);
  const close = () => server.close();
  // The SDK's transport does not end with its input, but the parent process may have ended.
  const onEnd = () => void close().catch(reportClosing);
  process.stdin.once("end", onEnd);
  server.onclose = () => process.stdin.off("end", onEnd);
  await server.connect(new StdioServerTransport());
  return {
    toolsChanged: () => server.sendToolListChanged(),
    resourcesChanged: () => server.sendResourceListChanged(),
    close,
  };
}

/** Streamable HTTP, for `node:http` and for any server that uses `Request` and `Response`. */
export interface McpHandler extends RunningServer {
  /** For Hono, Next.js, Deno, Bun, workers: answers one request. */
  fetch(request: Request): Promise<Response>;
  /** For `http.createServer(handler.node)` and Express. */
  node(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

const LOCAL = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Serves tools over streamable HTTP at the path where the handler is mounted, with one session per client. The caller
 * is responsible for authentication: check credentials before the handler.
 *
 * Errors: those of {@link createMcpServer}.
 *
 * @example http.createServer(createMcpHandler([add], { name: "sums", version: "1.0.0" }).node).listen(3000);
 */
export function createMcpHandler(tools: ServedTools, info: McpServerInfo, options: McpHandlerOptions = {}): McpHandler {
  checkHandlerOptions(options);
  const { allowedHosts = LOCAL, maxSessions = 1000 } = options;
  // In the order of their last use.
  const sessions = new Map<string, { server: Server; transport: WebStandardStreamableHTTPServerTransport }>();
  // Reports problems of the tools now.
  createMcpServer(tools, info);

  async function open() {
    const server = createMcpServer(tools, info);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => {
        const [oldest] = sessions;
        if (oldest && sessions.size >= maxSessions) void end(oldest[0]).catch(reportClosing);
        sessions.set(id, { server, transport });
      },
      onsessionclosed: end,
    });
    await server.connect(transport as Transport);
    return transport;
  }

  async function notifyAll(notify: (server: Server) => Promise<void>) {
    // A client that is not listening fetches the lists again when it reconnects.
    await Promise.allSettled([...sessions.values()].map(({ server }) => notify(server)));
  }

  async function end(id: string) {
    const session = sessions.get(id);
    sessions.delete(id);
    await session?.server.close();
  }

  async function fetch(request: Request): Promise<Response> {
    if (!isAllowed(request, allowedHosts)) return refusal(403, "This host or origin is not allowed.");
    const id = request.headers.get("mcp-session-id");
    if (id === null) return (await open()).handleRequest(request);
    const session = sessions.get(id);
    if (!session) return refusal(404, "There is no such session.");
    sessions.delete(id);
    sessions.set(id, session);
    return session.transport.handleRequest(request);
  }

  const listener = getRequestListener(fetch, { overrideGlobalObjects: false });
  return {
    fetch,
    node: async (request, response) => void (await listener(withBody(request), response)),
    toolsChanged: () => notifyAll((server) => server.sendToolListChanged()),
    resourcesChanged: () => notifyAll((server) => server.sendResourceListChanged()),
    close: async () => void (await Promise.all([...sessions.keys()].map(end))),
  };
}

/** A request whose body a middleware has read (`express.json()`, `express.text()`) with it, where the listener looks for it. */
function withBody(request: IncomingMessage): IncomingMessage {
  const { body, rawBody } = request as { body?: unknown; rawBody?: unknown };
  if (!request.readableEnded || body === undefined || rawBody !== undefined) return request;
  const given = typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  return Object.assign(request, { rawBody: Buffer.from(given) });
}

/** Reports the error of a server that was closed where no caller waits for it. */
const reportClosing = (error: unknown) =>
  console.warn(`[toolingua] An MCP connection could not be closed: ${messageOf(error)}`);

/** Whether the request is for one of these hosts, and, if a browser sent it, from a page of one. */
function isAllowed(request: Request, hosts: readonly string[]): boolean {
  const host = request.headers.get("host");
  const origin = request.headers.get("origin");
  const known = (url: string) => URL.canParse(url) && hosts.includes(new URL(url).hostname);
  return known(host === null ? request.url : `http://${host}`) && (origin === null || known(origin));
}

/** An error in the same form as the SDK's. */
const refusal = (status: number, message: string) =>
  Response.json({ jsonrpc: "2.0", error: { code: -32000, message }, id: null }, { status });
