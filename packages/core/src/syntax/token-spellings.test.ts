import { describe, expect, test } from "vitest";
import { type Piece, pieces } from "../../test/support/pieces.js";
import { readings } from "../../test/support/readings.js";
import { matchGrammar, toolCallGrammar } from "../grammar/index.js";
import { createEscaper } from "../prompt/escape.js";
import { deepseekV3 } from "../protocols/deepseek-v3.js";

const json = '{"depot": "north", "boxes": 4}';
const wanted = ["ship.order", { depot: "north", boxes: 4 }];
const fenced = `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>ship.order\n\`\`\`json\n${json}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`;
const plainCall = `<｜tool▁call▁begin｜>ship.order<｜tool▁sep｜>${json}<｜tool▁call▁end｜>`;
const plain = `<｜tool▁calls▁begin｜>${plainCall}${plainCall}<｜tool▁calls▁end｜>`;
const grammars = (["deepseek-v3", "deepseek-v31"] as const).map(
  (protocol) => toolCallGrammar({ protocol, tools: [{ name: "ship.order" }], toolChoice: "auto" }).grammar,
);
const spell = (text: string, bar: string, separator: string) => text.replaceAll("｜", bar).replaceAll("▁", separator);

describe.each([
  ["｜", "▁"],
  ["｜", " "],
  ["｜", "_"],
  ["|", "▁"],
  ["|", " "],
  ["|", "_"],
])("tokens with the bar %s and the separator %j", (bar, separator) => {
  test("are those of calls", () => {
    for (const by of ["deepseek-v3", "deepseek-v31", "auto", "hermes"] as const) {
      expect(readings(spell(fenced, bar, separator), by)).toEqual([wanted]);
      expect(readings(spell(`I ask twice.${plain}`, bar, separator), by)).toEqual([wanted, wanted]);
    }
  });

  test("leave no text, and results that the model makes up are dropped", () => {
    const call =
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Oslo"}<｜tool▁call▁end｜>';
    const rest = "<｜tool▁calls▁end｜><｜tool▁outputs▁begin｜>Warm.<｜tool▁outputs▁end｜><｜end▁of▁sentence｜>";
    const kinds = pieces(spell(`Hm.${call}${rest}`, bar, separator), "deepseek-v31").map(([kind]) => kind);
    expect([...new Set(kinds)]).toEqual(["text", "call", "dropped"]);
  });

  test("are text in a sentence and in code, and no calls when they are escaped", () => {
    const mention = spell("DeepSeek writes <｜tool▁calls▁begin｜> before its calls.", bar, separator);
    expect(pieces(mention, "hermes")).toEqual([["text", mention]]);
    const code = spell(`For example:\n\`\`\`\n${plain}\n\`\`\`\nIs that right?`, bar, separator);
    expect(readings(code, "deepseek-v31")).toEqual([]);
    const calls = spell(plain, bar, separator);
    const escaped = createEscaper([deepseekV3]).escape(calls);
    expect([calls, escaped].map((text) => readings(text, "deepseek-v3"))).toEqual([[wanted, wanted], []]);
  });
});

describe("the grammar of a reply", () => {
  const admits = (text: string) => grammars.map((grammar) => matchGrammar(grammar, text).matches);

  test.each([
    ...["<｜tool▁calls▁begin｜>", "<|tool▁calls▁begin|>", "<｜tool_calls_begin｜>", "<|tool calls begin|>"],
    ...["<|tool▁call▁begin|>", "<｜tool call begin｜>", "<|tool_call_begin|>"],
    ...["<|tool▁output▁begin|>", "<|tool_outputs_begin|>", "<｜tool outputs begin｜>"],
  ])("admits no %s in text, as the parser reads it", (token) => {
    expect(admits(`Well. ${token}`)).toEqual([false, false]);
    expect(admits(`Well.\n${token}ship.order`)).toEqual([false, false]);
  });

  test.each(["<|tool|>", "<tool_calls_begin>", "The tool calls begin | at noon.", "<|tool_calls|end|>", "a <| b |> c"])(
    "admits %s",
    (text) => expect(admits(text)).toEqual([true, true]),
  );
});

test.each<[string, Piece[]]>([
  ["<tool calls begin><tool call begin>get_weather", [["text", "<tool calls begin><tool call begin>get_weather"]]],
  ["The tool calls begin｜ at noon.", [["text", "The tool calls begin｜ at noon."]]],
])("words with other brackets are text: %s", (reply, wanted) => {
  expect(pieces(reply, "deepseek-v3")).toEqual(wanted);
});
