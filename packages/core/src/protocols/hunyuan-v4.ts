import { elementsBody } from "../bodies/elements.js";
import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import { jsonCall, key, name } from "../syntax/parts.js";
import type { Form, Part } from "../syntax/syntax.js";
import { functionJson, nativeTools } from "../tool-text/index.js";
import { hunyuanSpans } from "./hunyuan-v3.js";
import { resultsBetween, textElements } from "./parts.js";

/** The mark in the tokens of the published weights. */
const MARK = ":6124c78e";

const calls = (mark: string, ...call: Part[]): Pick<Form, "block" | "call"> => ({
  block: { open: `<tool_calls${mark}>`, separator: "", close: `</tool_calls${mark}>` },
  call: [`<tool_call${mark}>`, ...call, `</tool_call${mark}>`],
});

const pairs = (mark: string): Part =>
  textElements([`<arg_key${mark}>`, key, `</arg_key${mark}><arg_value${mark}>`], [`</arg_value${mark}>`]);

/**
 * As `hunyuan-v3` without the separator and without newlines, with a mark in every tag.
 *
 * @example
 * // <tool_calls:6124c78e><tool_call:6124c78e>add<arg_key:6124c78e>a</arg_key:6124c78e><arg_value:6124c78e>2</arg_value:6124c78e></tool_call:6124c78e></tool_calls:6124c78e>
 */
export const hunyuanV4 = defineProtocol({
  name: "hunyuan-v4",
  about: {
    models: "Hunyuan (Hy) 4",
    source: "the tool parser for Hy4 in vLLM, and replies of Hy4; the prompt is ours",
  },
  bodies: [elementsBody, jsonCallBody],
  syntax: {
    parallel: true,
    ...calls(MARK, name, pairs(MARK)),
    also: [
      // Some replies of Hy4 leave out the mark.
      calls("", name, pairs("")),
      // As Hy3 and other formats have it.
      calls(MARK, name, `<tool_sep${MARK}>`, pairs(MARK)),
      calls(MARK, jsonCall),
    ],
    ...hunyuanSpans(MARK),
  },
  renderTools: (tools, context) =>
    [
      "# Tools",
      "",
      "You may call one or more functions to assist with the user query.",
      "",
      "<tools>",
      nativeTools(tools, context, functionJson),
      "</tools>",
      "",
      "Write function calls in the following format, all of them in one block:",
      `<tool_calls${MARK}><tool_call${MARK}>{function-name}<arg_key${MARK}>{arg-key}</arg_key${MARK}><arg_value${MARK}>{arg-value}</arg_value${MARK}>...</tool_call${MARK}></tool_calls${MARK}>`,
    ].join("\n"),
  renderResults: resultsBetween(`<tool_response${MARK}>`, `</tool_response${MARK}>`),
});
