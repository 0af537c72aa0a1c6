import { describe, expect, test } from "vitest";
import { pieces } from "../../../test/support/pieces.js";
import { read } from "../../../test/support/read.js";

/** A call without its end, with the text after its first argument. */
const open = {
  "tool-tags": (rest: string) => `<get_weather>\n<city>Oslo</city>${rest}`,
  yaml: (rest: string) => `<get_weather>\n<city>Oslo</city>${rest}`,
  "am-xml": (rest: string) => `<am:tool_call name="get_weather">\n<city>Oslo</city>${rest}`,
  "qwen3-coder": (rest: string) => `<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>${rest}`,
  "minimax-m2": (rest: string) =>
    `<minimax:tool_call>\n<invoke name="get_weather">\n<parameter name="city">Oslo</parameter>${rest}`,
  glm45: (rest: string) => `<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>${rest}`,
} as const;
const cases = Object.entries(open) as [keyof typeof open, (rest: string) => string][];

describe("a call without its end", () => {
  test.each(cases)("is before the answer at the end of the reply in %s", (protocol, write) => {
    expect(pieces(write("\n\nI will wait for it."), protocol)).toEqual([
      ["call", "get_weather"],
      ["text", "I will wait for it."],
    ]);
    expect(read(write("\n\nI will wait."), { protocol }).toolCalls[0]?.repairs).toEqual([{ code: "missing-closer" }]);
  });

  test.each(["tool-tags", "am-xml"] as const)("has no argument within a line of words in %s", (protocol) => {
    for (const rest of ["\n\nUse <days>3</days> for more.", "\n\nThen I tell <b>Bob</b>.", "\nI\nsay <days>3</days>"])
      expect(pieces(open[protocol](rest), protocol)).toEqual([["invalid", "malformed"]]);
  });

  test("is before the answer also where the next call follows", () => {
    expect(pieces("<get_weather>\n<city>Oslo</city>\n\nNow the time:\n<now></now>", "tool-tags")).toEqual([
      ["call", "get_weather"],
      ["text", "Now the time:"],
      ["call", "now"],
    ]);
  });

  test.each(["xml", "auto", "hermes"] as const)("is before a call on a line of its own in %s", (protocol) => {
    for (const next of ["<now/>", "<now></now>", "<get_weather><city>Bergen</city></get_weather>"])
      expect(pieces(`<get_weather><city>Oslo</city>\nok\n${next}`, protocol).slice(0, 3)).toEqual([
        ["call", "get_weather"],
        ["text", "ok"],
        ["call", next.startsWith("<now") ? "now" : "get_weather"],
      ]);
  });
});

test.each([
  ["between the arguments", "<get_weather>\n<city>Oslo</city>\nfor some days\n<days>3</days>\n</get_weather>"],
  ["before the end", "<get_weather>\n<city>Oslo</city>\nfor some\n</get_weather>"],
  ["beside an argument, with the end", "<get_weather>\n<city>Oslo</city>\nUse <days>3</days> of\n</get_weather>"],
])("words %s are dropped", (_, reply) => {
  const options = { protocol: "tool-tags", tools: [{ name: "get_weather" }] } as const;
  expect(read(reply, options)).toMatchObject({ text: "", toolCalls: [{ name: "get_weather" }] });
  expect(read(reply, options).toolCalls[0]?.repairs?.map(({ code }) => code)).toContain("dropped-text");
});

test.each([
  ["directly after a value", "<get_weather>\n<city>Oslo</city>\n<days>2</days>5\n</get_weather>"],
  ["directly before an argument", "<get_weather>\nOslo<city>Oslo</city>\n</get_weather>"],
  ["after an empty argument", "<get_weather>\n<city>Oslo</city>\n<days></days> 3\n</get_weather>"],
  ["before an empty argument", "<write_file>\n<path>a</path>\nHello\n<content></content>\n</write_file>"],
  ["after one that closes itself", "<write_file>\n<path>a</path>\n<content/>\nHello\n</write_file>"],
])("words %s may be its value, so the call is refused", (_, reply) =>
  expect(pieces(reply, "tool-tags")).toEqual([["invalid", "malformed"]]),
);

test("a comma after an argument is dropped", () => {
  const reply = "<get_weather>\n<days>3</days>,\n<city>Oslo</city>\n</get_weather>";
  expect(read(reply, { protocol: "tool-tags" }).toolCalls).toMatchObject([{ arguments: { city: "Oslo", days: 3 } }]);
});
