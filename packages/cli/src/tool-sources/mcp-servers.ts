import { basename, extname } from "node:path";
import type { McpServerConfig } from "@toolingua/mcp";
import parseArgs from "string-argv";
import { shownAddress } from "../model-source/url-of.js";
import { CliError, shownMessage } from "../terminal/errors.js";
import { inFile } from "../terminal/in-file.js";
import { type LoadedTool, loadedTool } from "./loaded-tool.js";

/** Programs that run another program, whose name is more useful. */
const runners = /^(?:npx|npm|pnpm|yarn|bunx?|uvx?|uv|pipx|dlx|exec|run|node|deno|python\d*|docker)(?:\.cmd|\.exe)?$/;

/** An MCP server, and the file that configures it. */
export type GivenServer = readonly [name: string, config: McpServerConfig, file?: string];

/**
 * An MCP server from the command line: its URL, or the command that starts it, quoted as in a shell (nothing is
 * expanded). The name is derived from the URL or the command.
 *
 * Errors: `CliError` (`usage`).
 *
 * @example givenServer("npx -y @modelcontextprotocol/server-filesystem ."); // ["server-filesystem", { command: "npx", … }]
 */
export function givenServer(given: string): GivenServer {
  if (/^https?:\/\//.test(given)) {
    if (!URL.canParse(given)) throw new CliError("usage", `--mcp: ${shownAddress(given)} is not a URL.`);
    return [new URL(given).hostname, { url: given }];
  }
  const [command, ...args] = parseArgs(given);
  if (command === undefined) throw new CliError("usage", "--mcp needs a command or a URL.");
  if (args.length === 0 && /^[\w.-]+:\d+(?:\/\S*)?$/.test(command))
    throw new CliError("usage", `--mcp: ${command} is an address, not a command. Did you mean http://${command}?`);
  const said = [command, ...args].find((word) => !word.startsWith("-") && !runners.test(basename(word))) ?? command;
  const name = basename(said, extname(said)).replace(/(.)@.*$/, "$1");
  return [name, { command, args }];
}

/** The tools of the connected servers, and a function to disconnect. */
export interface McpTools {
  tools: LoadedTool[];
  close(): Promise<void>;
}

/** Options for connecting to servers. */
interface McpToolsOptions {
  onProblem: (message: string) => void;
  /** Whether to trust servers on which of their tools only read. Default `false`: any server can claim it. */
  trusted?: boolean | undefined;
  /** How many milliseconds a server may take for an answer. Default 60,000. */
  timeout?: number | undefined;
}

/** The time in ms after which a note tells the user that servers have not answered yet. */
const SILENCE = 5000;

/**
 * Connects to servers. The second of two servers with the same name gets a number. `onProblem` is called for tools that
 * are left out, and if a server does not answer at once.
 *
 * Errors: `McpServerError`, with the file that configures the server.
 *
 * @example const { tools, close } = await mcpTools([givenServer("npx -y …")], { onProblem: console.warn });
 */
export async function mcpTools(
  servers: readonly GivenServer[],
  { onProblem, trusted = false, timeout = 60_000 }: McpToolsOptions,
): Promise<McpTools> {
  const { connectMcp, McpServerError } = await import("@toolingua/mcp");
  const named: Record<string, McpServerConfig> = {};
  const files = new Map<string, string | undefined>();
  for (const [name, config, file] of servers) {
    let free = name;
    for (let number = 2; Object.hasOwn(named, free); number++) free = `${name}${number}`;
    named[free] = config;
    files.set(free, file);
  }
  const names = Object.keys(named).join(", ");
  const words = `Waiting for ${names} over MCP: at most ${timeout / 1000} s for each answer (--mcp-timeout).`;
  const waiting = setTimeout(onProblem, SILENCE, words);
  const connecting = connectMcp(named, { timeout, onProblem: (problem) => onProblem(shownMessage(problem)) });
  const mcp = await connecting
    .catch((error: unknown) =>
      inFile(error instanceof McpServerError ? files.get(error.server) : undefined, () => Promise.reject(error)),
    )
    .finally(() => clearTimeout(waiting));
  const tools = mcp.tools.map((tool) => {
    const readOnly = trusted && tool.annotations?.readOnlyHint === true;
    return loadedTool({ ...tool, readOnly }, { lenient: true });
  });
  return { tools, close: () => mcp.close() };
}
