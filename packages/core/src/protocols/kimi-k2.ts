import { jsonBody } from "../bodies/json.js";
import { defineProtocol } from "../define-protocol.js";
import type { Slot } from "../syntax/syntax.js";
import { resultText } from "../tool-text/error-text.js";
import { functionJson, nativeTools } from "../tool-text/index.js";
import { name, think } from "./parts.js";

const index: Slot = { slot: "index" };

/**
 * Each call under an id made of the name and its number.
 *
 * @example
 * // <|tool_calls_section_begin|><|tool_call_begin|>functions.add:0<|tool_call_argument_begin|>{"a": 2}<|tool_call_end|><|tool_calls_section_end|>
 */
export const kimiK2 = defineProtocol({
  name: "kimi-k2",
  about: {
    models: "Kimi K2, K2 Thinking, K2.5",
    source: "docs/tool_call_guidance.md of moonshotai/Kimi-K2-Instruct and its chat template",
  },
  bodies: [jsonBody],
  syntax: {
    parallel: true,
    block: { open: "<|tool_calls_section_begin|>", separator: "", close: "<|tool_calls_section_end|>" },
    call: [
      "<|tool_call_begin|>functions.",
      name,
      ":",
      index,
      "<|tool_call_argument_begin|>",
      { body: "json" },
      "<|tool_call_end|>",
    ],
    also: [
      {
        block: { open: "<|tool_calls_section_begin|>", separator: "", close: "<|tool_calls_section_end|>" },
        call: [
          "<|tool_call_begin|>",
          name,
          ":",
          index,
          "<|tool_call_argument_begin|>",
          { body: "json" },
          "<|tool_call_end|>",
        ],
      },
    ],
    spans: [think, { open: "## Return of functions.", close: "<|im_end|>", as: "dropped" }],
    stop: ["<|im_end|>", "## Return of functions."],
  },
  renderTools: (tools, context) =>
    [
      "# Tools",
      "",
      context.style === "native"
        ? `[${nativeTools(tools, context, functionJson, ", ")}]`
        : nativeTools(tools, context, functionJson),
      "",
      "To call tools, end your reply with a section such as:",
      "<|tool_calls_section_begin|><|tool_call_begin|>functions.{name}:{index}<|tool_call_argument_begin|>{arguments as JSON}<|tool_call_end|><|tool_calls_section_end|>",
    ].join("\n"),
  renderResults: (results) =>
    results.map((result, i) => `## Return of functions.${result.name}:${i}\n${resultText(result)}`).join("\n\n"),
});
