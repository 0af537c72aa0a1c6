import { describe, expect, test } from "vitest";
import { readings, tools } from "../../test/support/readings.js";
import { escapeText, parseReply } from "../index.js";

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

const marks = [
  ...["｜DSML｜", "｜｜DSML｜｜", "|DSML|", "||DSML||"].flatMap((mark) => [mark, `${mark} `]),
  " | DSML | ",
];

describe.each(["deepseek-v32", "deepseek-v4", "deepseek-v41", "auto"] as const)("%s", (protocol) => {
  describe.each(marks)("tags with %j", (mark) => {
    test.each(["function_calls", "tool_calls", "calls"])(
      "are read in a block of %s, and no markup is left",
      (block) => {
        const reply = `I will look.\n\n${calls(mark, block)}`;
        expect(readings(reply, protocol)).toEqual(wanted);
        expect(parseReply(reply, { protocol, tools }).text.trim()).toBe("I will look.");
      },
    );

    test("are read without a block", () =>
      expect(readings(calls(mark, "tool_calls").split("\n").slice(1, -1).join("\n"), protocol)).toEqual(wanted));

    test("are text in inline code", () =>
      expect(readings(`Write \`${calls(mark, "tool_calls").replaceAll("\n", "")}\` to call it.`, protocol)).toEqual(
        [],
      ));
  });

  test.each([
    ["without quotes", calls("｜DSML｜", "tool_calls").replace(/="(\S*?)"/g, "=$1")],
    ["in single quotes", calls("｜DSML｜", "tool_calls").replace(/"/g, "'")],
    ["with space around the equals sign", calls("｜DSML｜", "tool_calls").replaceAll("=", " = ")],
    ["without quotes, with space", calls("｜DSML｜", "tool_calls").replace(/="(\S*?)"/g, " = $1")],
  ])("attributes are read %s", (_, reply) => expect(readings(reply, protocol)).toEqual(wanted));

  test("closing tags are read without the mark, and with it after tags that lack it", () => {
    const whole = calls("｜DSML｜", "tool_calls");
    expect(readings(calls("｜DSML｜", "tool_calls", ""), protocol)).toEqual(wanted);
    expect(readings(whole.replaceAll("<｜DSML｜", "<"), protocol)).toEqual(wanted);
  });

  test("closing tags without the mark are text where the value's own comes later", () => {
    const text = "Write </parameter>\n</invoke>\n</tool_calls> last.";
    expect(readings(calls("｜DSML｜", "tool_calls").replace(">12<", `>${text}<`), protocol)).toEqual([
      ["ship.order", { depot: text, boxes: 3 }],
    ]);
  });

  test("curly quotes are quotes", () =>
    expect(readings(calls("｜｜DSML｜｜", "tool_calls").replace(/="(.*?)"/g, "=“$1”"), protocol)).toEqual(wanted));
});

describe.each(["｜DSML｜", "｜DSML｜ "])("with %j, slips in closing tags are read", (mark) => {
  const whole = calls(mark, "calls");
  const last = `</${mark}parameter>\n</${mark}invoke>`;
  test.each([
    ["the last value's is missing", whole.replace(last, `</${mark}invoke>`)],
    ["the last value's is missing, on its own line", whole.replace(last, `\n</${mark}invoke>`)],
    ["it lacks the mark", whole.replace(last, `</parameter>\n</${mark}invoke>`)],
    ["it has the argument's name", whole.replace(last, `</boxes>\n</${mark}invoke>`)],
    ["the call's is missing", whole.replace(last, `</${mark}parameter>`)],
  ])("%s", (_, reply) => {
    expect(readings(reply, "deepseek-v41")).toEqual(wanted);
    expect(parseReply(`${reply}\nI wait.`, { protocol: "deepseek-v41", tools }).text.trim()).toBe("I wait.");
  });
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
  for (const mark of marks)
    for (const block of ["tool_calls", "calls"])
      expect(readings(escapeText(calls(mark, block)), "deepseek-v4")).toEqual([]);
});
