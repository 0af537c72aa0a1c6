import { elementsBody } from "../bodies/elements.js";
import { defineProtocol } from "../define-protocol.js";
import { key, name } from "../syntax/parts.js";
import type { Part } from "../syntax/syntax.js";
import { functionJson, nativeTools } from "../tool-text/index.js";
import { resultsBetween, think } from "./parts.js";

const call = (space: string): Part[] => [
  `<function${space}name="`,
  name,
  '">',
  { body: "elements", open: [`<param${space}name="`, key, '">'], close: ["</param>"], leaf: "xml" },
  "</function>",
];

/**
 * One element per call, one per argument, names in attributes.
 *
 * @example
 * // <function name="add"><param name="a">2</param></function>
 */
export const minicpm5 = defineProtocol({
  name: "minicpm5",
  about: { models: "MiniCPM 5", source: "the tool parser for openbmb/MiniCPM5; the prompt is ours" },
  bodies: [elementsBody],
  syntax: {
    parallel: true,
    call: call(" "),
    // The space is lost, or left as its token, where a server decodes tokens one by one.
    also: [{ call: call("") }, { call: call("Ġ") }],
    spans: [think, { open: "<tool_response>", close: "</tool_response>", as: "dropped" }],
    stop: ["<tool_response>"],
  },
  renderTools: (tools, context) =>
    [
      "# Tools",
      "",
      "<tools>",
      nativeTools(tools, context, functionJson),
      "</tools>",
      "",
      "To call a tool, write:",
      '<function name="tool_name"><param name="parameter_name">value</param></function>',
    ].join("\n"),
  renderResults: resultsBetween("<tool_response>\n", "\n</tool_response>"),
});
