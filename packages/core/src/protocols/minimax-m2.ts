import { elementsBody } from "../bodies/elements.js";
import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import { jsonCall, key, name } from "../syntax/parts.js";
import { definitionJson, nativeTools } from "../tool-text/index.js";
import { resultsBetween, textElements, think } from "./parts.js";

/**
 * All calls in one block, each an element with its name in an attribute.
 *
 * @example
 * // <minimax:tool_call>
 * // <invoke name="add">
 * // <parameter name="a">2</parameter>
 * // </invoke>
 * // </minimax:tool_call>
 */
export const minimaxM2 = defineProtocol({
  name: "minimax-m2",
  about: {
    models: "MiniMax M2, M2.1, M2.5",
    source: "the tool-calling guide and chat template of MiniMaxAI/MiniMax-M2",
  },
  bodies: [elementsBody, jsonCallBody],
  syntax: {
    parallel: true,
    block: { open: "<minimax:tool_call>\n", separator: "\n", close: "\n</minimax:tool_call>" },
    call: [
      '<invoke name="',
      name,
      '">\n',
      textElements(['<parameter name="', key, '">'], ["</parameter>\n"]),
      "</invoke>",
    ],
    // Without its prompt the model writes JSON, with markers of its own.
    also: [{ call: ["[TOOL_CALL]", jsonCall, "[/TOOL_CALL]"] }],
    spans: [think, { open: "<response>", close: "</response>", as: "dropped" }],
    stop: ["<response>"],
  },
  renderTools: (tools, context) =>
    [
      "# Tools",
      "You may call one or more tools to assist with the user query.",
      "Here are the tools available in JSONSchema format:",
      "",
      "<tools>",
      nativeTools(tools, context, (tool) => `<tool>${definitionJson(tool)}</tool>`),
      "</tools>",
      "",
      "When making tool calls, use XML format to invoke tools and pass parameters:",
      "",
      "<minimax:tool_call>",
      '<invoke name="tool-name-1">',
      '<parameter name="param-key-1">param-value-1</parameter>',
      '<parameter name="param-key-2">param-value-2</parameter>',
      "...",
      "</invoke>",
      "</minimax:tool_call>",
    ].join("\n"),
  renderResults: resultsBetween("<response>", "</response>"),
});
