import { jsonBody } from "../bodies/json.js";
import { jsonCallBody } from "../bodies/json-call.js";
import { pythonArgumentsBody } from "../bodies/python-arguments.js";
import { defineProtocol } from "../define-protocol.js";
import { jsonCall } from "../syntax/parts.js";
import { resultText } from "../tool-text/error-text.js";
import { functionJson, nativeTools } from "../tool-text/index.js";
import { renderJson } from "../tool-text/render-json.js";
import { hermes } from "./hermes.js";
import { namedResults, think } from "./parts.js";

/**
 * As `hermes` on one line, with results as JSON.
 *
 * @example
 * // <tool_call>{"name": "add", "arguments": {"a": 2, "b": 3}}</tool_call>
 */
export const exaone4 = defineProtocol({
  name: "exaone4",
  about: { models: "EXAONE 4.0, 4.5, K-EXAONE", source: "the chat template of LGAI-EXAONE/EXAONE-4.0-32B" },
  // The forms that are only read are those of `hermes`, so all its bodies are needed.
  bodies: [jsonBody, jsonCallBody, pythonArgumentsBody],
  syntax: {
    ...hermes.syntax,
    call: ["<tool_call>", jsonCall, "</tool_call>"],
    spans: [think, namedResults.span],
    turns: ["user", "tool", "system"].map((role) => `[|${role}|]`),
    stop: namedResults.stop,
  },
  renderTools: (tools, context) =>
    [
      "# Available Tools",
      "You can use none, one, or multiple of the following tools by calling them as functions to help with the user’s query.",
      "Here are the tools available to you in JSON format within <tool> and </tool> tags:",
      nativeTools(tools, context, (tool) => `<tool>${functionJson(tool)}</tool>`),
      "",
      "For each function call you want to make, return a JSON object with function name and arguments within <tool_call> and </tool_call> tags, like:",
      '<tool_call>{"name": function_1_name, "arguments": {argument_1_name: argument_1_value, argument_2_name: argument_2_value}}</tool_call>',
      '<tool_call>{"name": function_2_name, "arguments": {...}}</tool_call>',
      "...",
    ].join("\n"),
  renderResults: (results) =>
    results.map((result) => `<tool_result>${renderJson({ result: resultText(result) })}</tool_result>`).join("\n"),
});
