import { elementsBody } from "../bodies/elements.js";
import { defineProtocol } from "../define-protocol.js";
import { functionJson, nativeTools } from "../tool-text/index.js";
import { key, name, resultsBetween, textElements, think } from "./parts.js";

/**
 * Like `glm45`, with a separator after the name and all calls in one block.
 *
 * @example
 * // <tool_calls>
 * // <tool_call>add<tool_sep>
 * // <arg_key>a</arg_key>
 * // <arg_value>2</arg_value>
 * // </tool_call>
 * // </tool_calls>
 */
export const hunyuanV3 = defineProtocol({
  name: "hunyuan-v3",
  about: { models: "Hunyuan (Hy) 3", source: "the tool parser for tencent/Hy3-preview; the prompt is ours" },
  bodies: [elementsBody],
  syntax: {
    parallel: true,
    block: { open: "<tool_calls>\n", separator: "\n", close: "\n</tool_calls>" },
    call: [
      "<tool_call>",
      name,
      "<tool_sep>\n",
      textElements(["<arg_key>", key, "</arg_key>\n<arg_value>"], ["</arg_value>\n"]),
      "</tool_call>",
    ],
    spans: [think, { open: "<tool_response>", close: "</tool_response>", as: "dropped" }],
    stop: ["<tool_response>"],
  },
  renderTools: (tools, { style }) =>
    [
      "# Tools",
      "",
      "You may call one or more functions to assist with the user query.",
      "",
      "<tools>",
      nativeTools(tools, style, functionJson),
      "</tools>",
      "",
      "Write function calls in the following format, all of them in one block:",
      "<tool_calls>",
      "<tool_call>{function-name}<tool_sep>",
      "<arg_key>{arg-key}</arg_key>",
      "<arg_value>{arg-value}</arg_value>",
      "...",
      "</tool_call>",
      "</tool_calls>",
    ].join("\n"),
  renderResults: resultsBetween("<tool_response>", "</tool_response>"),
});
