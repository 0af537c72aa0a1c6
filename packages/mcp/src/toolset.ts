import type { Tool as ListedTool } from "@modelcontextprotocol/sdk/types.js";
import { messageOf, untilAborted } from "@toolingua/core/adapters";
import { McpConnection } from "./connection.js";
import { McpServerError } from "./errors.js";
import { type McpTool, mcpTool } from "./mcp-tool.js";
import { keyOf, toolNames } from "./names.js";
import { checkMcpOptions, type McpOptions } from "./options.js";
import { type McpServerHandle, serverHandle } from "./server-handle.js";
import { type McpServers, serversOf } from "./servers.js";

/** The current tools of some MCP servers. Made by {@link connectMcp}. */
export interface McpToolset {
  /** All tools. A change of a server's tools replaces the array; tools that stay are the same objects. */
  readonly tools: readonly McpTool[];
  /** The tools, for `toLangChainTools(toolset)`. */
  toToolList(): readonly McpTool[];
  /** The servers' features besides tools, by name: resources, prompts, completion. */
  readonly servers: Readonly<Record<string, McpServerHandle>>;
  /** Notifies the servers that the result of `roots` has changed. */
  rootsChanged(): Promise<void>;
  /** Fetches the tools of all servers again. Errors: those of `connectMcp`, and what `onToolsChanged` throws. */
  refresh(): Promise<void>;
  /** Ends the connections, and the processes that were started. The tools can no longer be called. */
  close(): Promise<void>;
}

/**
 * Connects to MCP servers (stdio, streamable HTTP, HTTP with SSE, or any transport of the SDK) and returns their tools,
 * which every adapter accepts. The servers are given in the usual `mcpServers` configuration, by name or as the whole
 * object.
 *
 * If a call fails (the server died, no answer in time, an error of the tool), `execute` returns an {@link
 * McpServerError}, whose message the model is shown; an aborted call throws the signal's reason. The next call reopens
 * a lost connection.
 *
 * Errors: {@link McpServerError}: `bad-config` at once, for any server; `unreachable`, `unauthorized`, `timeout` and
 * the like for a server that is not `optional`, after closing the other connections. `OptionsError` (`bad-option`).
 *
 * @example
 * const mcp = await connectMcp({
 *   files: { command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "."] },
 *   wiki: { url: "https://mcp.example.com/mcp", headers: { Authorization: `Bearer ${token}` } },
 * });
 * const agent = createAgent({ model: withToolCalling(model), tools: toLangChainTools(mcp) });
 * // …
 * await mcp.close();
 */
export async function connectMcp(servers: McpServers, options: McpOptions = {}): Promise<McpToolset> {
  checkMcpOptions(options);
  const toolset = new Toolset(servers, options);
  try {
    await toolset.refresh(options.signal);
  } catch (error) {
    await toolset.close();
    throw error;
  }
  return toolset;
}

interface Server {
  connection: McpConnection;
  optional: boolean;
  listed: readonly ListedTool[];
  /** The list that is being fetched, and whether it has changed since the request. */
  fetching: Promise<void> | undefined;
  stale: boolean;
}

/** How often a list that changes while it is fetched is fetched again. */
const MAX_ROUNDS = 3;

class Toolset implements McpToolset {
  #tools: readonly McpTool[] = [];
  readonly #servers: Server[];
  readonly #options: McpOptions;
  #connected = false;
  #names = new Map<string, string>();
  /** Tools by their definitions. */
  #made = new Map<string, McpTool | undefined>();

  readonly servers: Readonly<Record<string, McpServerHandle>>;

  constructor(given: McpServers, options: McpOptions) {
    this.#options = options;
    this.#servers = Object.entries(serversOf(given)).map(([name, config]) => {
      const server: Server = {
        connection: new McpConnection(name, config, options, () => this.#listChanged(server)),
        optional: config.optional ?? false,
        listed: [],
        fetching: undefined,
        stale: false,
      };
      return server;
    });
    this.servers = Object.fromEntries(
      this.#servers.map(({ connection }) => [connection.server, serverHandle(connection)]),
    );
  }

  async rootsChanged(): Promise<void> {
    await Promise.all(this.#servers.map(({ connection }) => connection.rootsChanged()));
  }

  get tools(): readonly McpTool[] {
    return this.#tools;
  }

  toToolList(): readonly McpTool[] {
    return this.#tools;
  }

  async refresh(signal?: AbortSignal): Promise<void> {
    const fetched = await Promise.allSettled(this.#servers.map((server) => this.#fetchOrReport(server, signal)));
    const failed = fetched.find((one) => one.status === "rejected");
    if (failed) throw failed.reason;
    await this.#update();
    this.#connected = true;
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map(({ connection }) => connection.close()));
  }

  async #fetchOrReport(server: Server, signal: AbortSignal | undefined): Promise<void> {
    try {
      await this.#fetch(server, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (!server.optional || !(error instanceof McpServerError)) throw error;
      server.listed = [];
      server.connection.report(error);
    }
  }

  /** Fetches a server's list. Joins a fetch in progress, which repeats if the list has changed since. */
  async #fetch(server: Server, signal?: AbortSignal): Promise<void> {
    server.stale = server.fetching !== undefined;
    server.fetching ??= (async () => {
      try {
        // Some servers report a change each time their list is fetched.
        for (let round = 0; round < MAX_ROUNDS && (round === 0 || server.stale); round++) {
          server.stale = false;
          server.listed = await server.connection.listTools(signal);
        }
      } finally {
        server.fetching = undefined;
      }
    })();
    await server.fetching;
  }

  async #listChanged(server: Server): Promise<void> {
    // The fetch in progress handles later changes.
    if (server.fetching !== undefined) {
      server.stale = true;
      return;
    }
    try {
      await this.#fetch(server);
    } catch (error) {
      // A server that died or was closed meanwhile fails at its next call.
      if (error instanceof McpServerError && error.code === "refused") server.connection.report(error);
      return;
    }
    this.#updateAfter(server);
  }

  /** Updates the tools where no caller waits for it: an error of the application's `onToolsChanged` is reported. */
  #updateAfter({ connection }: Server): void {
    const failed = (cause: unknown) => {
      const message = `The application's \`onToolsChanged\` failed after a change of the MCP server "${connection.server}": ${messageOf(cause)}`;
      connection.report(new McpServerError("callback-failed", connection.server, message, { cause }));
    };
    try {
      const told = this.#update();
      if (told instanceof Promise) told.catch(failed);
    } catch (cause) {
      failed(cause);
    }
  }

  /** Updates the tools. Returns what the application's `onToolsChanged` returns. */
  #update(): unknown {
    const all = this.#servers.flatMap((server) =>
      server.listed.map((listed) => ({ server, listed, id: { server: server.connection.server, tool: listed.name } })),
    );
    const names = toolNames(
      all.map(({ id }) => id),
      this.#options.prefix ?? "clash",
      this.#names,
    );
    const made = new Map<string, McpTool | undefined>();
    for (const { server, listed, id } of all) {
      const name = names.get(keyOf(id))!;
      const definition = JSON.stringify([id.server, name, listed]);
      const known = this.#made.has(definition);
      made.set(
        definition,
        known
          ? this.#made.get(definition)
          : mcpTool(name, listed, server.connection, {
              isListed: (tool) => isListed(server, tool),
              isStillListed: (tool, signal) => this.#isStillListed(server, tool, signal),
            }),
      );
    }
    const before = this.#tools;
    const tools = [...made.values()].filter((tool) => tool !== undefined);
    this.#names = names;
    this.#made = made;
    if (tools.length === before.length && tools.every((tool, i) => tool === before[i])) return undefined;
    this.#tools = tools;
    return this.#connected ? this.#options.onToolsChanged?.(tools) : undefined;
  }

  async #isStillListed(server: Server, tool: string, signal: AbortSignal | undefined): Promise<boolean> {
    try {
      // Other callers may wait for the same list.
      await untilAborted(() => this.#fetch(server), signal);
    } catch {
      signal?.throwIfAborted();
      // Then the server's answer to the call is the only evidence.
      return true;
    }
    this.#updateAfter(server);
    return isListed(server, tool);
  }
}

const isListed = (server: Server, tool: string) => server.listed.some(({ name }) => name === tool);
