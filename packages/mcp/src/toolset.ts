import { untilAborted } from "@toolingua/core";
import { McpConnection } from "./connection.js";
import { McpServerError } from "./errors.js";
import { type McpTool, mcpTool } from "./mcp-tool.js";
import { keyOf, toolNames } from "./names.js";
import { type ConnectionOptions, checkOptions, type ListedTool } from "./options.js";
import { type McpServerHandle, serverHandle } from "./server-handle.js";
import { type McpServers, serversOf } from "./servers.js";

/** How the tools of MCP servers are fetched, named and called. */
export interface McpOptions extends ConnectionOptions {
  /**
   * `clash`: tools of several servers that have the same name become `server__tool`, all others keep theirs; `always`: all
   * become `server__tool`. Default: `clash`.
   */
  prefix?: "clash" | "always" | undefined;
  /** Gives the connecting up. */
  signal?: AbortSignal | undefined;
  /** The tools of a server are others than before; given are all tools there are now. */
  onToolsChanged?: ((tools: readonly McpTool[]) => void) | undefined;
}

/** The tools of some MCP servers, as they are now. Made by {@link connectMcp}. */
export interface McpToolset {
  /** All tools. When a server's tools change, this is another array; tools that stay are the same objects. */
  readonly tools: readonly McpTool[];
  /** The same, for `toLangChainTools(toolset)`. */
  toToolList(): readonly McpTool[];
  /** What the servers have besides tools, by their names: resources, prompts, completion. */
  readonly servers: Readonly<Record<string, McpServerHandle>>;
  /** Tells the servers that `roots` gives others now. */
  rootsChanged(): Promise<void>;
  /** Asks all servers for their tools again. Errors: as `connectMcp`. */
  refresh(): Promise<void>;
  /** Ends the connections, and the processes that were started. The tools can be called no more. */
  close(): Promise<void>;
}

/**
 * Connects to MCP servers (stdio, streamable HTTP, HTTP with SSE, or any transport of the SDK) and gives their tools, which go
 * wherever core's tools do. The servers are those of the usual `mcpServers` configuration, by name or as it is pasted.
 *
 * What fails in a call (the server died, no answer in time, the tool itself) `execute` gives back as an
 * {@link McpServerError}, which the model is told of; an aborted call throws the signal's reason. A connection that was
 * lost is opened again by the next call.
 *
 * Errors: {@link McpServerError}: `bad-config` at once, for any server; `unreachable`, `unauthorized`, `timeout` and the like
 * for one that is not `optional`; those that were connected are closed again. `OptionsError` (`bad-option`).
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
  checkOptions(options);
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
  /** The list that is being fetched, and whether it was already old when it was asked for. */
  fetching: Promise<void> | undefined;
  stale: boolean;
}

/** How often a list is fetched again that changes while it is fetched. */
const MOST_ROUNDS = 3;

class Toolset implements McpToolset {
  #tools: readonly McpTool[] = [];
  readonly #servers: Server[];
  readonly #options: McpOptions;
  #connected = false;
  #names = new Map<string, string>();
  /** Tools by what they were made of. */
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
    this.#update();
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

  /** Fetches a server's list: one that is being fetched is waited for, and fetched again if it has changed since. */
  async #fetch(server: Server, signal?: AbortSignal): Promise<void> {
    server.stale = server.fetching !== undefined;
    server.fetching ??= (async () => {
      try {
        // A server may say that its list has changed each time that it is asked for it.
        for (let round = 0; round < MOST_ROUNDS && (round === 0 || server.stale); round++) {
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
    // Whoever fetches it takes care of what has changed since.
    if (server.fetching !== undefined) {
      server.stale = true;
      return;
    }
    try {
      await this.#fetch(server);
      this.#update();
    } catch (error) {
      // One that died or was closed meanwhile shows when it is next called.
      if (error instanceof McpServerError && error.code === "refused") server.connection.report(error);
    }
  }

  #update(): void {
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
    if (tools.length === before.length && tools.every((tool, i) => tool === before[i])) return;
    this.#tools = tools;
    if (this.#connected) this.#options.onToolsChanged?.(tools);
  }

  async #isStillListed(server: Server, tool: string, signal: AbortSignal | undefined): Promise<boolean> {
    try {
      // Others may wait for the same list.
      await untilAborted(this.#fetch(server), signal);
      this.#update();
    } catch {
      signal?.throwIfAborted();
      // Then what the server said to the call is all that is known.
      return true;
    }
    return isListed(server, tool);
  }
}

const isListed = (server: Server, tool: string) => server.listed.some(({ name }) => name === tool);
