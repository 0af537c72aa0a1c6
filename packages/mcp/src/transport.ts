import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { boundAnswers, boundMessages } from "./bounded.js";
import { failingOnBrokenStreams } from "./broken-streams.js";

/** A server that is started as a process, with its standard input and output as the connection. */
export interface StdioServer {
  command: string;
  args?: string[] | undefined;
  /** Environment variables for the process, besides `PATH`, `HOME` and a few others. */
  env?: Record<string, string> | undefined;
  cwd?: string | undefined;
}

/** The SDK's type, with this property declared as in its own examples. */
export type OAuthProvider = Omit<OAuthClientProvider, "clientMetadataUrl"> & { clientMetadataUrl?: string | undefined };

/** A server over streamable HTTP, or, if it does not support that, over the older HTTP with SSE. */
export interface HttpServer {
  url: string | URL;
  headers?: Record<string, string> | undefined;
  /** OAuth, as the SDK implements it. */
  authProvider?: OAuthProvider | undefined;
  /**
   * Returns the code with which the user came back to the `redirectUrl` of `authProvider`, after `authProvider` sent
   * the user to log in. It is awaited. Without it, `connectMcp` fails with `unauthorized`.
   */
  authorizationCode?: (() => string | Promise<string>) | undefined;
  fetch?: typeof fetch | undefined;
}

/** Any other way: a function that creates a transport of the SDK, also after each loss of the connection. */
export interface CustomServer {
  transport: () => Transport;
}

/** How to reach a server. */
export type McpServerConfig = (StdioServer | HttpServer | CustomServer) & {
  /** The field that other clients write. With `http` or `sse`, a URL is reached only in that way. */
  type?: "stdio" | "http" | "streamable-http" | "streamableHttp" | "sse" | undefined;
  /** Whether an unreachable server is skipped and reported to `onProblem`. Default: `connectMcp` fails. */
  optional?: boolean | undefined;
  /** Whether the server is ignored. */
  disabled?: boolean | undefined;
  /** Tools to leave out, by their names on the server. */
  disabledTools?: readonly string[] | undefined;
};

/** The ways to reach a URL. */
export type HttpKind = "http" | "sse";

/** The ways to reach a server, in the order in which they are tried. */
export function waysTo(config: McpServerConfig): HttpKind[] {
  if (!("url" in config && config.url)) return ["http"];
  if (config.type === "sse") return ["sse"];
  return config.type === undefined || config.type === "stdio" ? ["http", "sse"] : ["http"];
}

/** How many characters of a process's standard error are kept. */
const KEPT = 2000;
/** A process is ended by closing its input, then by SIGTERM, then by SIGKILL, two seconds apart. */
const KILLED_AFTER = 6000;

/** A transport, the last output of its process, and its end. */
interface OpenTransport {
  transport: Transport;
  /** The end of the process's standard error. */
  lastWords(): string;
  /** Resolves when the transport is closed, and its process has ended. Call it before closing the transport. */
  ended(): Promise<void>;
}

const isTransport = (value: unknown): value is Transport =>
  typeof value === "object" && value !== null && "start" in value && typeof value.start === "function";

export function openTransport(config: McpServerConfig, kind: HttpKind): OpenTransport {
  if ("transport" in config && config.transport) {
    const transport: unknown = config.transport();
    if (!isTransport(transport)) throw new TypeError("its `transport` returned no transport of the SDK");
    return { transport, lastWords: () => "", ended: async () => {} };
  }
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
    // The SDK's own class declares its optional properties incompatibly with this compiler option.
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
      // A process that never started, or has ended, does not end again.
      if (transport.pid === null) return;
      await Promise.race([gone, new Promise<void>((resolve) => setTimeout(resolve, KILLED_AFTER).unref())]);
    },
  };
}

/**
 * What is missing, if a server's program cannot be started: Node.js reports a missing program and a missing folder alike.
 *
 * @example whyNoProgram({ command: "npx" }, error); // 'there is no program "npx" (ENOENT)'
 */
export function whyNoProgram(config: McpServerConfig, cause: unknown): string | undefined {
  const { code, syscall } = (cause ?? {}) as { code?: unknown; syscall?: unknown };
  if (code !== "ENOENT" || !String(syscall).startsWith("spawn")) return undefined;
  const { command, args = [], cwd } = config as StdioServer;
  const missing = `there is no program "${command}"${cwd === undefined ? "" : `, or no folder "${cwd}"`} (ENOENT)`;
  const [program, ...words] = command.trim().split(/\s+/);
  // Folders of Windows have spaces in their names.
  if (words.length === 0 || args.length > 0 || command.includes("\\")) return missing;
  const written = [program, ...words].map((word) => JSON.stringify(word));
  return `${missing}. Its arguments belong into \`args\`: { command: ${written[0]}, args: [${written.slice(1).join(", ")}] }`;
}
