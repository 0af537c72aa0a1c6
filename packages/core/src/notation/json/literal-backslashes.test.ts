import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { readings, tools } from "../../../test/support/readings.js";
import { parseReply, protocols } from "../../index.js";

const call = (path: string) => `<tool_call>\n{"name": "open_file", "arguments": {"path": "${path}"}}\n</tool_call>`;
const opened = (path: string) => [["open_file", { path }]];

test("an escaped backslash before one that is not is a pattern's, a formula's or a path's", () => {
  const texts = [
    "\\bword\\s+",
    "\\d\\w",
    "\\alpha\\sum",
    "\\begin\\section",
    "\\alpha\\cdot x",
    "\\section\\{Intro\\}",
  ];
  for (const text of [...texts, "\\server\\share"]) expect(readings(call(`\\${text}`), "hermes")).toEqual(opened(text));
  expect(readings('[open_file(path="\\\\server\\share")]', "pythonic")).toEqual(opened("\\server\\share"));
});

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
    ["before a line break as it is", "docker run \\\n  -it x", "docker run \\\n  -it x"],
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
    ["a path from the home folder", "~\\Documents\\new.txt"],
    ["a path from a variable", "%APPDATA%\\Local\\new"],
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

const writes = (text: string) => readings(call(text), "hermes");
const refused = (text: string) => {
  expect(writes(text)).toEqual(["malformed"]);
  expect(writes(text.replaceAll("\\", "\\\\"))).toEqual(opened(text));
};

describe("a backslash before what another language escapes", () => {
  test.each([
    ["an apostrophe", "it\\'s late", "it's late"],
    ["a quotation", "say \\'no\\'", "say 'no'"],
    ["an apostrophe in escaped quotes", 'say \\"it\\\'s\\"', 'say "it\'s"'],
    ["a name", "user\\_id", "user_id"],
    ["a price", "costs \\$5", "costs $5"],
    ["code in a sentence", "run \\`npm test\\`", "run `npm test`"],
  ])("is no part of the text: %s", (_, written, text) => expect(writes(written)).toEqual(opened(text)));

  test.each([
    ["the quotes of a program", "print('don\\'t')"],
    ["quotes after others", "print('a', 'don\\'t')"],
    ["a template", "x = `a \\`b\\``"],
    ["a path", "D:\\Work\\_old\\$a"],
    ["a path from its first name on", "D:\\_old\\new"],
    ["a text that writes backslashes as they are", "\\d+\\$ and \\_"],
  ])("is literal in %s", (_, text) => expect(writes(text)).toEqual(opened(text)));

  test.each([
    ["a command's variable", 'echo \\"\\$HOME\\"'],
    ["a command in quotes", "sh -c 'echo \\`date\\`'"],
    ["a wildcard of SQL", "name LIKE 'a\\_b'"],
    ["quotes that may be an apostrophe", "the '90s, don\\'t"],
    ["a shell's quotes", "echo 'don\\'t'"],
    ["a folder that reads as an escape", "C:\\Tools\\x64\\app"],
    ["another one", "C:\\Users\\ubead\\x"],
    ["a pattern after it", "\\$\\d+"],
    ["a path without a drive", "src\\tests\\_a"],
  ])("makes no call in %s", (_, written) => expect(writes(written)).toEqual(["malformed"]));

  it("is literal in Python's quotes, where only an underscore needs no such reading", () => {
    const python = (text: string) => readings(`[open_file(path="${text}")]`, "pythonic");
    expect(python("name LIKE 'a\\_b'")).toEqual(opened("name LIKE 'a\\_b'"));
    expect(python("user\\_id")).toEqual(opened("user_id"));
    expect(python("print('don\\'t')")).toEqual(opened("print('don't')"));
  });
});

describe("an escape that is hardly meant", () => {
  test.each(["\\bword\\b", "end\\b", "\\frac{1}{2}", "src\\new\\data", "a.b\\x64\\c", "\\\\host\\share\\new"])(
    "makes no call: %s",
    (text) => expect(writes(text)).toEqual(["malformed"]),
  );

  test.each(["\\bword\\b", "\\frac{1}{2}", "src\\new\\data"])("is text with two backslashes: %s", refused);

  it("is read from the digits of the character", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("\b", "\f", "\\", "a", '"', "'", "_") }), (path) => {
        const calls = [{ name: "open_file", arguments: { path } }];
        for (const name of ["hermes", "pythonic"] as const)
          expect(readings(protocols[name].renderCalls(calls, { tools }), name)).toEqual(opened(path));
      }),
    );
  });
});

describe("an object of Python with any text", () => {
  /** A string as Python's `repr` writes it. */
  const repr = (text: string) => {
    const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
    const escaped = text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll(quote, `\\${quote}`);
    return quote + escaped + quote;
  };
  const own = [{ name: "run", parameters: { type: "object", properties: { code: { type: "string" } } } }];
  const read = (code: string) => {
    const reply = `<tool_call>{'name': 'run', 'arguments': {'code': ${repr(code)}}}</tool_call>`;
    return parseReply(reply, { protocol: "hermes", tools: own });
  };

  test.each([
    "print('x', \"y\")",
    "say 'hi' \"now\"",
    "d = {'a': \"b\"}",
    "'a' \"b\"",
    "it's 12\"",
    "echo '$HOME' \"$A\"",
  ])("is read as it is: %s", (code) => expect(read(code).toolCalls).toMatchObject([{ arguments: { code } }]));

  test("never becomes another text", () => {
    const text = fc.string({ unit: fc.constantFrom(..."'\"\\ \n(){}[],:=ab$`".split("")), maxLength: 12 });
    fc.assert(
      fc.property(text, (code) => {
        const { toolCalls, invalidToolCalls } = read(code);
        expect(toolCalls.length + invalidToolCalls.length).toBe(1);
        for (const call of toolCalls) expect(call.arguments).toEqual({ code });
      }),
      { numRuns: 2000 },
    );
  });
});

test.each([
  ["\\U0001F600!", "😀!"],
  ["\\u{1F600}", "😀"],
  ["\\u{110000} \\u{a}", "\\u{110000} \\u{a}"],
])("a character is read by its number as other languages write it: %s", (written, text) =>
  expect(readings(call(written), "hermes")).toEqual(opened(text)),
);
