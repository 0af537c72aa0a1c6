import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import { jsonCall } from "../syntax/parts.js";
import { definitionJson, nativeTools } from "../tool-text/index.js";
import { namedResults, think } from "./parts.js";

/**
 * One JSON object per line, all of them in one tag.
 *
 * @example
 * // <tool_calls>
 * // {"name": "add", "arguments": {"a": 2, "b": 3}}
 * // </tool_calls>
 */
export const minimaxM1 = defineProtocol({
  name: "minimax-m1",
  about: { models: "MiniMax M1", source: "the function-call guide and chat template of MiniMaxAI/MiniMax-M1-80k" },
  bodies: [jsonCallBody],
  syntax: {
    parallel: true,
    block: { open: "<tool_calls>\n", separator: "\n", close: "\n</tool_calls>" },
    call: [jsonCall],
    spans: [think, namedResults.span],
    stop: ["<end_of_sentence>", ...namedResults.stop],
  },
  renderTools: (tools, context) =>
    [
      "You are provided with these tools:",
      "<tools>",
      nativeTools(tools, context, definitionJson),
      "</tools>",
      "",
      "If you need to call tools, please respond with <tool_calls></tool_calls> XML tags, and provide tool-name and json-object of arguments, following the format below:",
      "<tool_calls>",
      '{"name": <tool-name>, "arguments": <args-json-object>}',
      "...",
      "</tool_calls>",
    ].join("\n"),
  // Its template writes `tool name:` and `tool result:`, which are words of ordinary texts.
  renderResults: namedResults.render,
});
