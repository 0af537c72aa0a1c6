import { elementsBody } from "../bodies/elements.js";
import { jsonBody } from "../bodies/json.js";
import { defineProtocol } from "../define-protocol.js";
import type { ProtocolDeclaration } from "../protocol.js";
import { definitionJson, nativeTools } from "../tool-text/index.js";
import { dsml, dsmlExample, MARK } from "./dsml.js";
import { resultsBetween } from "./parts.js";

const syntax = dsml("tool_calls");

/** The section of tools, with calls in a block of this name. */
export const deepseekTools =
  (block: string, mark: string = MARK): ProtocolDeclaration["renderTools"] =>
  (tools, context) =>
    [
      "## Tools",
      "",
      `You have access to a set of tools to help answer the user's question. You can invoke tools by writing a "<${mark}${block}>" block like the following:`,
      "",
      dsmlExample(block, "TOOL", mark),
      "",
      'String parameters should be specified as is and set `string="true"`. For all other types (numbers, booleans, arrays, objects), pass the value in JSON format and set `string="false"`.',
      "",
      "### Available Tool Schemas",
      "",
      nativeTools(tools, context, definitionJson),
      "",
      "You MUST strictly follow the above defined tool name and parameter schemas to invoke tool calls.",
    ].join("\n");

/**
 * As `deepseek-v32`, with other names for the block and the results.
 *
 * @example
 * // <｜DSML｜tool_calls>
 * // <｜DSML｜invoke name="add">
 * // <｜DSML｜parameter name="a" string="false">2</｜DSML｜parameter>
 * // </｜DSML｜invoke>
 * // </｜DSML｜tool_calls>
 */
export const deepseekV4 = defineProtocol({
  name: "deepseek-v4",
  about: { models: "DeepSeek V4", source: "the chat template of deepseek-ai/DeepSeek-V4" },
  bodies: [jsonBody, elementsBody],
  syntax: {
    ...syntax,
    spans: [...(syntax.spans ?? []), { open: "<tool_result>", close: "</tool_result>", as: "dropped" }],
    stop: ["<tool_result>"],
  },
  renderTools: deepseekTools("tool_calls"),
  renderResults: resultsBetween("<tool_result>", "</tool_result>", "\n\n"),
});
