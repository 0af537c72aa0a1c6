import { elementsBody } from "../bodies/elements.js";
import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import { jsonCall, key, name } from "../syntax/parts.js";
import type { Form, Part } from "../syntax/syntax.js";
import { functionJson, nativeTools } from "../tool-text/index.js";
import { namedResults, textElements } from "./parts.js";

const calls = (...call: Part[]): Pick<Form, "block" | "call"> => ({
  block: { open: "<ifm|tool_calls>\n", separator: "\n", close: "\n</ifm|tool_calls>" },
  call: ["<ifm|tool_call>", ...call, "</ifm|tool_call>"],
});

const values = textElements(["<ifm|arg_key>", key, "</ifm|arg_key>\n<ifm|arg_value>"], ["</ifm|arg_value>\n"]);

/**
 * Like `glm45`, in tokens of its own and with all calls in one block.
 *
 * @example
 * // <ifm|tool_calls>
 * // <ifm|tool_call>add
 * // <ifm|arg_key>a</ifm|arg_key>
 * // <ifm|arg_value>2</ifm|arg_value>
 * // </ifm|tool_call>
 * // </ifm|tool_calls>
 */
export const k2Horizon = defineProtocol({
  name: "k2-horizon",
  about: {
    models: "K2 Horizon (K2-v3)",
    source: "the chat template of K2-Horizon in the fork of llama.cpp that IFM publishes",
  },
  bodies: [elementsBody, jsonCallBody],
  syntax: {
    parallel: true,
    ...calls(name, "\n", values),
    // Its template can ask for this instead.
    also: [calls(jsonCall)],
    spans: [
      ...["think", "think_fast", "think_faster"].map((tag) => ({
        open: `<ifm|${tag}>`,
        close: `</ifm|${tag}>`,
        as: "reasoning" as const,
      })),
      namedResults.span,
    ],
    noise: ["<|ifm|im_end|>", "<|ifm|endoftext|>"],
    stop: namedResults.stop,
  },
  renderTools: (tools, context) =>
    [
      "# Tools",
      "You may call one or more tools to assist with the user query.",
      "",
      "Available tools are:",
      "",
      "<ifm|tools>",
      nativeTools(tools, context, functionJson),
      "</ifm|tools>",
      "",
      "When calling tools, you MUST follow the tool-call format below:",
      "",
      "Wrap all tool calls in a single <ifm|tool_calls></ifm|tool_calls> block. For each call, write the function name at the start of <ifm|tool_call>, followed by paired <ifm|arg_key> and <ifm|arg_value> tags for each argument:",
      "",
      "<ifm|tool_calls>",
      "<ifm|tool_call>$FUNCTION_NAME",
      "<ifm|arg_key>$PARAMETER_NAME</ifm|arg_key>",
      "<ifm|arg_value>$PARAMETER_VALUE</ifm|arg_value>",
      "...",
      "</ifm|tool_call>",
      "</ifm|tool_calls>",
      "",
      "String and scalar parameters should be written as plain text. Array and object parameters should be written as JSON literals.",
    ].join("\n"),
  renderResults: namedResults.render,
});
