import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import { functionJson, nativeTools } from "../tool-text/index.js";
import { callList, namedResults } from "./parts.js";

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
    ...callList("[unused11]", "[unused12]"),
    spans: [{ open: "[unused16]", close: "[unused17]", as: "reasoning" }, namedResults.span],
    stop: namedResults.stop,
  },
  renderTools: (tools, context) =>
    [
      "# Tools",
      "",
      "<tools>",
      nativeTools(tools, context, functionJson),
      "</tools>",
      "",
      "To call functions, write a JSON list of the calls between the two tokens:",
      '[unused11][{"name": <function name>, "arguments": <args json object>}][unused12]',
    ].join("\n"),
  renderResults: namedResults.render,
});
