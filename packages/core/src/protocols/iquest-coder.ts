import { elementsBody } from "../bodies/elements.js";
import { defineProtocol } from "../define-protocol.js";
import { key, name } from "../syntax/parts.js";
import type { Form } from "../syntax/syntax.js";
import { functionsInTags, namedResults, textElements, think } from "./parts.js";

const calls = (tag: string): Pick<Form, "call"> => ({
  call: [
    `<${tag}>`,
    name,
    "\n",
    textElements(["<arg_key>", key, "</arg_key>\n<arg_value>"], ["</arg_value>\n"]),
    `</${tag}>`,
  ],
});

/**
 * As `glm45`, in a tag of its own.
 *
 * @example
 * // <iquestcoder_tool_call>add
 * // <arg_key>a</arg_key>
 * // <arg_value>2</arg_value>
 * // </iquestcoder_tool_call>
 */
export const iquestCoder = defineProtocol({
  name: "iquest-coder",
  about: {
    models: "IQuest-Coder V2, IQuest Q1",
    source: "the parsers for IQuest's models in vLLM and SGLang; the prompt is ours",
  },
  bodies: [elementsBody],
  syntax: {
    parallel: true,
    ...calls("iquestcoder_tool_call"),
    // The tag of Q1.
    also: [calls("iquest_tool_call")],
    spans: [think, namedResults.span],
    stop: namedResults.stop,
  },
  renderTools: (tools, context) =>
    [
      functionsInTags(tools, context),
      "",
      "For each function call, write its name and arguments in this form:",
      "<iquestcoder_tool_call>{function-name}",
      "<arg_key>{arg-key}</arg_key>",
      "<arg_value>{arg-value}</arg_value>",
      "...",
      "</iquestcoder_tool_call>",
    ].join("\n"),
  renderResults: namedResults.render,
});
