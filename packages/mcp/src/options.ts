import type { CallToolResult, Tool as ListedTool } from "@modelcontextprotocol/sdk/types.js";
import type { McpServerError } from "./errors.js";

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

/** What a connection to a server depends on. */
export interface ConnectionOptions {
  /** For each answer of a server, in milliseconds. A call that reports progress gets it anew each time. Default: 60000. */
  timeout?: number | undefined;
  /** For a call as a whole, whatever progress it reports, in milliseconds. Default: 3600000, an hour. */
  maxTotalTimeout?: number | undefined;
  /** Of a longer result the model is shown the beginning, in characters. Default: 1000000. */
  maxResultLength?: number | undefined;
  onProgress?: ((progress: McpProgress) => void) | undefined;
  /** What is wrong with a server that can be worked with nonetheless. Default: `console.warn`. */
  onProblem?: ((problem: McpServerError) => void) | undefined;
}

/** A tool as a server lists it. */
export type { CallToolResult, ListedTool };
