import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import type { ProtocolDeclaration } from "../protocol.js";
import { functionJson, nativeTools } from "../tool-text/index.js";
import { callList, namedResults } from "./parts.js";

const OPEN = "[unused11]";
const CLOSE = "[unused12]";

/** The section of tools, with the list of calls between these two tokens. */
export const panguTools =
  (open: string, close: string): ProtocolDeclaration["renderTools"] =>
  (tools, context) =>
    [
      "# Tools",
      "",
      "<tools>",
      nativeTools(tools, context, functionJson),
      "</tools>",
      "",
      "To call functions, write a JSON list of the calls between the two tokens:",
      `${open}[{"name": <function name>, "arguments": <args json object>}]${close}`,
    ].join("\n");

/**
 * All calls as a JSON list between two tokens that the tokenizer left without a name.
 *
 * @example
 * // [unused11][{"name": "add", "arguments": {"a": 2, "b": 3}}][unused12]
 */
export const pangu = defineProtocol({
  name: "pangu",
  about: { models: "openPangu", source: "the tool parser for openPangu in vLLM; the prompt is ours" },
  bodies: [jsonCallBody],
  syntax: {
    parallel: true,
    ...callList(OPEN, CLOSE),
    spans: [{ open: "[unused16]", close: "[unused17]", as: "reasoning" }, namedResults.span],
    stop: namedResults.stop,
  },
  renderTools: panguTools(OPEN, CLOSE),
  renderResults: namedResults.render,
});
