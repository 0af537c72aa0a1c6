import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import {
  type ClientCapabilities,
  type CreateMessageRequest,
  type CreateMessageResult,
  CreateMessageResultSchema,
  type ElicitRequestFormParams,
  type ElicitResult,
  ElicitResultSchema,
  type Implementation,
  ListRootsResultSchema,
  type LoggingLevel,
  LoggingLevelSchema,
  type Root,
  type ServerNotification,
  type ServerRequest,
  SetLevelRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { type JsonSchema, ToolinguaError, validateValue } from "@toolingua/core";
import { checkArgument, describeIssues } from "@toolingua/core/adapters";

/** The key in a call's context under which a served tool finds its client. */
export const MCP_CLIENT: unique symbol = Symbol.for("toolingua.mcp.client");

/**
 * A client cannot do what a served tool asks for. Codes: `unsupported` (the client did not declare the capability),
 * `invalid-answer` (the user's answer does not match the form).
 *
 * @example if (error instanceof McpClientError && error.code === "unsupported") return "Ask me with more detail.";
 */
export class McpClientError extends ToolinguaError {
  static override readonly name: string = "McpClientError";
}

/**
 * The client that called a served tool, and the requests it can answer. Errors: {@link McpClientError}; the SDK's
 * `McpError`.
 */
export interface McpClientAccess {
  readonly client: Implementation | undefined;
  readonly capabilities: ClientCapabilities;
  /** Reports progress; nothing is sent if the client does not ask for it. */
  progress(progress: number, total?: number, message?: string): Promise<void>;
  /** Sends a log message; nothing is sent if the client does not want its level. */
  log(level: LoggingLevel, data: unknown, logger?: string): Promise<void>;
  /** Asks the user, with a form by a JSON Schema for an object with values of simple types. */
  elicit(message: string, schema: ElicitRequestFormParams["requestedSchema"]): Promise<ElicitResult>;
  /** Asks the client's model. A string is a user's message. */
  sample(request: string | CreateMessageRequest["params"]): Promise<CreateMessageResult>;
  /** The folders that the user works in. */
  roots(): Promise<Root[]>;
}

/**
 * The client that called the tool, from the context of its `execute`; undefined if the tool was not called over MCP.
 *
 * @example
 * const clean = { name: "clean", execute: async (_, context) => {
 *   const answer = await clientOf(context)?.elicit("Delete all?", { type: "object", properties: { sure: { type:
 * "boolean" } } });
 *   return answer?.content?.sure ? "Deleted." : "Nothing was deleted.";
 * } };
 */
export function clientOf(context: object): McpClientAccess | undefined {
  checkArgument("context", "object", context);
  return (context as { [MCP_CLIENT]?: McpClientAccess })[MCP_CLIENT];
}

/** How long a person may take to answer, in milliseconds. */
const PATIENCE = 600_000;
const MAX_TOKENS = 1000;

/** The level from which a client wants log messages: all until it sets one (`logging/setLevel`). */
export class LogLevel {
  #least: LoggingLevel = "debug";

  /** Replaces the SDK's own handler, whose level only applies to messages that belong to no call. */
  addTo(server: Server): void {
    server.setRequestHandler(SetLevelRequestSchema, ({ params }) => {
      this.#least = params.level;
      return {};
    });
  }

  isWanted(level: LoggingLevel): boolean {
    const order = LoggingLevelSchema.options;
    return order.indexOf(level) >= order.indexOf(this.#least);
  }
}

export function clientAccess(
  server: Server,
  logLevel: LogLevel,
  { signal, sendRequest, sendNotification, _meta: meta }: RequestHandlerExtra<ServerRequest, ServerNotification>,
): McpClientAccess {
  const needs = (capability: "elicitation" | "sampling" | "roots", what: string) => {
    if (server.getClientCapabilities()?.[capability]) return;
    const name = server.getClientVersion()?.name ?? "unknown";
    throw new McpClientError("unsupported", `The MCP client "${name}" ${what}: it has no capability "${capability}".`);
  };
  const options = { signal, timeout: PATIENCE };
  return {
    client: server.getClientVersion(),
    capabilities: server.getClientCapabilities() ?? {},
    async progress(progress, total, message) {
      const progressToken = meta?.progressToken;
      if (progressToken === undefined) return;
      const said = { ...(total !== undefined && { total }), ...(message !== undefined && { message }) };
      await sendNotification({ method: "notifications/progress", params: { progressToken, progress, ...said } });
    },
    async log(level, data, logger) {
      if (!logLevel.isWanted(level)) return;
      const params = { level, data, ...(logger !== undefined && { logger }) };
      await sendNotification({ method: "notifications/message", params });
    },
    async elicit(message, requestedSchema) {
      needs("elicitation", "cannot ask its user");
      const params = { mode: "form" as const, message, requestedSchema };
      const answer = await sendRequest({ method: "elicitation/create", params }, ElicitResultSchema, options);
      const issues = answer.action === "accept" ? validateValue(answer.content, requestedSchema as JsonSchema) : [];
      if (issues.length === 0) return answer;
      const found = describeIssues(issues, "; ");
      throw new McpClientError("invalid-answer", `The user's answer does not match the form: ${found}`);
    },
    async sample(request) {
      needs("sampling", "cannot ask a model");
      const params =
        typeof request === "string"
          ? {
              messages: [{ role: "user" as const, content: { type: "text" as const, text: request } }],
              maxTokens: MAX_TOKENS,
            }
          : request;
      return await sendRequest({ method: "sampling/createMessage", params }, CreateMessageResultSchema, options);
    },
    async roots() {
      needs("roots", "does not say what it works on");
      return (await sendRequest({ method: "roots/list" }, ListRootsResultSchema, options)).roots;
    },
  };
}
