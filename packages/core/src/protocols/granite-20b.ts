import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import { jsonCall } from "../syntax/parts.js";
import { definitionJson, nativeTools } from "../tool-text/index.js";
import { resultsBetween } from "./parts.js";

/**
 * Each call after a tag that is not closed.
 *
 * @example
 * // <function_call> {"name": "add", "arguments": {"a": 2, "b": 3}}<function_call> {"name": "now", "arguments": {}}
 */
export const granite20b = defineProtocol({
  name: "granite-20b",
  about: {
    models: "Granite 20B Function Calling",
    source: "the model card of ibm-granite/granite-20b-functioncalling",
  },
  bodies: [jsonCallBody],
  syntax: {
    parallel: true,
    block: { open: "", separator: "", close: "" },
    call: ["<function_call> ", jsonCall],
    also: [{ call: ["<function_call>", jsonCall, "</function_call>"] }],
    spans: [{ open: "<function_response>", close: "<|endoftext|>", as: "dropped" }],
    stop: ["<function_response>"],
  },
  renderTools: (tools, context) =>
    [
      "You are a helpful assistant with access to the following function calls. Your task is to produce a sequence of function calls necessary to generate response to the user utterance. Use the following function calls as required.",
      "<|function_call_library|>",
      nativeTools(tools, context, definitionJson),
      "",
      'Write each call as <function_call> {"name": "function name", "arguments": {"argument": "value"}}. If no function is relevant, or the question lacks the parameters a function requires, answer in words.',
    ].join("\n"),
  renderResults: resultsBetween("<function_response> ", ""),
});
