import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import { callList, listPrompt, namedResults, parametersCall, think } from "./parts.js";

const OPEN = "<|tool_call_start|>";
const CLOSE = "<|tool_call_end|>";
const list = callList(OPEN, CLOSE);

/**
 * All calls as a JSON list between two tokens.
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
    also: [...list.also, callList(OPEN, CLOSE, parametersCall)],
    spans: [think, namedResults.span],
    stop: namedResults.stop,
  },
  renderTools: (tools, context) => listPrompt(OPEN, CLOSE, tools, context),
  renderResults: namedResults.render,
});
