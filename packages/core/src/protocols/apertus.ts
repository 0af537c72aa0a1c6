import { keyedCallBody } from "../bodies/keyed-call.js";
import { defineProtocol } from "../define-protocol.js";
import { nativeTools, typescriptOf } from "../tool-text/index.js";
import { namedResults } from "./parts.js";

/**
 * A list of objects whose only key is the tool's name. Tools are shown as TypeScript types.
 *
 * @example
 * // <|tools_prefix|>[{"add": {"a": 2, "b": 3}}]<|tools_suffix|>
 */
export const apertus = defineProtocol({
  name: "apertus",
  about: { models: "Apertus", source: "the chat template of swiss-ai/Apertus-8B-Instruct-2509" },
  bodies: [keyedCallBody],
  syntax: {
    parallel: true,
    block: { open: "<|tools_prefix|>[", separator: ", ", close: "]<|tools_suffix|>" },
    call: [{ body: "keyed-call" }],
    also: [{ call: ["<|tools_prefix|>", { body: "keyed-call" }, "<|tools_suffix|>"] }],
    spans: [{ open: "<|inner_prefix|>", close: "<|inner_suffix|>", as: "reasoning" }, namedResults.span],
    noise: ["<|assistant_end|>"],
    turns: ["<|user_start|>", "<|system_start|>", "<|developer_start|>"],
    stop: namedResults.stop,
  },
  renderTools: (tools, context) =>
    [
      "Tool Capabilities:",
      nativeTools(tools, context, (tool) => typescriptOf(tool, { last: "" })),
      "",
      'To call tools, write <|tools_prefix|>[{"tool name": {"argument": "value"}}]<|tools_suffix|>.',
    ].join("\n"),
  renderResults: namedResults.render,
});
