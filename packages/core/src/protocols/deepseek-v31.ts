import { jsonBody } from "../bodies/json.js";
import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import { deepseekTurns } from "../syntax/turn-tokens.js";
import { nativeTools, withoutDialect } from "../tool-text/index.js";
import { renderJson } from "../tool-text/render-json.js";
import { fencedCall, jsonInTokens, madeUpOutputs, unfencedCall } from "./deepseek-v3.js";
import { atStart, resultsBetween, think } from "./parts.js";

const block = { open: "<｜tool▁calls▁begin｜>", separator: "", close: "<｜tool▁calls▁end｜>" };

/**
 * Calls in DeepSeek's own tokens, name and arguments side by side.
 *
 * @example
 * // <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>add<｜tool▁sep｜>{"a": 2, "b": 3}<｜tool▁call▁end｜><｜tool▁calls▁end｜>
 */
export const deepseekV31 = defineProtocol({
  name: "deepseek-v31",
  about: { models: "DeepSeek V3.1, V3.1-Terminus", source: "the model card of deepseek-ai/DeepSeek-V3.1" },
  bodies: [jsonBody, jsonCallBody],
  syntax: {
    parallel: true,
    block,
    call: unfencedCall,
    also: [
      { block: { open: "<｜tool▁calls▁begin｜>", separator: "\n", close: "<｜tool▁calls▁end｜>" }, call: fencedCall },
      // The kind of tool before the name, as in V3.
      { block, call: ["<｜tool▁call▁begin｜>function<｜tool▁sep｜>", ...unfencedCall.slice(1)] },
      ...jsonInTokens,
      // The first tokens are missing.
      atStart(...unfencedCall.slice(1)),
    ],
    spans: [think, ...madeUpOutputs],
    turns: deepseekTurns,
    stop: ["<｜tool▁output▁begin｜>"],
  },
  renderTools: (tools, context) =>
    [
      "## Tools",
      "You have access to the following tools:",
      "",
      nativeTools(
        tools,
        context,
        (tool) =>
          `### ${tool.name}\nDescription: ${tool.description ?? ""}\n\nParameters: ${renderJson(withoutDialect(tool.parameters ?? { type: "object", properties: {} }))}`,
        "\n\n",
      ),
      "",
      "IMPORTANT: ALWAYS adhere to this exact format for tool use:",
      "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>tool_call_name<｜tool▁sep｜>tool_call_arguments<｜tool▁call▁end｜>{{additional_tool_calls}}<｜tool▁calls▁end｜>",
      "",
      "Where:",
      "",
      "- `tool_call_name` must be an exact match to one of the available tools",
      "- `tool_call_arguments` must be valid JSON that strictly follows the tool's Parameters Schema",
      "- For multiple tool calls, chain them directly without separators or spaces",
    ].join("\n"),
  renderResults: resultsBetween("<｜tool▁output▁begin｜>", "<｜tool▁output▁end｜>", ""),
});
