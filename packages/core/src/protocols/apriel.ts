import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import { functionJson, nativeTools } from "../tool-text/index.js";
import { callList, resultsBetween, think } from "./parts.js";

/**
 * All calls as a JSON list in a tag. Version 1.5 and later reason first, up to a mark before the answer.
 *
 * @example
 * // <tool_calls>[{"name": "add", "arguments": {"a": 2, "b": 3}}]</tool_calls>
 */
export const apriel = defineProtocol({
  name: "apriel",
  about: {
    models: "Apriel 5B, Apriel Thinker 1.0 to 1.6",
    source: "the chat template of ServiceNow-AI/Apriel-1.5-15b-Thinker",
  },
  bodies: [jsonCallBody],
  syntax: {
    parallel: true,
    ...callList("<tool_calls>", "</tool_calls>"),
    noise: ["[END FINAL RESPONSE]"],
    spans: [
      { open: "Here are my reasoning steps:\n", close: "[BEGIN FINAL RESPONSE]", as: "reasoning" },
      think,
      { open: "<tool_result>", close: "</tool_result>", as: "dropped" },
    ],
    turns: ["<|user|>", "<|system|>", "<|begin_user|>", "<|begin_system|>", "<|begin_tool_result|>"],
    stop: ["<tool_result>"],
  },
  renderTools: (tools, context) =>
    [
      "You are provided with function signatures within <available_tools></available_tools> XML tags. You may call one or more functions to assist with the user query. Don't make assumptions about the arguments. Here are the available tools:",
      "<available_tools>",
      nativeTools(tools, context, functionJson),
      "</available_tools>",
      "Return all function calls as a list of JSON objects within <tool_calls></tool_calls> XML tags, each with the function's name and its arguments:",
      '<tool_calls>[{"name": <function-name>, "arguments": <args-dict>}, ...]</tool_calls>',
    ].join("\n"),
  renderResults: resultsBetween("<tool_result>\n", "\n</tool_result>"),
});
