import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UnescapedQuotes } from "./unescaped-quotes.js";

const place = { inList: false, inPython: false, declares: (key: string) => key === "path" };

/** Whether a string may contain more than one value: its text in chunks, each quote in it as text. */
function hidesMore(chunks: readonly string[], inPython = false, mark = '"'): boolean {
  const quotes = new UnescapedQuotes();
  quotes.begin();
  for (const chunk of chunks) {
    for (const piece of chunk.split(new RegExp(`(${mark})`))) {
      if (piece === mark) quotes.quote(piece);
      else if (piece !== "") quotes.push(piece);
    }
  }
  return quotes.hideMore({ ...place, inPython });
}

/** Longer than what is kept of a text before its first quote. */
const long = "a line of the text\\n".repeat(60);

describe("a string with unescaped quotes", () => {
  test.each([
    ["and none is there", "He said hi", false],
    ["that are paired", 'He said "hi" to me', false],
    ["of an attribute", '<a href="b">c</a>', false],
    ["of an attribute of an empty element", '<img src="b"/>', false],
    ["of an attribute, one of which is missing", '<a href="b>c</a>', true],
    ["and a declared key", 'a", "path": "b', true],
    ["and another key", 'a", "size": "b', true],
    ["and the end of an object", 'a"} b', true],
    ["and the end of an object that it opens", '{"a"} b', false],
    ["and the end of a list that it opens much earlier", `[${long} "a"] b`, false],
    ["and the end of a list that it opened and closed much earlier", `[]${long} "a"] b`, true],
    ["and the end of a list, after a bracket that is escaped", `\\[${long} "a"] b`, true],
  ])("%s", (_, text, expected) => {
    expect(hidesMore([text])).toBe(expected);
    expect(hidesMore([...text])).toBe(expected);
  });

  test.each([
    'cd "/tmp" && ls',
    'say "a" or "b" please',
    '12" x 14" y',
    'echo "" > f',
    'f("", "")',
    'join(" or ")',
    'print("Total: ", x)',
    'print(f"Hello {x}")',
    're.compile(r"[a-z]")',
    '{"a":1,"b":{"c":["d","e"]}}',
    '<a b="c " d="e">',
    'const a = "b";\\nconst c = "d";\\n',
    'say "hi"\\nthere',
    '他说："你好"然后走了',
    '他说"你好"，然后走了',
  ])("that are quotations in a text is one value: %s", (text) => {
    expect(hidesMore([text])).toBe(false);
    expect(hidesMore([...text])).toBe(false);
  });

  test.each([
    '/a" or "/b',
    './a", "./b',
    '?a" or "?b',
    '/a" to: "/b',
    '/tmp/a" // not "/tmp/b',
    ' a " or " b ',
    'a"|"b',
    'a""b',
    '/a"or"/b',
    'a"or" b',
    'a=" or "/b',
    '甲"或"乙',
    '/a"\\nor\\n"/b',
  ])("that may be two values is refused: %s", (text) => {
    expect(hidesMore([text])).toBe(true);
    expect(hidesMore([...text])).toBe(true);
  });

  test("an apostrophe ends no value", () => {
    const text = "I don't know the dogs' names, it's late";
    expect(hidesMore([text], false, "'")).toBe(false);
    expect(hidesMore(["/a' or '/b"], false, "'")).toBe(true);
  });

  test("the end of a call in parentheses counts in Python", () => {
    expect(hidesMore(['x "a") b'], true)).toBe(true);
    expect(hidesMore(['x "a") b'])).toBe(false);
  });

  test("is read the same in any chunks, with any text before its first quote", () => {
    const signs = fc.constantFrom("{", "}", "[", "]", "(", ")", "\\", "\\\\", "'", " ", "a");
    const before = fc.array(signs, { maxLength: 1500, size: "max" });
    const rest = fc.array(fc.oneof(signs, fc.constant('"')), { maxLength: 30 });
    fc.assert(
      fc.property(before, rest, fc.integer({ min: 1, max: 700 }), fc.boolean(), (before, rest, size, inPython) => {
        const text = `${before.join("")}"${rest.join("")}`;
        const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
          text.slice(i * size, (i + 1) * size),
        );
        expect(hidesMore(chunks, inPython)).toBe(hidesMore([...text], inPython));
      }),
    );
  });
});
