import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import { functionJson, nativeTools } from "../tool-text/index.js";
import { callList, namedResults, parametersCall } from "./parts.js";

/**
 * All calls as a JSON list between two tokens.
 *
 * @example
 * // <|FunctionCallBegin|>[{"name": "add", "parameters": {"a": 2, "b": 3}}]<|FunctionCallEnd|>
 */
export const doubao = defineProtocol({
  name: "doubao",
  about: {
    models: "Doubao, and models trained on CodeGym",
    source: "the training environment of StigLidu/CodeGym, and replies of Doubao as text",
  },
  bodies: [jsonCallBody],
  syntax: {
    parallel: true,
    ...callList("<|FunctionCallBegin|>", "<|FunctionCallEnd|>", parametersCall),
    spans: [namedResults.span],
    stop: namedResults.stop,
  },
  renderTools: (tools, context) =>
    [
      "You can call the following functions:",
      nativeTools(tools, context, functionJson),
      "",
      "To call functions, write a JSON list of the calls between the two tokens:",
      '<|FunctionCallBegin|>[{"name": "function name", "parameters": {"parameter": "value"}}]<|FunctionCallEnd|>',
    ].join("\n"),
  renderResults: namedResults.render,
});
