import { elementsBody } from "../bodies/elements.js";
import { defineProtocol } from "../define-protocol.js";
import { key, name } from "../syntax/parts.js";
import { resultText } from "../tool-text/error-text.js";
import { nativeTools } from "../tool-text/index.js";
import { plainDefinition } from "../tool-text/json.js";
import { renderJson } from "../tool-text/render-json.js";
import { xmlAttribute } from "../tool-text/xml-text.js";
import { textElements } from "./parts.js";

/**
 * Messages with a recipient (`to=self` is reasoning), calls as elements in a namespace of their own.
 *
 * @example
 * // <atem:function_calls>
 * // <atem:invoke name="add">
 * // <atem:parameter name="a">2</atem:parameter>
 * // </atem:invoke>
 * // </atem:function_calls>
 */
export const muse = defineProtocol({
  name: "muse",
  about: { models: "Muse Glimmer", source: "the chat template of Muse Glimmer, as vLLM ships it" },
  bodies: [elementsBody],
  syntax: {
    parallel: true,
    block: { open: "<atem:function_calls>\n", separator: "\n", close: "\n</atem:function_calls>" },
    call: [
      '<atem:invoke name="',
      name,
      '">\n',
      textElements(['<atem:parameter name="', key, '">'], ["</atem:parameter>\n"]),
      "</atem:invoke>",
    ],
    messages: {
      open: ["<|start|>"],
      role: "<|start|>",
      text: "<|message|>",
      close: ["<|eom|>", "<|eot|>"],
      reasoning: ["to=self"],
    },
    noise: ["<|end_of_text|>"],
    spans: [{ open: "<tool_output", close: "</tool_output>", as: "dropped" }],
    stop: ["<tool_output"],
  },
  renderTools: (tools, context) =>
    [
      "In this environment you have access to a set of tools you can use to answer the user's question.",
      "",
      'You can invoke a function by writing a "<atem:function_calls>" block like the following:',
      "<atem:function_calls>",
      '<atem:invoke name="$FUNCTION_NAME">',
      '<atem:parameter name="$PARAMETER_NAME">$PARAMETER_VALUE</atem:parameter>',
      "...",
      "</atem:invoke>",
      "</atem:function_calls>",
      "",
      "String and scalar parameters should be specified as is, while lists and objects should use JSON format. Note that spaces for string values are not stripped. The output is not expected to be valid XML and is parsed with regular expressions.",
      "Here are the functions available in JSONSchema format:",
      nativeTools(tools, context, (tool) => renderJson(plainDefinition(tool))),
    ].join("\n"),
  renderResults: (results) =>
    results
      .map((result) => `<tool_output name="${xmlAttribute(result.name)}">\n${resultText(result)}\n</tool_output>`)
      .join("\n"),
});
