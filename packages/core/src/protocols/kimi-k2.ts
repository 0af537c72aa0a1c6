import { jsonBody } from "../bodies/json.js";
import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import { name, toolName } from "../syntax/parts.js";
import type { Part, Slot } from "../syntax/syntax.js";
import { kimiTurns } from "../syntax/turn-tokens.js";
import { resultText } from "../tool-text/error-text.js";
import { functionJson, nativeList } from "../tool-text/index.js";
import { jsonBetween, think } from "./parts.js";

const index: Slot = { slot: "index" };

const section = (word: string) => ({ open: `<|${word}_begin|>`, separator: "", close: `<|${word}_end|>` });
const SECTION = section("tool_calls_section");

/** A call under an id, in a section. */
const withId = (id: Part[], block = SECTION) => ({
  block,
  call: [...id, { body: "json" } as const, "<|tool_call_end|>"],
});

const ARGUMENTS = "<|tool_call_argument_begin|>";
const numbered: Part[] = ["<|tool_call_begin|>functions.", name, ":", index];
const rendered: Part[] = [...numbered, ARGUMENTS];
const shorter: Part[][] = [
  ["<|tool_call_begin|>functions.", toolName],
  ["<|tool_call_begin|>", name, ":", index],
  ["<|tool_call_begin|>", name],
];
// Models leave out the namespace, the number, and the token before the arguments. After `functions.` without a number, an
// unknown name may be a broken id.
const others = [numbered, ...shorter.flatMap((id) => [[...id, ARGUMENTS], id])];

/**
 * Each call under an id made of the name and its number.
 *
 * @example
 * // <|tool_calls_section_begin|><|tool_call_begin|>functions.add:0<|tool_call_argument_begin|>{"a": 2}<|tool_call_end|><|tool_calls_section_end|>
 */
export const kimiK2 = defineProtocol({
  name: "kimi-k2",
  about: {
    models: "Kimi K2, K2 Thinking, K2.5 and K2.6, Kimi Linear",
    source: "docs/tool_call_guidance.md of moonshotai/Kimi-K2-Instruct and its chat template",
  },
  bodies: [jsonBody, jsonCallBody],
  syntax: {
    parallel: true,
    ...withId(rendered),
    also: [
      ...others.map((id) => withId(id)),
      // vLLM knows this section too.
      ...[rendered, ...others].map((id) => withId(id, section("tool_call_section"))),
      ...jsonBetween("<|tool_call_begin|>", "<|tool_call_end|>", SECTION),
      // Some servers drop all tokens.
      {
        at: "reply",
        block: { open: "", separator: "", close: "" },
        call: ["functions.", name, ":", index, { body: "json" }],
      },
      {
        at: "reply",
        block: { open: "", separator: "", close: "<|tool_calls_section_end|>" },
        call: ["functions.", name, ":", index, ARGUMENTS, { body: "json" }, "<|tool_call_end|>"],
      },
    ],
    spans: [
      think,
      // The tokens of Kimi's earlier models.
      { open: "◁think▷", close: "◁/think▷", as: "reasoning" },
      { open: "## Return of functions.", close: "<|im_end|>", as: "dropped" },
    ],
    turns: kimiTurns,
    stop: ["<|im_end|>", "## Return of functions."],
  },
  renderTools: (tools, context) =>
    [
      "# Tools",
      "",
      nativeList(tools, context, functionJson),
      "",
      "To call tools, end your reply with a section such as:",
      "<|tool_calls_section_begin|><|tool_call_begin|>functions.{name}:{index}<|tool_call_argument_begin|>{arguments as JSON}<|tool_call_end|><|tool_calls_section_end|>",
    ].join("\n"),
  renderResults: (results) =>
    results.map((result, i) => `## Return of functions.${result.name}:${i}\n${resultText(result)}`).join("\n\n"),
});
