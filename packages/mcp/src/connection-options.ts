import type {
  CallToolResult,
  CreateMessageRequest,
  CreateMessageResult,
  ElicitResult,
  LoggingLevel,
} from "@modelcontextprotocol/sdk/types.js";
import type { McpServerError } from "./errors.js";
import type { McpRoot } from "./roots.js";

/** The progress of a call. */
export interface McpProgress {
  server: string;
  /** The tool's name on the server. */
  tool: string;
  toolCallId: string;
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}

/** A call of a tool, before it is sent. */
export interface McpCall {
  server: string;
  /** The tool's name on the server. */
  tool: string;
  arguments: Record<string, unknown>;
  toolCallId: string;
  signal?: AbortSignal | undefined;
}

/** A server's question to the user: a form (`requestedSchema`), or a page to visit (`url`). */
export interface McpQuestion {
  server: string;
  mode: "form" | "url";
  message: string;
  /** The JSON Schema of the form: an object with values of simple types. */
  requestedSchema?: { [keyword: string]: unknown } | undefined;
  url?: string | undefined;
  signal: AbortSignal;
}

/** A server's request to a model. */
export type McpSampling = CreateMessageRequest["params"] & { server: string; signal: AbortSignal };

/** A notification of a server. */
export type McpEvent =
  | { type: "resources-changed" | "prompts-changed"; server: string }
  | { type: "resource-updated"; server: string; uri: string }
  | { type: "log"; server: string; level: LoggingLevel; logger?: string | undefined; data: unknown };

/** Options of the connection to a server. */
export interface ConnectionOptions {
  /** The time limit of each answer, in milliseconds. Restarts whenever a call reports progress. Default: 60000. */
  timeout?: number | undefined;
  /** The time limit of a whole call, regardless of progress, in milliseconds. Default: 3600000, an hour. */
  maxTotalTimeout?: number | undefined;
  /** The longest result for the model, in characters; a longer one is truncated. Default: 1000000. */
  maxResultLength?: number | undefined;
  /**
   * The form of images, audio and files in results. `text`: a line that describes them; `blocks`: the result is a list
   * of content blocks (`{ type: "image", data, mimeType }`), for models with vision. Default: `text`.
   */
  media?: "text" | "blocks" | undefined;
  /**
   * Wraps each call: it may change the arguments (`next({ arguments })`), answer without the server, observe the result
   * or change it. An error that it throws is a failure of the call, whose message the model is shown.
   */
  aroundCall?:
    | ((
        call: McpCall,
        next: (changes?: { arguments?: Record<string, unknown> }) => Promise<CallToolResult>,
      ) => CallToolResult | Promise<CallToolResult>)
    | undefined;
  /**
   * The folders that servers may work in: paths, `file:` URLs, or `{ uri, name }`. Without it, servers receive none.
   */
  roots?: readonly McpRoot[] | (() => readonly McpRoot[] | Promise<readonly McpRoot[]>) | undefined;
  /** Asks the user a server's question. Without it, servers cannot ask. */
  onElicit?: ((question: McpQuestion) => ElicitResult | Promise<ElicitResult>) | undefined;
  /** Lets a model answer a server's request; see {@link sampleWith}. Without it, servers cannot send any. */
  onSample?: ((request: McpSampling) => CreateMessageResult | Promise<CreateMessageResult>) | undefined;
  onEvent?: ((event: McpEvent) => void) | undefined;
  onProgress?: ((progress: McpProgress) => void) | undefined;
  /** Called with problems of a server that remains usable. Default: `console.warn`. */
  onProblem?: ((problem: McpServerError) => void) | undefined;
}
