import { aDuration, aFunction, aSignal, aTimer, checkOptions, type OptionRules, oneOf } from "@toolingua/core/adapters";
import type { ConnectionOptions } from "./connection-options.js";
import type { McpTool } from "./mcp-tool.js";
import { toRoot } from "./roots.js";

/** Options for fetching, naming and calling the tools of MCP servers. */
export interface McpOptions extends ConnectionOptions {
  /**
   * `clash`: tools of several servers with the same name become `server__tool`, all others keep their names; `always`:
   * all become `server__tool`. Default: `clash`.
   */
  prefix?: "clash" | "always" | undefined;
  /** Aborts connecting. */
  signal?: AbortSignal | undefined;
  /** Called when a server's tools have changed, with all current tools. */
  onToolsChanged?: ((tools: readonly McpTool[]) => void) | undefined;
}

const rules: OptionRules<McpOptions> = {
  prefix: oneOf("clash", "always"),
  signal: aSignal,
  onToolsChanged: aFunction,
  timeout: aTimer,
  maxTotalTimeout: aDuration,
  maxResultLength: { takes: (value) => typeof value === "number" && value > 0, words: "a number of characters" },
  media: oneOf("text", "blocks"),
  aroundCall: aFunction,
  roots: {
    takes: (value) => Array.isArray(value) || aFunction.takes(value),
    words: "a list, or a function that gives one",
  },
  onElicit: aFunction,
  onSample: aFunction,
  onEvent: aFunction,
  onProgress: aFunction,
  onProblem: aFunction,
};

/** Errors: `OptionsError` (`bad-option`). */
export function checkMcpOptions(options: McpOptions): void {
  checkOptions(rules, options, "the options of connectMcp");
  if (Array.isArray(options.roots)) options.roots.forEach(toRoot);
}
