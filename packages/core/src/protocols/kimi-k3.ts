import { elementsBody } from "../bodies/elements.js";
import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import { key, name } from "../syntax/parts.js";
import type { Part } from "../syntax/syntax.js";
import { functionJson, nativeTools } from "../tool-text/index.js";
import { jsonBetween, namedResults, textElements } from "./parts.js";

const args = textElements(
  ['<|open|>argument key="', key, '" type="', { slot: "type" }, '"<|sep|>'],
  ["<|close|>argument<|sep|>"],
);
const call = (...number: Part[]): Part[] => [
  '<|open|>call tool="',
  name,
  ...number,
  '"<|sep|>',
  args,
  "<|close|>call<|sep|>",
];
/** Without the tokens between the block and its call. */
const glued: Part[] = [
  '<|open|>toolscall tool="',
  name,
  '" index="',
  { slot: "index" },
  '"<|sep|>',
  args,
  "<|close|>call<|sep|>",
];
const block = { open: "<|open|>tools<|sep|>", separator: "", close: "<|close|>tools<|sep|>" };

/**
 * Markup whose brackets are tokens; each argument has its type. The answer and the reasoning are elements too.
 *
 * @example
 * // <|open|>tools<|sep|><|open|>call tool="add" index="0"<|sep|><|open|>argument key="a"
 * type="number"<|sep|>2<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>
 */
export const kimiK3 = defineProtocol({
  name: "kimi-k3",
  about: { models: "Kimi K3", source: "the tool parser for Kimi K3 in vLLM; the prompt is ours" },
  bodies: [elementsBody, jsonCallBody],
  syntax: {
    parallel: true,
    block,
    call: call('" index="', { slot: "index" }),
    also: [
      { block, call: call() },
      { call: glued },
      ...jsonBetween("<|open|>call<|sep|>", "<|close|>call<|sep|>", block),
    ],
    noise: [
      ...["<|open|>response<|sep|>", "<|close|>response<|sep|>", "<|close|>message<|sep|>"],
      "<|close|>toolsmessage<|sep|>",
      ...["<|end_of_msg|>", "<|open|>", "<|close|>", "<|sep|>"],
    ],
    spans: [{ open: "<|open|>think<|sep|>", close: "<|close|>think<|sep|>", as: "reasoning" }, namedResults.span],
    stop: namedResults.stop,
  },
  renderTools: (tools, context) =>
    [
      "# Tools",
      "",
      nativeTools(tools, context, functionJson),
      "",
      "To call tools, end your answer with:",
      '<|open|>tools<|sep|><|open|>call tool="{tool}" index="{number}"<|sep|><|open|>argument key="{parameter}" type="{JSON type}"<|sep|>{value}<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
    ].join("\n"),
  renderResults: namedResults.render,
});
