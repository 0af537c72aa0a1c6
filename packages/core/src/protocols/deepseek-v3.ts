import { jsonBody } from "../bodies/json.js";
import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import { name } from "../syntax/parts.js";
import type { Part, Span } from "../syntax/syntax.js";
import { deepseekTurns } from "../syntax/turn-tokens.js";
import { functionJson, nativeTools } from "../tool-text/index.js";
import { atStart, jsonBetween, resultsBetween, think } from "./parts.js";

/** Results that a DeepSeek model of this line makes up. */
export const madeUpOutputs: Span[] = [
  { open: "<｜tool▁outputs▁begin｜>", close: "<｜tool▁outputs▁end｜>", as: "dropped" },
  { open: "<｜tool▁output▁begin｜>", close: "<｜tool▁output▁end｜>", as: "dropped" },
];

/** A call of V3 and R1: the arguments in a code fence. */
export const fencedCall: Part[] = [
  "<｜tool▁call▁begin｜>function<｜tool▁sep｜>",
  name,
  "\n```json\n",
  { body: "json" },
  "\n```<｜tool▁call▁end｜>",
];

/** The same without the fence's language. */
const bareFence = fencedCall.with(2, "\n```\n");

/** A call of V3.1. */
export const unfencedCall: Part[] = [
  "<｜tool▁call▁begin｜>",
  name,
  "<｜tool▁sep｜>",
  { body: "json" },
  "<｜tool▁call▁end｜>",
];

const block = { open: "<｜tool▁calls▁begin｜>", separator: "\n", close: "<｜tool▁calls▁end｜>" };
const inBlock = (call: Part[]) => ({ block, call });

/** Calls as JSON in these tokens. */
export const jsonInTokens = jsonBetween("<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>", block);

/**
 * Calls in DeepSeek's own tokens (full-width bars), arguments in a code fence.
 *
 * @example
 * // <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>add
 * // ```json
 * // {"a": 2, "b": 3}
 * // ```<｜tool▁call▁end｜><｜tool▁calls▁end｜>
 */
export const deepseekV3 = defineProtocol({
  name: "deepseek-v3",
  about: {
    models: "DeepSeek V3, V3-0324, R1, R1-0528",
    source: "how the chat template of deepseek-ai/DeepSeek-V3 writes calls; it shows no tools, so the prompt is ours",
  },
  bodies: [jsonBody, jsonCallBody],
  syntax: {
    parallel: true,
    ...inBlock(fencedCall),
    also: [
      inBlock(bareFence),
      // Distilled models shorten the first token.
      { call: ["<｜tool▁calls｜>function<｜tool▁sep｜>", ...fencedCall.slice(1), "<｜tool▁calls▁end｜>"] },
      inBlock(unfencedCall),
      inBlock(["<｜tool▁call▁begin｜>function<｜tool▁sep｜>", name, { body: "json" }, "<｜tool▁call▁end｜>"]),
      // The kind of tool is missing with its separator, or only the separator: `function ` is no part of a name.
      inBlock(["<｜tool▁call▁begin｜>", ...fencedCall.slice(1)]),
      ...jsonInTokens,
      // The first tokens are missing.
      atStart("function<｜tool▁sep｜>", ...fencedCall.slice(1)),
      atStart(...unfencedCall.slice(1)),
    ],
    spans: [think, ...madeUpOutputs],
    turns: deepseekTurns,
    stop: ["<｜tool▁outputs▁begin｜>", "<｜tool▁output▁begin｜>"],
  },
  renderTools: (tools, context) =>
    [
      "## Tools",
      "",
      "You have access to the following functions:",
      "",
      nativeTools(tools, context, (tool) => `\`\`\`json\n${functionJson(tool)}\n\`\`\``, "\n\n"),
      "",
      "When a tool call is needed, you MUST use the following format to issue the call:",
      "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>FUNCTION_NAME",
      "```json",
      '{"param1": "value1", "param2": "value2"}',
      "```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
      "",
      "Make sure the JSON is valid.",
    ].join("\n"),
  renderResults: (results) =>
    `<｜tool▁outputs▁begin｜>${resultsBetween("<｜tool▁output▁begin｜>", "<｜tool▁output▁end｜>")(results)}<｜tool▁outputs▁end｜>`,
});
