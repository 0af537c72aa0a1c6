import { preparedTools } from "../schema/prepared-tools.js";
import type { AnyTool } from "../schema/tool-shapes.js";
import type { ToolStyle } from "../types.js";
import * as lists from "./index.js";

// The lists for applications, whose tools have any shape and are checked first.

/**
 * The list of tools in a style that all protocols share. `native` is left to the protocol.
 *
 * Errors: `ToolDefinitionError`; `OptionsError` (`bad-option`).
 *
 * @example listTools(tools, "signature"); // add(args: { a: integer, b: integer })
 */
export const listTools = (tools: readonly AnyTool[], style: Exclude<ToolStyle, "native">): string =>
  lists.listTools(preparedTools(tools), style);

/**
 * Tools as compact JSON, one line per tool: name, description and the JSON Schema of the arguments.
 *
 * Errors: `ToolDefinitionError`.
 *
 * @example toolsAsJson([{ name: "now", description: "The time" }]); // {"name":"now","description":"The time"}
 */
export const toolsAsJson = (tools: readonly AnyTool[]): string => lists.toolsAsJson(preparedTools(tools));

/**
 * Tools as names and lines, the shortest form of what a signature contains: one line per argument. For tools of ordinary
 * length it takes less than half of the tokens of OpenAI's compact JSON.
 *
 * Errors: `ToolDefinitionError`.
 *
 * @example
 * toolsAsLines([{ name: "add", parameters: { type: "object", properties: { a: { type: "integer" } }, required: ["a"] } }]);
 * // ?: optional; no type: string
 * // add
 * //  a int
 */
export const toolsAsLines = (tools: readonly AnyTool[]): string => lists.toolsAsLines(preparedTools(tools));

/**
 * Tools as TypeScript-like signatures, with descriptions, defaults and limits as comments. They take about half the
 * tokens of JSON Schema.
 *
 * Errors: `ToolDefinitionError`.
 *
 * @example
 * toolsAsSignatures([{ name: "add", parameters: { type: "object", properties: { a: { type: "integer" } } } }]);
 * // add(args: { a?: integer })
 */
export const toolsAsSignatures = (tools: readonly AnyTool[]): string => lists.toolsAsSignatures(preparedTools(tools));
