import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { RequestOptions } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type {
  Implementation,
  LoggingLevel,
  Prompt,
  PromptMessage,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  ServerCapabilities,
} from "@modelcontextprotocol/sdk/types.js";
import { type ChatMessage, OptionsError } from "@toolingua/core";
import type { McpConnection } from "./connection.js";
import type { Page } from "./pages.js";
import { chatMessages } from "./prompt-messages.js";

/** Options of every request to a server. */
export interface McpRequestOptions {
  signal?: AbortSignal | undefined;
}

/** The target of a completion: an argument of a prompt, or a variable of a resource template. */
export type McpReference = { prompt: string } | { resource: string };

/**
 * A server's features besides its tools. Each method sends a request, and reopens the connection if it was lost.
 *
 * A list that is too long is truncated and reported to `onProblem`. Errors: {@link McpServerError}, as for calls; the
 * signal's reason.
 */
export interface McpServerHandle {
  readonly name: string;
  /** The server's description of itself. */
  about(options?: McpRequestOptions): Promise<{
    implementation: Implementation | undefined;
    capabilities: ServerCapabilities;
    instructions: string | undefined;
  }>;
  /** All resources; none if the server lacks the capability. */
  listResources(options?: McpRequestOptions): Promise<Resource[]>;
  listResourceTemplates(options?: McpRequestOptions): Promise<ResourceTemplate[]>;
  /** The contents: `text`, or `blob` in base64. */
  readResource(uri: string, options?: McpRequestOptions): Promise<ReadResourceResult["contents"]>;
  /** Subscribes to changes, which `onEvent` receives (`resource-updated`). */
  subscribe(uri: string, options?: McpRequestOptions): Promise<void>;
  unsubscribe(uri: string, options?: McpRequestOptions): Promise<void>;
  /** All prompts; none if the server lacks the capability. */
  listPrompts(options?: McpRequestOptions): Promise<Prompt[]>;
  /** A prompt with its arguments filled in: as the server returns it, and as messages for `ToolConversation`. */
  getPrompt(
    name: string,
    args?: Record<string, string>,
    options?: McpRequestOptions,
  ): Promise<{ description?: string; messages: PromptMessage[]; chatMessages: ChatMessage[] }>;
  /** Completes an argument. `others`: the known values of the other arguments. */
  complete(
    reference: McpReference,
    argument: { name: string; value: string; others?: Record<string, string> },
    options?: McpRequestOptions,
  ): Promise<{ values: string[]; total?: number; hasMore?: boolean }>;
  /** Sets the level of the log messages that `onEvent` receives. */
  setLogLevel(level: LoggingLevel, options?: McpRequestOptions): Promise<void>;
}

export function serverHandle(connection: McpConnection): McpServerHandle {
  const ask = <T>(work: (client: Client, options: RequestOptions) => Promise<T>, options?: McpRequestOptions) =>
    connection.ask(work, options?.signal);
  return {
    name: connection.server,
    about: (options) =>
      ask(
        async (client) => ({
          implementation: client.getServerVersion(),
          capabilities: client.getServerCapabilities() ?? {},
          instructions: client.getInstructions(),
        }),
        options,
      ),
    listResources: (options) => connection.list({ of: "resources" }, resources, options?.signal),
    listResourceTemplates: (options) =>
      connection.list({ of: "resources", words: "resource templates" }, resourceTemplates, options?.signal),
    readResource: (uri, options) =>
      ask(async (client, how) => (await client.readResource({ uri }, how)).contents, options),
    subscribe: (uri, options) =>
      ask(async (client, how) => void (await client.subscribeResource({ uri }, how)), options),
    unsubscribe: (uri, options) =>
      ask(async (client, how) => void (await client.unsubscribeResource({ uri }, how)), options),
    listPrompts: (options) => connection.list({ of: "prompts" }, prompts, options?.signal),
    getPrompt: (name, args = {}, options) =>
      ask(async (client, how) => {
        const { description, messages } = await client.getPrompt({ name, arguments: args }, how);
        const chat = chatMessages(messages);
        return { messages, chatMessages: chat, ...(description !== undefined && { description }) };
      }, options),
    complete: async (reference, { name, value, others }, options) => {
      checkReference(reference);
      return await ask(async (client, how) => {
        const ref =
          "prompt" in reference
            ? { type: "ref/prompt" as const, name: reference.prompt }
            : { type: "ref/resource" as const, uri: reference.resource };
        const context = others && { context: { arguments: others } };
        const { completion } = await client.complete({ ref, argument: { name, value }, ...context }, how);
        const { values, total, hasMore } = completion;
        return { values, ...(total !== undefined && { total }), ...(hasMore !== undefined && { hasMore }) };
      }, options);
    },
    setLogLevel: (level, options) =>
      ask(async (client, how) => void (await client.setLoggingLevel(level, how)), options),
  };
}

type FetchPage<T> = (client: Client, page: { cursor?: string }, how: RequestOptions) => Promise<Page<T>>;

const resources: FetchPage<Resource> = async (client, page, how) => {
  const { resources, nextCursor } = await client.listResources(page, how);
  return { items: resources, nextCursor };
};

const resourceTemplates: FetchPage<ResourceTemplate> = async (client, page, how) => {
  const { resourceTemplates, nextCursor } = await client.listResourceTemplates(page, how);
  return { items: resourceTemplates, nextCursor };
};

const prompts: FetchPage<Prompt> = async (client, page, how) => {
  const { prompts, nextCursor } = await client.listPrompts(page, how);
  return { items: prompts, nextCursor };
};

/** Errors: `OptionsError` (`bad-option`). */
function checkReference(reference: McpReference): void {
  const [name, ...more] = Object.keys(reference);
  if (more.length === 0 && (name === "prompt" || name === "resource")) return;
  const message = `A completion needs { prompt: name } or { resource: uriTemplate }, not ${JSON.stringify(reference)}.`;
  throw new OptionsError("bad-option", message);
}
