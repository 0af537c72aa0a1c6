import { elementsBody } from "../bodies/elements.js";
import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import { jsonCall, key, name } from "../syntax/parts.js";
import type { Form, Part } from "../syntax/syntax.js";
import { functionsInTags, namedResults, textElements, think } from "./parts.js";

const calls = (tag: string, ...call: Part[]): Pick<Form, "call"> => ({ call: [`<${tag}>`, ...call, `</${tag}>`] });

/** The tags of V2 and of Q1. */
const TAGS = ["iquestcoder_tool_call", "iquest_tool_call"] as const;

const pairs: Part[] = [name, "\n", textElements(["<arg_key>", key, "</arg_key>\n<arg_value>"], ["</arg_value>\n"])];

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
  bodies: [elementsBody, jsonCallBody],
  syntax: {
    parallel: true,
    ...calls(TAGS[0], ...pairs),
    // JSON as other formats have it, in both tags.
    also: [calls(TAGS[1], ...pairs), ...TAGS.map((tag) => calls(tag, jsonCall))],
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
