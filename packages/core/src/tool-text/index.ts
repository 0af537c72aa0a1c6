import { describeValue } from "../common/describe-value.js";
import { OptionsError } from "../errors.js";
import type { ListContext, ToolDefinition, ToolStyle } from "../types.js";
import { toolsAsLines } from "./compact.js";
import { toolsAsJson } from "./json.js";
import { toolsAsSignatures } from "./signature.js";

export { toolsAsLines } from "./compact.js";
export {
  definitionJson,
  functionJson,
  functionOf,
  indentedFunctionJson,
  plainDefinition,
  toolsAsJson,
  withoutDialect,
} from "./json.js";
export { toolsAsSignatures, typesIn } from "./signature.js";
export { typescriptOf } from "./typescript.js";

/** The list of tools in a protocol's own style (each tool by `native`), or in a style that all protocols share. */
export function nativeTools(
  tools: readonly ToolDefinition[],
  { style, listTools }: ListContext,
  native: (tool: ToolDefinition) => string,
  separator = "\n",
): string {
  return style === "native" ? tools.map(native).join(separator) : listTools(tools, style);
}

/** The same list of tools, as a JSON list in the protocol's own style. */
export function nativeList(
  tools: readonly ToolDefinition[],
  { style, listTools }: ListContext,
  native: (tool: ToolDefinition) => string,
): string {
  return style === "native" ? `[${tools.map(native).join(", ")}]` : listTools(tools, style);
}

/**
 * The list of tools in a style that all protocols share. `native` is left to the protocol.
 *
 * Errors: `ToolDefinitionError` `limit` for a tool whose parameters are too large; `OptionsError` (`bad-option`).
 *
 * @example listTools(tools, "signature"); // add(args: { a: integer, b: integer })
 */
export function listTools(tools: readonly ToolDefinition[], style: Exclude<ToolStyle, "native">): string {
  if (!Object.hasOwn(writers, style))
    throw new OptionsError("bad-option", `\`style\` is "json", "signature" or "compact", not ${describeValue(style)}.`);
  return writers[style](tools);
}

const writers = { json: toolsAsJson, signature: toolsAsSignatures, compact: toolsAsLines };
