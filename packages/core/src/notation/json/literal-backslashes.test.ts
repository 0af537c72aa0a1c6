import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readings } from "../../../test/support/readings.js";

const call = (path: string) => `<tool_call>\n{"name": "open_file", "arguments": {"path": "${path}"}}\n</tool_call>`;
const opened = (path: string) => [["open_file", { path }]];

describe("backslashes of a Windows path in a string", () => {
  test("are all literal after one that is no escape", () => {
    const names = fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.constantFrom("C", "d"), fc.stringMatching(/^[A-Z][a-z]{0,5}$/), names, (drive, first, rest) => {
        const path = [`${drive}:`, first, ...rest].join("\\");
        // An escape that begins with these needs digits, which would be an escape.
        fc.pre(!/\\u[\da-f]{4}|\\x[\da-f]{2}/.test(path));
        expect(readings(call(path), "hermes")).toEqual(opened(path));
      }),
    );
  });

  test.each([
    ["escaped as JSON wants it", "C:\\\\temp\\\\new.txt", "C:\\temp\\new.txt"],
    ["escaped from the second one on", "C:\\Users\\\\temp\\\\new.txt", "C:\\Users\\temp\\new.txt"],
    ["in lower case", "c:\\users\\new", "c:\\users\\new"],
  ])("are read as before: %s", (_, written, path) => expect(readings(call(written), "hermes")).toEqual(opened(path)));

  test.each([
    ["an escape before it", "C:\\temp\\Users"],
    ["an escape after the path's end", "C:\\Users\\a.txt\\nis a file"],
    ["an escape after words", "C:\\Users\\a b\\new"],
  ])("make no call where they can be read in two ways: %s", (_, path) =>
    expect(readings(call(path), "hermes")).toEqual(["malformed"]),
  );

  test.each([
    ["a formula", "\\frac{1}{2} + \\sqrt{2}"],
    ["a formula, in the other order", "\\sqrt{2} + \\frac{1}{2}"],
    ["a formula between brackets", "\\(\\frac{1}{2}\\)"],
    ["a pattern", "\\bword\\s"],
  ])("make no call beside a form feed or backspace: %s", (_, text) => {
    expect(readings(call(text), "hermes")).toEqual(["malformed"]);
    expect(readings(call(text.replaceAll("\\", "\\\\")), "hermes")).toEqual(opened(text));
  });

  test.each([
    ["a path whose names begin like escapes", "E:\\new\\tables"],
    ["a path with a backspace", "E:\\backup\\a.md"],
    ["a tab beside an escape that JSON lacks", "\\sqrt{x} \\times y"],
    ["the same in the other order", "\\theta = \\alpha"],
  ])("make no call in %s", (_, text) => {
    expect(readings(call(text), "hermes")).toEqual(["malformed"]);
    expect(readings(call(text.replaceAll("\\", "\\\\")), "hermes")).toEqual(opened(text));
    const inObject = `<tool_call>{"name": "open_file", "arguments": {"place": {"city": "${text}"}}}</tool_call>`;
    expect(readings(inObject, "hermes")).toEqual(["malformed"]);
  });

  test.each([
    ["lines", "def f():\\n\\tif x:\\n\\t\\treturn y\\r\\nA: b\\tc", "def f():\n\tif x:\n\t\treturn y\r\nA: b\tc"],
    ["a form feed between lines", "a\\n\\f\\nb", "a\n\f\nb"],
    ["a question", "Q:\\nWhy?", "Q:\nWhy?"],
    ["a heading of one letter", "Plan B:\\nrun", "Plan B:\nrun"],
  ])("are escapes in %s", (_, written, text) => expect(readings(call(written), "hermes")).toEqual(opened(text)));

  test("are literal in a formula without these", () => {
    const text = "\\sqrt{2} \\cdot \\pi";
    expect(readings(call(text), "hermes")).toEqual(opened(text));
  });

  test.each([
    ["\\d+: C\\n\\tx", "\\d+: C\n\tx"],
    ["Let f:\\mathbb{R}\\nThen", "Let f:\\mathbb{R}\nThen"],
    ["x=a:\\d+\\nfoo", "x=a:\\d+\nfoo"],
    ["open C:\\Users\\nand", "open C:\\Users\nand"],
  ])("do not change escapes of other text: %s", (written, path) =>
    expect(readings(call(written), "hermes")).toEqual(opened(path)),
  );
});
