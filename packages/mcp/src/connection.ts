import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { RequestOptions } from "@modelcontextprotocol/sdk/shared/protocol.js";
import {
  type CallToolResult,
  CallToolResultSchema,
  ErrorCode,
  type Tool as ListedTool,
  McpError,
  ResultSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import {
  clip,
  describeValue,
  didYouMean,
  isObject,
  lackedByJson,
  messageOf,
  untilAborted,
} from "@toolingua/core/adapters";
import { isBrokenStream } from "./broken-streams.js";
import { addFeatures, capabilitiesFor } from "./client-features.js";
import type { ConnectionOptions } from "./connection-options.js";
import { McpServerError } from "./errors.js";
import { readTools } from "./listed-tools.js";
import { allPages, type Page } from "./pages.js";
import { runTask } from "./run-task.js";
import { exceededLimit, isRefusedAsHttp, issuesOf, reason, statusOf, whyNoServer } from "./sdk-errors.js";
import { tell } from "./tell.js";
import {
  type HttpKind,
  type HttpServer,
  type McpServerConfig,
  openTransport,
  waysTo,
  whyNoProgram,
} from "./transport.js";
import { VERSION } from "./version.js";

const DEFAULT_TIMEOUT = 60_000;
/** The default limit of a call, even if it keeps reporting progress. */
const DEFAULT_TOTAL_TIMEOUT = 3_600_000;
/** The time limit of a list, as a multiple of the timeout of one answer. */
const MAX_TIMEOUTS = 10;
/** How long a server whose connection broke has to answer a ping, in milliseconds. */
const PULSE = 5000;

/** An open connection. `end` may be called more than once. */
interface Open {
  client: Client;
  end(): Promise<void>;
  /** The number of pending requests. */
  waiting: number;
  /**
   * The server lost the session: the next request opens another connection, and this one ends with its last pending
   * request.
   */
  forget(): void;
  forgotten: boolean;
}

/** The facts about a tool that a call needs. */
interface CalledTool {
  name: string;
  /** Whether the server runs it as a task, which is polled until it is done. */
  asTask: boolean;
}

interface CallContext {
  toolCallId: string;
  signal?: AbortSignal;
}

/**
 * The connection to one server. It is opened when it is needed, and reopened by the next request after it was lost. A
 * call during which it was lost is not repeated.
 */
export class McpConnection {
  readonly server: string;
  readonly #config: McpServerConfig;
  readonly #options: ConnectionOptions;
  readonly #onListChanged: () => void;
  #open: Promise<Open> | undefined;
  /** Ends a connection that is open or being opened. */
  #end: () => Promise<void> = async () => {};
  #lastWords: () => string = () => "";
  /** The first thing that was no message while the connection was being opened. */
  #noise: Error | undefined;
  readonly #closing = new AbortController();

  constructor(server: string, config: McpServerConfig, options: ConnectionOptions, onListChanged: () => void) {
    this.server = server;
    this.#config = config;
    this.#options = options;
    this.#onListChanged = onListChanged;
  }

  get maxResultLength(): number {
    return this.#options.maxResultLength ?? 1_000_000;
  }

  get media(): "text" | "blocks" {
    return this.#options.media ?? "text";
  }

  /** Sends any request. Errors: `McpServerError`; the signal's reason. */
  async ask<T>(
    work: (client: Client, options: RequestOptions) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    return await this.#again(signal, undefined, (client) => work(client, this.#requestOptions(signal)));
  }

  /** Notifies the server, if it is connected, that the roots have changed. */
  async rootsChanged(): Promise<void> {
    const opened = await this.#open?.catch(() => undefined);
    await opened?.client.sendRootsListChanged();
  }

  /**
   * All pages of a list; empty if the server lacks the capability. A list that is too long is truncated and reported.
   */
  async list<T>(
    { of, words = of }: { of: "tools" | "resources" | "prompts"; words?: string },
    fetchPage: (client: Client, params: { cursor?: string }, options: RequestOptions) => Promise<Page<T>>,
    signal: AbortSignal | undefined,
  ): Promise<T[]> {
    return await this.#again(signal, undefined, async (client) => {
      if (!client.getServerCapabilities()?.[of]) return [];
      const options = this.#requestOptions(signal);
      const longest = MAX_TIMEOUTS * (this.#options.timeout ?? DEFAULT_TIMEOUT);
      const { items, isCut } = await allPages((params) => fetchPage(client, params, options), longest);
      if (isCut) {
        const message = `The list of ${words} of the MCP server "${this.server}" is too long, takes too long or does not end. Everything after its first ${items.length} ${words} is omitted.`;
        this.report(new McpServerError("invalid-result", this.server, message));
      }
      return items;
    });
  }

  /** The server's tools without disabled ones. Tools that violate the specification are omitted and reported. */
  async listTools(signal?: AbortSignal): Promise<ListedTool[]> {
    // Not the client's `listTools()`: there one invalid tool makes the whole list fail.
    const listed = await this.list(
      { of: "tools" },
      async (client, params, options) => {
        const result = await client.request({ method: "tools/list", params }, ResultSchema, options);
        return {
          items: readTools(this.server, result.tools, (problem) => this.report(problem)),
          nextCursor: result.nextCursor,
        };
      },
      signal,
    );
    // Of two tools with the same name, the first wins.
    const tools = new Map(listed.toReversed().map((tool) => [tool.name, tool]));
    const names = [...new Set(listed.map(({ name }) => name))];
    const { disabledTools = [] } = this.#config;
    for (const tool of disabledTools) {
      if (tools.delete(tool)) continue;
      const hint = didYouMean(tool, names);
      const message = `The MCP server "${this.server}" has no tool "${tool}", which \`disabledTools\` names. ${hint}`;
      this.report(new McpServerError("bad-tool", this.server, message, { tool }));
    }
    return names.flatMap((name) => tools.get(name) ?? []);
  }

  /**
   * Calls a tool. Errors: `McpServerError` (see its codes); the signal's reason, after the server was notified.
   */
  async call(tool: CalledTool, args: Record<string, unknown>, context: CallContext): Promise<CallToolResult> {
    const { server } = this;
    const { aroundCall } = this.#options;
    const { toolCallId, signal } = context;
    if (!aroundCall) return await this.#send(tool, args, context);
    const asked = { server, tool: tool.name, arguments: args, toolCallId, ...(signal && { signal }) };
    try {
      const next = async (changes?: { arguments?: Record<string, unknown> }) =>
        await this.#send(tool, changes?.arguments ?? args, context);
      const result: unknown = await aroundCall(asked, next);
      if (isObject(result) && Array.isArray(result.content)) return result as CallToolResult;
      const message = `The tool "${tool.name}" has no result: \`aroundCall\` returned ${describeValue(result)}, and not one with \`content\`, as \`return await next()\` does.`;
      throw new McpServerError("callback-failed", server, message, { tool: tool.name });
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof McpServerError) throw error;
      const message = messageOf(error);
      throw new McpServerError("refused", server, message, { tool: tool.name, cause: error });
    }
  }

  async #send(tool: CalledTool, args: Record<string, unknown>, context: CallContext): Promise<CallToolResult> {
    const { server } = this;
    const { toolCallId, signal } = context;
    const { onProgress, maxTotalTimeout = DEFAULT_TOTAL_TIMEOUT } = this.#options;
    const wrong = whyNoJson(args);
    if (wrong !== undefined) {
      const message = `The arguments of the tool "${tool.name}" of the MCP server "${server}" cannot be sent: ${wrong}`;
      throw new McpServerError("invalid-arguments", server, message, { tool: tool.name });
    }
    const params = { name: tool.name, arguments: args };
    const options: RequestOptions = {
      ...this.#requestOptions(signal),
      maxTotalTimeout,
      // Requested even without a listener, because progress shows that a long call is alive.
      resetTimeoutOnProgress: true,
      onprogress: ({ progress, total, message }) =>
        tell(onProgress, { server, tool: tool.name, toolCallId, progress, total, message }),
    };
    return await this.#again(signal, tool.name, async (client) =>
      tool.asTask
        ? await runTask(client, params, options)
        : ((await client.request({ method: "tools/call", params }, CallToolResultSchema, options)) as CallToolResult),
    );
  }

  /** Ends the connection for good. Resolves when the server's process has ended. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#open?.catch(() => {});
    await this.#end();
  }

  #requestOptions(signal: AbortSignal | undefined): RequestOptions {
    return { timeout: this.#options.timeout ?? DEFAULT_TIMEOUT, ...(signal && { signal }) };
  }

  report(problem: McpServerError): void {
    const { onProblem = (warning) => console.warn(`[toolingua] ${warning.message}`) } = this.#options;
    tell(onProblem, problem);
  }

  /** Runs work with the connection; a second time if the server had lost the session before it did anything. */
  async #again<T>(signal: AbortSignal | undefined, tool: string | undefined, work: (client: Client) => Promise<T>) {
    signal?.throwIfAborted();
    for (let tries = 1; ; tries++) {
      const opened = await untilAborted(() => this.#connected(), signal);
      opened.waiting++;
      try {
        return await work(opened.client);
      } catch (error) {
        signal?.throwIfAborted();
        const forgotten = statusOf(error) === 404;
        // The next request lets the user log in again.
        if (error instanceof UnauthorizedError) opened.forget();
        if (forgotten) opened.forget();
        if (!forgotten || tries > 1) throw this.#failure(error, tool, opened.client);
      } finally {
        opened.waiting--;
        if (opened.forgotten && opened.waiting === 0) await opened.end();
      }
    }
  }

  #connected(): Promise<Open> {
    if (this.#closing.signal.aborted) return Promise.reject(this.#wasClosed());
    if (this.#open) return this.#open;
    const opened = this.#connect(() => {
      // Another connection may have been opened since.
      if (this.#open === opened) this.#open = undefined;
    });
    this.#open = opened;
    return opened;
  }

  /**
   * Opens a connection in the first way that the server supports. `onLost` is called when it ends, or if it never
   * opens.
   */
  async #connect(onLost: () => void): Promise<Open> {
    const [first = "http", ...others] = waysTo(this.#config);
    try {
      return await this.#connectBy(first, onLost);
    } catch (error) {
      const [other] = others;
      if (other !== undefined && !this.#closing.signal.aborted && isRefusedAsHttp(error)) {
        try {
          return await this.#connectBy(other, onLost);
        } catch {
          // The error of the newer way is more informative.
        }
      }
      onLost();
      throw this.#closing.signal.aborted ? this.#wasClosed() : this.#unreachable(error);
    }
  }

  /** Errors: those of the SDK. */
  async #connectBy(kind: HttpKind, onLost: () => void, logins = 1): Promise<Open> {
    const client = new Client(
      { name: "toolingua", version: VERSION },
      { capabilities: capabilitiesFor(this.#options) },
    );
    const { transport, lastWords, ended } = openTransport(this.#config, kind);
    this.#lastWords = lastWords;
    this.#noise = undefined;
    client.onerror = (error) => {
      this.#noise ??= error;
    };
    let isOpen = false;
    const end = once(async () => {
      // While it is being opened, other requests wait for it: the next way may succeed.
      if (isOpen) onLost();
      if ("terminateSession" in transport) await endSession(transport);
      const gone = ended();
      await client.close();
      await gone;
    });
    this.#end = end;
    try {
      client.setNotificationHandler(ToolListChangedNotificationSchema, this.#onListChanged);
      addFeatures(client, this.server, this.#options);
      const connecting = client.connect(transport, this.#requestOptions(this.#closing.signal));
      // In the older way, the SDK waits for the first event without a limit.
      const late = kind === "sse" ? [AbortSignal.timeout(this.#options.timeout ?? DEFAULT_TIMEOUT)] : [];
      await untilAborted(() => connecting, AbortSignal.any([this.#closing.signal, ...late]));
    } catch (error) {
      const { authorizationCode } = this.#config as HttpServer;
      const isLoggedOut = error instanceof UnauthorizedError && authorizationCode !== undefined && logins > 0;
      if (isLoggedOut && "finishAuth" in transport) {
        const { finishAuth } = transport as { finishAuth(code: string): Promise<void> };
        await finishAuth.call(transport, await untilAborted(authorizationCode, this.#closing.signal));
        await client.close();
        return await this.#connectBy(kind, onLost, logins - 1);
      }
      await end();
      throw error;
    }
    isOpen = true;
    client.onclose = onLost;
    client.onerror = () => void this.#feelPulse(client, end);
    const opened: Open = {
      client,
      end,
      waiting: 0,
      forgotten: false,
      forget() {
        opened.forgotten = true;
        onLost();
      },
    };
    return opened;
  }

  #wasClosed(): McpServerError {
    const message = `The connection to the MCP server "${this.server}" was closed.`;
    return new McpServerError("closed", this.server, message);
  }

  /**
   * Pings the server after a stream broke. A broken stream does not end the calls that wait for it. A server that is
   * only silent may be busy; how long a call waits is up to the call.
   */
  async #feelPulse(client: Client, end: () => Promise<void>): Promise<void> {
    client.onerror = () => {};
    try {
      await client.ping({ timeout: PULSE });
    } catch (error) {
      // A server that does not support pings is alive, too.
      const isThere =
        exceededLimit(error) !== undefined || (error instanceof McpError && error.code === ErrorCode.MethodNotFound);
      if (!isThere) return await end();
    }
    client.onerror = () => void this.#feelPulse(client, end);
  }

  /** What a process wrote to its standard output instead of messages, as the end of a sentence. */
  #saidInstead(): string {
    if (this.#noise === undefined || !("command" in this.#config)) return "";
    return `. Its standard output has other text than MCP's messages, which belongs to standard error: ${reason(this.#noise)}`;
  }

  #unreachable(cause: unknown): McpServerError {
    const code = cause instanceof UnauthorizedError || statusOf(cause) === 401 ? "unauthorized" : "unreachable";
    const words = this.#lastWords();
    const late = exceededLimit(cause);
    const why =
      whyNoProgram(this.#config, cause) ??
      (late && `${late}${this.#saidInstead()}`) ??
      whyNoServer(cause) ??
      reason(cause);
    const message = `The MCP server "${this.server}" cannot be reached: ${why}${words && `. It wrote:\n${words}`}`;
    return new McpServerError(code, this.server, message, { cause });
  }

  #failure(cause: unknown, tool: string | undefined, client: Client): McpServerError {
    if (cause instanceof McpServerError) return cause;
    if (this.#closing.signal.aborted) return this.#wasClosed();
    const { server } = this;
    const what = tool === undefined ? `The MCP server "${server}"` : `The tool "${tool}" of the MCP server "${server}"`;
    const failed = (code: McpServerError["code"], message: string) =>
      new McpServerError(code, server, `${what} ${message}`, { tool, cause });
    if (cause instanceof UnauthorizedError || statusOf(cause) === 401) {
      return failed("unauthorized", "cannot be used: the server wants other credentials.");
    }
    const exceeded = exceededLimit(cause);
    if (exceeded !== undefined) return failed("timeout", `gave ${exceeded}.`);
    const [issue] = issuesOf(cause);
    if (issue) return failed("invalid-result", `gave a result that breaks the protocol, at ${issue}.`);
    const status = statusOf(cause);
    // The SDK's -1: an answer of an unknown content type.
    if (cause instanceof SyntaxError || status === -1) {
      return failed("invalid-result", `gave an answer that breaks the protocol: ${reason(cause)}.`);
    }
    if (status !== undefined && status >= 500) {
      return failed("server-failed", `gave no answer: the server failed (${reason(cause)}).`);
    }
    const answered = (cause instanceof McpError && !isBrokenStream(cause)) || status !== undefined;
    // A server may use the SDK's code (-32000), so the connection itself is checked.
    if (!answered || client.transport === undefined) {
      const words = this.#lastWords();
      const known = words && ` It wrote:\n${words}`;
      return failed("connection-lost", `gave no answer: the connection was lost (${reason(cause)}).${known}`);
    }
    return failed("refused", `refused: ${reason(cause)}`);
  }
}

/** Tells an HTTP server that the session has ended. The server may be dead, or not support it. */
async function endSession(transport: object): Promise<void> {
  const { terminateSession } = transport as { terminateSession(): Promise<void> };
  const waited = new Promise<void>((resolve) => setTimeout(resolve, 1000).unref());
  await Promise.race([terminateSession.call(transport).catch(() => {}), waited]);
}

/** Why arguments cannot be sent; undefined if they can. */
function whyNoJson(args: unknown): string | undefined {
  if (!isObject(args)) return "they are not an object.";
  const lacks = lackedByJson(args);
  // The path into an object that contains itself is long.
  return lacks && `${clip(`arguments${lacks.path}`, 100)} ${lacks.what}.`;
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}
