import { elementsBody } from "../bodies/elements.js";
import { jsonBody } from "../bodies/json.js";
import { defineProtocol } from "../define-protocol.js";
import { gigachatTurns } from "../syntax/turn-tokens.js";
import { resultText } from "../tool-text/error-text.js";
import { nativeTools, typescriptOf } from "../tool-text/index.js";
import { xmlAttribute } from "../tool-text/xml-text.js";
import { dsmlExample, markupCalls } from "./dsml.js";
import { think } from "./parts.js";

/** The mark in every tag. */
const MARK = "｜GCML｜";

/**
 * GCML, which is DeepSeek's markup under another name. Tools are shown as TypeScript types.
 *
 * @example
 * // <｜GCML｜tool_calls>
 * // <｜GCML｜invoke name="add">
 * // <｜GCML｜parameter name="a" string="false">2</｜GCML｜parameter>
 * // </｜GCML｜invoke>
 * // </｜GCML｜tool_calls>
 */
export const gigachat35 = defineProtocol({
  name: "gigachat35",
  about: { models: "GigaChat 3.5", source: "the chat template of GigaChat 3.5, as llama.cpp keeps it" },
  bodies: [jsonBody, elementsBody],
  syntax: {
    parallel: true,
    ...markupCalls(MARK, "tool_calls"),
    also: [markupCalls("|GCML|", "tool_calls")],
    noise: ["<|message_sep|>", "<|role_sep|>"],
    turns: gigachatTurns,
    spans: [think, { open: "<function_response name=", close: "</function_response>", as: "dropped" }],
    stop: ["<function_response name="],
  },
  renderTools: (tools, context) =>
    [
      "namespace functions {",
      nativeTools(tools, context, (tool) => `${typescriptOf(tool, { indent: "  " })}\n`),
      "} // namespace functions",
      "",
      "To call functions, write:",
      dsmlExample("tool_calls", "TOOL", MARK),
      'Text is written as it is, with string="true"; other values are JSON, with string="false".',
    ].join("\n"),
  renderResults: (results) =>
    results
      .map(
        (result) => `<function_response name="${xmlAttribute(result.name)}">${resultText(result)}</function_response>`,
      )
      .join("\n"),
});
