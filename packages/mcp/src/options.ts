import type {
  CallToolResult,
  CreateMessageRequest,
  CreateMessageResult,
  ElicitResult,
  Tool as ListedTool,
  LoggingLevel,
} from "@modelcontextprotocol/sdk/types.js";
import {
  aFunction,
  aTimer,
  checkOptionNames,
  checkOptionValues,
  type OptionRule,
  type OptionRules,
  oneOf,
} from "@toolingua/core/adapters";
import type { McpServerError } from "./errors.js";
import { type McpRoot, toRoot } from "./roots.js";
import type { McpOptions } from "./toolset.js";

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

const isFunction = (value: unknown) => typeof value === "function";
const aTime: OptionRule = {
  takes: (value) => typeof value === "number" && value > 0,
  words: "a number of milliseconds",
};

const rules: OptionRules<McpOptions> = {
  prefix: oneOf("clash", "always"),
  signal: { takes: (value) => value instanceof AbortSignal, words: "an AbortSignal" },
  onToolsChanged: aFunction,
  timeout: aTimer,
  maxTotalTimeout: aTime,
  maxResultLength: { takes: (value) => typeof value === "number" && value > 0, words: "a number of characters" },
  media: oneOf("text", "blocks"),
  aroundCall: aFunction,
  roots: { takes: (value) => Array.isArray(value) || isFunction(value), words: "a list, or a function that gives one" },
  onElicit: aFunction,
  onSample: aFunction,
  onEvent: aFunction,
  onProgress: aFunction,
  onProblem: aFunction,
};

/** Errors: `OptionsError` (`bad-option`). */
export function checkOptions(options: McpOptions): void {
  checkOptionNames(rules, options, "the options of connectMcp");
  checkOptionValues(rules, options);
  if (Array.isArray(options.roots)) options.roots.forEach(toRoot);
}

/** A tool as a server lists it. */
export type { CallToolResult, ListedTool };
