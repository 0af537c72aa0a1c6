import { elementsBody } from "../bodies/elements.js";
import { jsonBody } from "../bodies/json.js";
import { defineProtocol } from "../define-protocol.js";
import { definitionJson, nativeTools } from "../tool-text/index.js";
import { dsml, dsmlExample } from "./dsml.js";
import { resultsBetween } from "./parts.js";

const syntax = dsml("function_calls");

/**
 * Calls in DeepSeek's markup DSML.
 *
 * @example
 * // <｜DSML｜function_calls>
 * // <｜DSML｜invoke name="add">
 * // <｜DSML｜parameter name="a" string="false">2</｜DSML｜parameter>
 * // </｜DSML｜invoke>
 * // </｜DSML｜function_calls>
 */
export const deepseekV32 = defineProtocol({
  name: "deepseek-v32",
  about: { models: "DeepSeek V3.2", source: "the encoding module of deepseek-ai/DeepSeek-V3.2" },
  bodies: [jsonBody, elementsBody],
  syntax: {
    ...syntax,
    spans: [...(syntax.spans ?? []), { open: "<function_results>", close: "</function_results>", as: "dropped" }],
    stop: ["<function_results>"],
  },
  renderTools: (tools, context) =>
    [
      "## Tools",
      "",
      "You have access to a set of tools you can use to answer the user's question.",
      'You can invoke functions by writing a "<｜DSML｜function_calls>" block like the following as part of your reply to the user:',
      dsmlExample("function_calls", "FUNCTION"),
      "",
      'String and scalar parameters should be specified as is without any escaping or quotes, while lists and objects should use JSON format. The "string" attribute should be set to "true" for string type parameters and "false" for other types (numbers, booleans, arrays, objects).',
      "",
      "Here are the functions available in JSONSchema format:",
      "<functions>",
      nativeTools(tools, context, definitionJson),
      "</functions>",
    ].join("\n"),
  renderResults: (results) =>
    `<function_results>\n${resultsBetween("<result>", "</result>")(results)}\n</function_results>`,
});
