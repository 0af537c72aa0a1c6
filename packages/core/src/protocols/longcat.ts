import { elementsBody } from "../bodies/elements.js";
import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import { jsonCall, key, name } from "../syntax/parts.js";
import { nativeTools, withoutDialect } from "../tool-text/index.js";
import { resultsBetween, textElements } from "./parts.js";

/**
 * As `hermes`, in tags of its own.
 *
 * @example
 * // <longcat_tool_call>
 * // {"name": "add", "arguments": {"a": 2, "b": 3}}
 * // </longcat_tool_call>
 */
export const longcat = defineProtocol({
  name: "longcat",
  about: { models: "LongCat Flash", source: "the model card of meituan-longcat/LongCat-Flash-Chat" },
  bodies: [jsonCallBody, elementsBody],
  syntax: {
    parallel: true,
    call: ["<longcat_tool_call>\n", jsonCall, "\n</longcat_tool_call>"],
    // Later models write the name and a pair of tags for each argument; source: the LongCat parser of mlx-lm.
    also: [
      {
        call: [
          "<longcat_tool_call>",
          name,
          "\n",
          textElements(
            ["<longcat_arg_key>", key, "</longcat_arg_key>\n<longcat_arg_value>"],
            ["</longcat_arg_value>\n"],
          ),
          "</longcat_tool_call>",
        ],
      },
    ],
    spans: [
      { open: "<longcat_think>", close: "</longcat_think>", as: "reasoning" },
      { open: "<longcat_tool_response>", close: "</longcat_tool_response>", as: "dropped" },
    ],
    turns: ["<longcat_user>", "<longcat_system>"],
    stop: ["<longcat_tool_response>"],
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
          `#### Tool name: ${tool.name}\n\nDescription: ${tool.description ?? ""}\n\nInputSchema:\n${JSON.stringify(withoutDialect(tool.parameters ?? { type: "object" }), null, 2)}`,
        "\n\n",
      ),
      "",
      "**Note**: For each function call, return a json object with function name and arguments within <longcat_tool_call></longcat_tool_call> XML tags as follows:",
      "<longcat_tool_call>",
      '{"name": <function-name>, "arguments": <args-dict>}',
      "</longcat_tool_call>",
      "When multiple functions need to be called simultaneously, each function call should be wrapped in its own <longcat_tool_call> tag and placed consecutively.",
    ].join("\n"),
  renderResults: resultsBetween("<longcat_tool_response>", "</longcat_tool_response>"),
});
