import { describe, expect, test } from "vitest";
import { readings } from "../../test/support/readings.js";
import { escapeText } from "../index.js";

const calls = (mark: string, block: string, closer = mark) =>
  [
    `<${mark}${block}>`,
    `<${mark}invoke name="ship.order">`,
    `<${mark}parameter name="depot" string="true">12</${closer}parameter>`,
    `<${mark}parameter name="boxes" string="false">3</${closer}parameter>`,
    `</${closer}invoke>`,
    `</${closer}${block}>`,
  ].join("\n");

const wanted = [["ship.order", { depot: "12", boxes: 3 }]];

describe.each(["deepseek-v32", "deepseek-v4", "auto"] as const)("%s", (protocol) => {
  describe.each(["｜DSML｜", "｜｜DSML｜｜", "|DSML|", "||DSML||", " | DSML | ", "｜｜DSML｜｜ "])(
    "tags with %j",
    (mark) => {
      test.each(["function_calls", "tool_calls"])("are read in a block of %s", (block) =>
        expect(readings(`I will look.\n\n${calls(mark, block)}`, protocol)).toEqual(wanted),
      );

      test("are read without a block", () =>
        expect(readings(calls(mark, "tool_calls").split("\n").slice(1, -1).join("\n"), protocol)).toEqual(wanted));

      test("are text in inline code", () =>
        expect(readings(`Write \`${calls(mark, "tool_calls").replaceAll("\n", "")}\` to call it.`, protocol)).toEqual(
          [],
        ));
    },
  );

  test("the block of V4.1 is called otherwise", () =>
    expect(readings(calls("｜｜DSML｜｜ ", "calls"), protocol)).toEqual(wanted));

  test("curly quotes are quotes", () =>
    expect(readings(calls("｜｜DSML｜｜", "tool_calls").replace(/="(.*?)"/g, "=“$1”"), protocol)).toEqual(wanted));
});

describe("a value that the attribute says is JSON", () => {
  const tag = (key: string, value: string, isText: boolean) =>
    `<｜DSML｜parameter name="${key}" string="${isText}">${value}</｜DSML｜parameter>\n`;
  const call = (value: string, isText = false) =>
    `<｜DSML｜tool_calls>\n<｜DSML｜invoke name="book">\n${tag("venue", value, isText)}${tag("note", "x", true)}</｜DSML｜invoke>\n</｜DSML｜tool_calls>`;

  test.each([
    ['"Hall"', "Hall"],
    [String.raw`"one\ntwo \"three\""`, 'one\ntwo "three"'],
    ['"a <b> c"', "a <b> c"],
    // Anything else is text for a declared string.
    ["Hall", "Hall"],
    ['"Hall" or "Room"', '"Hall" or "Room"'],
    ['"Hall', '"Hall'],
    ['{"a": "b"}', '{"a": "b"}'],
  ])("is a string only as a whole: %s", (value, venue) =>
    expect(readings(call(value), "deepseek-v4")).toEqual([["book", { venue, note: "x" }]]),
  );

  test("quotes around a text are its own", () =>
    expect(readings(call('"Hall"', true), "deepseek-v4")).toEqual([["book", { venue: '"Hall"', note: "x" }]]));
});

test("no spelling of the tags remains in untrusted text", () => {
  for (const mark of ["｜｜DSML｜｜", "|DSML|", "||DSML||", " | DSML | ", "｜｜DSML｜｜ "]) {
    const text = calls(mark, "tool_calls");
    expect(readings(escapeText(text), "deepseek-v4")).toEqual([]);
  }
});
