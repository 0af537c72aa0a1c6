import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import { functionJson, nativeTools } from "../tool-text/index.js";
import { callList, namedResults, parametersCall, think } from "./parts.js";

const list = callList("<|tool_call_start|>", "<|tool_call_end|>");

/**
 * As `pangu`, with named tokens.
 *
 * @example
 * // <|tool_call_start|>[{"name": "add", "arguments": {"a": 2, "b": 3}}]<|tool_call_end|>
 */
export const panguV2 = defineProtocol({
  name: "pangu-v2",
  about: { models: "openPangu 2", source: "the tool parser for openPangu 2 in vLLM; the prompt is ours" },
  bodies: [jsonCallBody],
  syntax: {
    parallel: true,
    ...list,
    also: [...list.also, callList("<|tool_call_start|>", "<|tool_call_end|>", parametersCall)],
    spans: [think, namedResults.span],
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
      '<|tool_call_start|>[{"name": <function name>, "arguments": <args json object>}]<|tool_call_end|>',
    ].join("\n"),
  renderResults: namedResults.render,
});
