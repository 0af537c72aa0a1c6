import { elementsBody } from "../bodies/elements.js";
import { jsonBody } from "../bodies/json.js";
import { jsonCallBody } from "../bodies/json-call.js";
import { isObject } from "../common/plain-object.js";
import { defineProtocol } from "../define-protocol.js";
import { key, name } from "../syntax/parts.js";
import type { Part } from "../syntax/syntax.js";
import { functionOf } from "../tool-text/index.js";
import { jsonBetween, namedResults, textElements } from "./parts.js";

const args = textElements(
  ['<|open|>argument key="', key, '" type="', { slot: "type" }, '"<|sep|>'],
  ["<|close|>argument<|sep|>"],
);
/** Arguments that the model writes as one object. */
const object: Part[] = ['<|open|>json type="object"<|sep|>', { body: "json" }, "<|close|>json<|sep|>"];
const number: Part[] = ['" index="', { slot: "index", first: 1 }];
const call = (place: Part[], content: Part[]): Part[] => [
  '<|open|>call tool="',
  name,
  ...place,
  '"<|sep|>',
  ...content,
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
 * // <|open|>tools<|sep|><|open|>call tool="add" index="1"<|sep|><|open|>argument key="a"
 * type="number"<|sep|>2<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>
 */
export const kimiK3 = defineProtocol({
  name: "kimi-k3",
  about: { models: "Kimi K3", source: "the chat template of moonshotai/Kimi-K3, and its tool parser in vLLM" },
  bodies: [elementsBody, jsonBody, jsonCallBody],
  syntax: {
    parallel: true,
    block,
    call: call(number, [args]),
    also: [
      { block, call: call([], [args]) },
      ...[number, []].map((place) => ({ block, call: call(place, object) })),
      { call: glued },
      ...jsonBetween("<|open|>call<|sep|>", "<|close|>call<|sep|>", block),
    ],
    noise: [
      ...["<|open|>response<|sep|>", "<|close|>response<|sep|>", "<|close|>message<|sep|>"],
      "<|close|>toolsmessage<|sep|>",
      // Left of a call that was refused.
      ...["argument", "json", "call", "tools"].map((word) => `<|close|>${word}<|sep|>`),
      ...["<|end_of_msg|>", "<|open|>", "<|close|>", "<|sep|>"],
    ],
    spans: [{ open: "<|open|>think<|sep|>", close: "<|close|>think<|sep|>", as: "reasoning" }, namedResults.span],
    stop: namedResults.stop,
  },
  renderTools: (tools, context) =>
    [
      "# Tools",
      "Here are the available tools, described in JSONSchema.",
      "",
      context.style === "native"
        ? `\`\`\`json\n${JSON.stringify(tools.map((tool) => sorted(functionOf(tool))))}\n\`\`\``
        : context.listTools(tools, context.style),
      "",
      "To call tools, end your answer with:",
      '<|open|>tools<|sep|><|open|>call tool="{tool}" index="{number}"<|sep|><|open|>argument key="{parameter}" type="{JSON type}"<|sep|>{value}<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
    ].join("\n"),
  renderResults: namedResults.render,
});

/** A value whose objects have their keys in order, as the template writes them. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}
