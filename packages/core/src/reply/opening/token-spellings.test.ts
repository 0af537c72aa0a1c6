import { describe, expect, test } from "vitest";
import { type Piece, pieces } from "../../../test/support/pieces.js";
import { readings } from "../../../test/support/readings.js";
import { parseReply } from "../../full/index.js";
import { createEscaper } from "../../prompt/escape.js";
import { deepseekV3 } from "../../protocols/deepseek-v3.js";

const json = '{"depot": "north", "boxes": 4}';
const wanted = ["ship.order", { depot: "north", boxes: 4 }];
const fenced = `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>ship.order\n\`\`\`json\n${json}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`;
const plainCall = `<｜tool▁call▁begin｜>ship.order<｜tool▁sep｜>${json}<｜tool▁call▁end｜>`;
const plain = `<｜tool▁calls▁begin｜>${plainCall}${plainCall}<｜tool▁calls▁end｜>`;
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
    const escaped = createEscaper([deepseekV3]).escape(spell(plain, bar, separator));
    const { toolCalls, invalidToolCalls } = parseReply(escaped, { protocol: "deepseek-v3", tools: [] });
    expect([toolCalls, invalidToolCalls]).toEqual([[], []]);
  });
});

test.each<[string, Piece[]]>([
  ["<tool calls begin><tool call begin>get_weather", [["text", "<tool calls begin><tool call begin>get_weather"]]],
  ["The tool calls begin｜ at noon.", [["text", "The tool calls begin｜ at noon."]]],
])("words with other brackets are text: %s", (reply, wanted) => {
  expect(pieces(reply, "deepseek-v3")).toEqual(wanted);
});
