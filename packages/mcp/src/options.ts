import type {
  CallToolResult,
  CreateMessageRequest,
  CreateMessageResult,
  ElicitResult,
  Tool as ListedTool,
  LoggingLevel,
} from "@modelcontextprotocol/sdk/types.js";
import { checkOptionNames, checkOptionValues, type OptionRule, type OptionRules, oneOf } from "@toolingua/core";
import { aFunction, aTimer } from "@toolingua/core/adapters";
import type { McpServerError } from "./errors.js";
import { type McpRoot, toRoot } from "./roots.js";
import type { McpOptions } from "./toolset.js";

/** How far a call is. */
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

/** A question of a server to the user: a form (`requestedSchema`), or a page to visit (`url`). */
export interface McpQuestion {
  server: string;
  mode: "form" | "url";
  message: string;
  /** The JSON Schema of the form: an object with values of simple types. */
  requestedSchema?: { [keyword: string]: unknown } | undefined;
  url?: string | undefined;
  signal: AbortSignal;
}

/** What a server wants a model to answer. */
export type McpSampling = CreateMessageRequest["params"] & { server: string; signal: AbortSignal };

/** What a server says without being asked. */
export type McpEvent =
  | { type: "resources-changed" | "prompts-changed"; server: string }
  | { type: "resource-updated"; server: string; uri: string }
  | { type: "log"; server: string; level: LoggingLevel; logger?: string | undefined; data: unknown };

/** What a connection to a server depends on. */
export interface ConnectionOptions {
  /** For each answer of a server, in milliseconds. A call that reports progress gets it anew each time. Default: 60000. */
  timeout?: number | undefined;
  /** For a call as a whole, whatever progress it reports, in milliseconds. Default: 3600000, an hour. */
  maxTotalTimeout?: number | undefined;
  /** Of a longer result the model is shown the beginning, in characters. Default: 1000000. */
  maxResultLength?: number | undefined;
  /**
   * What becomes of pictures, sounds and files in results. `text`: a line that says what they are; `blocks`: such a result is
   * a list of content blocks (`{ type: "image", data, mimeType }`), for models that see. Default: `text`.
   */
  media?: "text" | "blocks" | undefined;
  /**
   * Stands around each call: it may change the arguments (`next({ arguments })`), answer without the server, look at the
   * result or change it. An error that it throws is a failure of the call, which the model is told of.
   */
  aroundCall?:
    | ((
        call: McpCall,
        next: (changes?: { arguments?: Record<string, unknown> }) => Promise<CallToolResult>,
      ) => CallToolResult | Promise<CallToolResult>)
    | undefined;
  /** The folders that servers may work on: paths, `file:` URLs, or `{ uri, name }`. Without it, they are not told of any. */
  roots?: readonly McpRoot[] | (() => readonly McpRoot[] | Promise<readonly McpRoot[]>) | undefined;
  /** Asks the user what a server wants to know. Without it, servers cannot ask. */
  onElicit?: ((question: McpQuestion) => ElicitResult | Promise<ElicitResult>) | undefined;
  /** Lets a model answer a server; see {@link sampleWith}. Without it, servers cannot ask one. */
  onSample?: ((request: McpSampling) => CreateMessageResult | Promise<CreateMessageResult>) | undefined;
  onEvent?: ((event: McpEvent) => void) | undefined;
  onProgress?: ((progress: McpProgress) => void) | undefined;
  /** What is wrong with a server that can be worked with nonetheless. Default: `console.warn`. */
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
