import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
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

/** A server that is reached over streamable HTTP. */
export interface HttpServer {
  url: string | URL;
  headers?: Record<string, string> | undefined;
  /** OAuth, as the SDK does it. */
  authProvider?: OAuthClientProvider | undefined;
  fetch?: typeof fetch | undefined;
}

/** Any other way: a function that makes a new transport of the SDK, also each time the connection was lost. */
export interface CustomServer {
  transport: () => Transport;
}

/** How a server is reached. `optional`: where it cannot be, its tools are left out, and `onProblem` is told. */
export type McpServerConfig = (StdioServer | HttpServer | CustomServer) & { optional?: boolean | undefined };

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

/** What is wrong with a configuration, which may come from a file that people wrote; undefined where nothing is. */
export function whyUnusable(config: unknown): string | undefined {
  if (typeof config !== "object" || config === null) return "it is no object";
  const { transport, url, command, args, env } = config as Record<string, unknown>;
  const isRecord = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
  if (transport !== undefined) return typeof transport === "function" ? undefined : "its `transport` is no function";
  if (url !== undefined) {
    return url instanceof URL || (typeof url === "string" && URL.canParse(url)) ? undefined : "its `url` is no URL";
  }
  if (command === undefined) {
    return `it needs a \`command\`, a \`url\` or a \`transport\`, and has ${
      Object.keys(config)
        .map((key) => `\`${key}\``)
        .join(", ") || "nothing"
    }`;
  }
  if (typeof command !== "string" || command === "") return "its `command` is no text, or empty";
  if (args !== undefined && !(Array.isArray(args) && args.every((arg) => typeof arg === "string"))) {
    return "its `args` are no list of texts";
  }
  return env === undefined || isRecord(env) ? undefined : "its `env` is no object";
}

export function openTransport(config: McpServerConfig): OpenTransport {
  if ("transport" in config && config.transport)
    return { transport: config.transport(), lastWords: () => "", ended: async () => {} };
  if ("url" in config && config.url) {
    const { headers, authProvider, fetch } = config;
    const transport = new StreamableHTTPClientTransport(new URL(config.url), {
      ...(headers && { requestInit: { headers } }),
      ...(authProvider && { authProvider }),
      fetch: failingOnBrokenStreams(boundAnswers(fetch)),
    });
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
