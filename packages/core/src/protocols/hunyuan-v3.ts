import { elementsBody } from "../bodies/elements.js";
import { defineProtocol } from "../define-protocol.js";
import { key, name } from "../syntax/parts.js";
import type { Form, Syntax } from "../syntax/syntax.js";
import { functionJson, nativeTools } from "../tool-text/index.js";
import { resultsBetween, textElements, think } from "./parts.js";

/** A block of calls; the tags of the published weights have a suffix of their own. */
const calls = (suffix = "", afterName = `<tool_sep${suffix}>`): Pick<Form, "block" | "call"> => ({
  block: { open: `<tool_calls${suffix}>\n`, separator: "\n", close: `\n</tool_calls${suffix}>` },
  call: [
    `<tool_call${suffix}>`,
    name,
    `${afterName}\n`,
    textElements([`<arg_key${suffix}>`, key, `</arg_key${suffix}>\n<arg_value${suffix}>`], [`</arg_value${suffix}>\n`]),
    `</tool_call${suffix}>`,
  ],
});

/** Reasoning and results, also with the mark that the published weights have in their tags. */
export const hunyuanSpans = (mark: string): Pick<Syntax, "spans" | "stop" | "turns"> => ({
  turns: [`<｜hy_User${mark}｜>`, "<｜hy_User｜>"],
  spans: [
    think,
    { open: `<think${mark}>`, close: `</think${mark}>`, as: "reasoning" },
    { open: "<tool_response>", close: "</tool_response>", as: "dropped" },
    { open: `<tool_response${mark}>`, close: `</tool_response${mark}>`, as: "dropped" },
  ],
  stop: ["<tool_response>", `<tool_response${mark}>`],
});

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
  about: {
    models: "Hunyuan (Hy) 3",
    source: "the tool parser and chat template for tencent/Hy3-preview; the prompt is ours",
  },
  bodies: [elementsBody],
  syntax: {
    parallel: true,
    ...calls(),
    // Without the separator, the name ends with its line, as in `glm45`.
    also: [calls(":opensource"), calls(":opensource", "")],
    ...hunyuanSpans(":opensource"),
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
