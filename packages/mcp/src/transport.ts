import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { boundAnswers, boundMessages } from "./bounded.js";
import { failingOnBrokenStreams } from "./broken-streams.js";

/** A server that is started as a process and spoken to over its standard input and output. */
export interface StdioServer {
  command: string;
  args?: string[] | undefined;
  /** Besides these the process gets only `PATH`, `HOME` and a few more of the environment. */
  env?: Record<string, string> | undefined;
  cwd?: string | undefined;
}

/** The SDK's, whose own examples declare this property so. */
export type OAuthProvider = Omit<OAuthClientProvider, "clientMetadataUrl"> & { clientMetadataUrl?: string | undefined };

/** A server that is reached over streamable HTTP, or, where it does not speak that, over the older HTTP with SSE. */
export interface HttpServer {
  url: string | URL;
  headers?: Record<string, string> | undefined;
  /** OAuth, as the SDK does it. */
  authProvider?: OAuthProvider | undefined;
  /**
   * The code with which the user came back to the `redirectUrl` of `authProvider`, which was asked to send them to log in. It is
   * waited for. Without it, `connectMcp` fails with `unauthorized` then.
   */
  authorizationCode?: (() => string | Promise<string>) | undefined;
  fetch?: typeof fetch | undefined;
}

/** Any other way: a function that makes a new transport of the SDK, also each time the connection was lost. */
export interface CustomServer {
  transport: () => Transport;
}

/** How a server is reached. */
export type McpServerConfig = (StdioServer | HttpServer | CustomServer) & {
  /** As other clients write it. With `http` or `sse` a URL is reached in that way only. */
  type?: "stdio" | "http" | "streamable-http" | "streamableHttp" | "sse" | undefined;
  /** Where it cannot be reached, its tools are left out, and `onProblem` is told. */
  optional?: boolean | undefined;
  /** It is left alone. */
  disabled?: boolean | undefined;
  /** Tools that are left out, by their names on the server. */
  disabledTools?: readonly string[] | undefined;
};

/** The ways to a URL. */
export type HttpKind = "http" | "sse";

/** The ways in which a server is reached, in the order in which they are tried. */
export function waysTo(config: McpServerConfig): HttpKind[] {
  if (!("url" in config && config.url)) return ["http"];
  if (config.type === "sse") return ["sse"];
  return config.type === undefined || config.type === "stdio" ? ["http", "sse"] : ["http"];
}

/** How much of what a process wrote to standard error is kept, in characters. */
const KEPT = 2000;
/** A process is asked to end by closing its input, then by SIGTERM, then killed, two seconds apart. */
const KILLED_AFTER = 6000;

/** A transport, what its process last said, and when that has ended. */
export interface OpenTransport {
  transport: Transport;
  /** The end of what the process wrote to standard error. */
  lastWords(): string;
  /** To be asked before the transport is closed: resolves when it is, and its process is gone. */
  ended(): Promise<void>;
}

export function openTransport(config: McpServerConfig, kind: HttpKind): OpenTransport {
  if ("transport" in config && config.transport)
    return { transport: config.transport(), lastWords: () => "", ended: async () => {} };
  if ("url" in config && config.url) {
    const { headers, authProvider, fetch } = config;
    const url = new URL(config.url);
    const options = {
      ...(headers && { requestInit: { headers } }),
      ...(authProvider && { authProvider: authProvider as OAuthClientProvider }),
    };
    const transport =
      kind === "sse"
        ? new SSEClientTransport(url, { ...options, fetch: boundAnswers(fetch) })
        : new StreamableHTTPClientTransport(url, { ...options, fetch: failingOnBrokenStreams(boundAnswers(fetch)) });
    // The SDK's own class does not declare its optional properties the way this compiler option wants them.
    return { transport: transport as Transport, lastWords: () => "", ended: async () => {} };
  }
  const { command, args, env, cwd } = config as StdioServer;
  const transport = new StdioClientTransport({
    command,
    ...(args && { args }),
    ...(env && { env }),
    ...(cwd !== undefined && { cwd }),
    stderr: "pipe",
  });
  boundMessages(transport);
  let words = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-KEPT);
  });
  const gone = new Promise<void>((resolve) => {
    transport.onclose = resolve;
  });
  return {
    transport,
    lastWords: () => words.trim(),
    async ended() {
      // One that never started, or has ended, does not end again.
      if (transport.pid === null) return;
      await Promise.race([gone, new Promise<void>((resolve) => setTimeout(resolve, KILLED_AFTER).unref())]);
    },
  };
}
