import { elementsBody } from "../bodies/elements.js";
import { jsonBody } from "../bodies/json.js";
import { defineProtocol } from "../define-protocol.js";
import { functionElements, qwen3Coder } from "./qwen3-coder.js";
import { inlineFunction, inlineFunctionExample } from "./seed-oss.js";

/**
 * As `qwen3-coder`, with each value on the line of its tags.
 *
 * @example
 * // <tool_call>
 * // <function=add>
 * // <parameter=a>2</parameter>
 * // </function>
 * // </tool_call>
 */
export const mimoV2 = defineProtocol({
  name: "mimo-v2",
  about: { models: "MiMo V2, V2.5", source: "the chat template of XiaomiMiMo/MiMo-V2-Flash" },
  bodies: [jsonBody, elementsBody],
  syntax: {
    ...qwen3Coder.syntax,
    call: inlineFunction("tool_call"),
  },
  renderTools: (tools, context) =>
    [
      "# Tools",
      "",
      "You may call one or more functions to assist with the user query.",
      "",
      "You have access to the following functions:",
      "",
      "<tools>",
      functionElements(tools, context),
      "</tools>",
      "",
      "For each function call, output the function name and arguments in the following format:",
      inlineFunctionExample("tool_call"),
      "",
      "<IMPORTANT>",
      "- Function calls MUST follow the specified format: an inner <function=...></function> block must be nested within <tool_call></tool_call> XML tags",
      "- DO NOT use function calls inside <think></think> tags.",
      "- The value enclosed between parameter tags is preserved exactly as-is, including newlines and spaces.",
      "</IMPORTANT>",
    ].join("\n"),
  renderResults: qwen3Coder.renderResults,
});
