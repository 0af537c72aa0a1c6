import { elementsBody } from "../bodies/elements.js";
import { defineProtocol } from "../define-protocol.js";
import { key, name } from "../syntax/parts.js";
import type { Part } from "../syntax/syntax.js";
import { functionJson, nativeList } from "../tool-text/index.js";
import { namedResults, textElements } from "./parts.js";

/** A call with each value on the line of its tags, in this tag. */
export const inlineFunction = (tag: string): Part[] => [
  `<${tag}>\n<function=`,
  name,
  ">\n",
  textElements(["<parameter=", key, ">"], ["</parameter>\n"]),
  `</function>\n</${tag}>`,
];

/** The example of such a call that chat templates show. */
export const inlineFunctionExample = (tag: string): string =>
  [
    `<${tag}>`,
    "<function=example_function_name>",
    "<parameter=example_parameter_1>value_1</parameter>",
    "<parameter=example_parameter_2>This is the value for the second parameter",
    "that can span",
    "multiple lines</parameter>",
    "</function>",
    `</${tag}>`,
  ].join("\n");

/**
 * As `qwen3-coder`, in a tag of its own and with each value on the line of its tags.
 *
 * @example
 * // <seed:tool_call>
 * // <function=add>
 * // <parameter=a>2</parameter>
 * // </function>
 * // </seed:tool_call>
 */
export const seedOss = defineProtocol({
  name: "seed-oss",
  about: { models: "Seed-OSS", source: "the chat template of ByteDance-Seed/Seed-OSS-36B-Instruct" },
  bodies: [elementsBody],
  syntax: {
    parallel: true,
    call: inlineFunction("seed:tool_call"),
    spans: [{ open: "<seed:think>", close: "</seed:think>", as: "reasoning" }, namedResults.span],
    stop: namedResults.stop,
  },
  renderTools: (tools, context) =>
    [
      "Tool List:",
      "You are authorized to use the following tools (described in JSON Schema format). Before performing any task, you must decide how to call them based on the descriptions and parameters of these tools.",
      nativeList(tools, context, functionJson),
      "",
      "工具调用请遵循如下格式:",
      inlineFunctionExample("seed:tool_call"),
    ].join("\n"),
  renderResults: namedResults.render,
});
