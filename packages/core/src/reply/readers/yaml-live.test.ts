import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chunked } from "../../../test/arbitraries.js";
import { createReplyParser, type ReplyEvent, type ReplyParserOptions } from "../../index.js";

const parameters = {
  type: "object",
  properties: {
    path: { type: "string" },
    content: { type: "string" },
    note: { type: ["string", "null"] },
    tags: { type: "array", items: { type: "string" } },
    mode: { type: "integer" },
    any: {},
  },
};
const tools = [{ name: "write", parameters }];

function events(chunks: readonly string[], options: ReplyParserOptions = { tools }): ReplyEvent[] {
  const parser = createReplyParser({ protocol: "yaml", generateId: () => "id", ...options });
  return [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
}

const deltas = (list: readonly ReplyEvent[]) =>
  list.map((event) => (event.type === "call-delta" ? event.argumentsDelta : "")).join("");

/** The arguments' text after each of the pieces. */
function shown(...pieces: string[]): string[] {
  const parser = createReplyParser({ protocol: "yaml", tools });
  let text = "";
  return ["<write>\n", ...pieces].map((piece) => {
    text += deltas(parser.push(piece));
    return text;
  });
}

/** Lines of arguments, right and wrong: all that could change what a line before or after them says. */
const entry = fc.constantFrom(
  ...["path: a b", "path: a # b", "path: a: b", "path: *x", "path: &x a", "path: !t a", "path: 'a", 'path: "a\n  b"'],
  ...["path:", "path: a\n  b", "path:\n  a: b", "path: @a", "path: `a`", 'path: "a" b', "path: [a", "Path: a"],
  ...[
    "mode: 2",
    "mode: x",
    "note: ~",
    "note:",
    "tags: [a, b]",
    "tags:\n  - a\n  - b",
    "tags:\n- a",
    "tags: a",
    "any: *x",
  ],
  ...[
    "any: &x a",
    "any: {a: 1}",
    "any: {a: 1",
    "any:\n  a: |\n    b",
    "any: >\n  a\n  b",
    "any: |2\n    a",
    "any: 1.50",
  ],
  ...[
    "other: a",
    '"path": a',
    "? path",
    ": a",
    "# comment",
    "",
    "---",
    "...",
    "%YAML 1.1",
    "- a",
    "words",
    "\tpath: a",
  ],
  ...[
    "  path: a",
    " path: a",
    "content: a",
    "<<: *x",
    "1: a",
    "content: |\n",
    "content: >",
    "any: !!str |\n  a",
    "```",
  ],
);
const header = fc.tuple(
  fc.constantFrom(
    "content",
    "content",
    "note",
    "any",
    "path",
    "mode",
    "tags",
    "other",
    "Content",
    '"content"',
    "- any",
  ),
  fc.constantFrom(": ", ": ", ": ", ":  ", " : ", ":"),
  fc.constantFrom(
    "|",
    "|",
    "|",
    "|-",
    "|+",
    "|1",
    "|2",
    "|2-",
    "|+3",
    "|  ",
    "| # a",
    "|x",
    ">",
    ">-",
    "&x |",
    "!!str |",
  ),
);
const words = fc.constantFrom(
  ...["a", "a: b", "- a", "# a", "", "\ta", "a\r", "\r", "path: b", "mode: 1", "&x a", "*x", "{", '"', "😀", "\ud83d"],
  ...["---", "...", "%", "a ", "\t", "```", "a <b>", "a\u0085b", "\ufeff", "'"],
);
/** Most lines of a block have the same indentation. */
const indentation = fc.oneof({ weight: 4, arbitrary: fc.constant(-1) }, { weight: 1, arbitrary: fc.nat(5) });
const block = fc
  .tuple(header, fc.integer({ min: 1, max: 3 }), fc.array(fc.tuple(indentation, words), { maxLength: 6 }))
  .map(([[key, colon, mark], deep, lines]) => {
    const indented = lines.map(([spaces, text]) => " ".repeat(spaces < 0 ? deep : spaces) + text);
    return [`${key}${colon}${mark}`, ...indented].join("\n");
  });
const mapping = fc
  .tuple(
    fc.array(fc.oneof({ weight: 2, arbitrary: entry }, { weight: 3, arbitrary: block }), {
      minLength: 1,
      maxLength: 5,
    }),
    fc.constantFrom("", "", "", "  "),
  )
  .map(([entries, indent]) => entries.join("\n").replace(/^/gm, indent));

/** The call of a reply, or why it is none. */
function callOf(list: readonly ReplyEvent[]) {
  const last = list.at(-1);
  if (last?.type === "call-end") return { arguments: last.call.arguments };
  return { error: last?.type === "call-invalid" ? last.call.error.message : "no call" };
}

describe("a block of text in YAML", () => {
  it("streams by the character, after the arguments before it", () => {
    const before = '{"path":"a.py","mode":2,"content":"';
    expect(shown("path: a.py\n", "mode: 2\ncontent: |", "\n  ", "d", "ef f():", "\n  ", "  return 1\n", "no")).toEqual([
      ...["", "", "", "", `${before}d`, `${before}def f():`, `${before}def f():`],
      ...[`${before}def f():\\n  return 1`, `${before}def f():\\n  return 1\\n"`],
    ]);
  });

  it.each([
    ["content: |\n  a\n  b\npath: c", "a\nb\n", 'a\\nb\\n"'],
    ["content: |-\n  a\n\n\npath: c", "a", 'a"'],
    ["content: |+\n  a\n\n\npath: c", "a\n\n\n", 'a\\n\\n\\n"'],
    ["content: |\n\n \n    a\n      b\n\n    c\n", "\n\na\n  b\n\nc\n", "\\n\\na\\n  b\\n\\nc"],
    ["content: |2-\n    a\n  b\n", "  a\nb", "  a\\nb"],
    ["content: |-1\n   \n  a\n", "  \n a", ""],
    [
      "  content: |\n   path: x\n   # y\n   </write> z\n  path: c",
      "path: x\n# y\n</write> z\n",
      'path: x\\n# y\\n</write> z\\n"',
    ],
    ["content: |\n  a\n  \tb\n    \npath: c", "a\n\tb\n  \n", "a\\n\\tb"],
    ["content: |\n  a\r\n  b\npath: c", "a\nb\n", "a"],
    ["content: |\n  a\n \n  \r", "a\n", "a"],
    ["content: |\n  \ta\n", "\ta\n", "\\ta"],
    ["content: |\n \t\n  a\n", "\t\n a\n", "\\t\\n a"],
    ["content: |\n  a\n\tb\npath: c", undefined, "a"],
    ["content: |\n  a\n b\npath: c", undefined, "a"],
    ["content: |\n  a\nb\npath: c", undefined, 'a\\n"'],
    ["content: |\n  a\ncontent: |\n  b\n", undefined, 'a\\n"'],
    ["content: |\n  a\ncontent: |\n  a\n", "a\n", 'a\\n"'],
    ["content: |\n  a\n---\npath: c", undefined, 'a\\n"'],
  ])("streams its text and nothing else: %j", (text, content, streamed) => {
    const [, sent = ""] = shown(`${text}\n`);
    expect(sent).toBe(streamed === "" ? "" : `{"content":"${streamed}`);
    const list = events([`<write>\n${text}\n</write>`]);
    expect(callOf(list).arguments?.content).toBe(content);
    if (content !== undefined) expect(JSON.parse(deltas(list))).toMatchObject({ content });
  });

  it.each([
    ["what may be a comment", "path: a: b # c"],
    ["a comma, which may separate the arguments", "path: 'a',"],
    ["an anchor", "any: &x a"],
    ["an undeclared key", "other: a"],
    ["a key in another spelling", "Path: a"],
    ["a repeated key", "path: a\npath: b"],
    ["the same key", "content: a"],
    ["what is broken", "path: 'a"],
    ["what is no mapping", "- a"],
    ["brackets", '{"path": "a"}'],
    ["a comment", "# a"],
    ["a document marker", "---"],
    ["a code fence", "```yaml\npath: a"],
  ])("is buffered after %s", (_, before) => {
    expect(shown(`${before}\ncontent: |\n  text\n  more`).at(-1)).toBe("");
  });

  it.each([
    "content: >\n  a",
    "content: |\n\ta",
    "content: |\na",
    "content: |\n   \n  a",
    "content: |3\n  a",
    "content: | # b\n  a",
    "content: &x |\n  a",
  ])("is buffered in another notation: %j", (text) => {
    expect(shown(`${text}\n`).at(-1)).toBe("");
    const more = "\npath: |\n  b";
    expect(shown(`${text}${more}`).at(-1)).toMatch(/^$|"path":"b$/);
  });

  it("streams after a block that did not", () => {
    expect(shown("path: |\nnote: |\n  a\n  b\ncontent: |\n  c").at(-1)).toBe(
      '{"path":"","note":"a\\nb\\n","content":"c',
    );
    expect(shown("path: >-\n  a\n\n  b\ncontent: |\n  c").at(-1)).toBe('{"path":"a\\nb","content":"c');
  });

  it("streams after a comment and a text of several lines, which no broken line changes", () => {
    expect(shown("path: a # b\ncontent: |\n  c").at(-1)).toBe('{"path":"a","content":"c');
    expect(shown("path: a\n  b\ncontent: |\n  c").at(-1)).toBe('{"path":"a b","content":"c');
  });

  it("streams no half of a character", () => {
    expect(shown("content: |\n  a\ud83d", "\ude00").map((text) => text.slice(12))).toEqual(["", "a", "a😀"]);
  });

  it("is buffered under a key of more than 256 characters, in any chunks", () => {
    const text = `${"k".repeat(300)}: |\n  text\n`;
    for (const chunks of [[text], [...text]]) expect(deltas(events(["<write>\n", ...chunks], {}))).toBe("");
  });

  it("has the arguments that the whole mapping has", () => {
    const reply = mapping.chain((text) => fc.tuple(fc.constant(text), chunked(text)));
    fc.assert(
      fc.property(reply, fc.constantFrom({ tools }, {}), ([text, chunks], options) => {
        fc.pre(!/^\s*(?:```|<|\{|$)/.test(text));
        const streamed = events(["<write>\n", ...chunks, "\n</write>"], options);
        const call = callOf(streamed);
        if (call.arguments) expect(JSON.parse(deltas(streamed))).toEqual(call.arguments);
        // After a comment, a mapping is read whole.
        const [, indent, lines] = /^\s*?( *)(\S[\s\S]*)$/.exec(text) ?? [];
        const whole = events([`<write>\n${indent}# comment\n${indent}${lines}\n</write>`], options);
        expect(whole.filter(({ type }) => type === "call-delta").length).toBeLessThan(2);
        const isTwice = call.error?.includes("comes twice");
        if (!isTwice) expect(call.arguments).toEqual(callOf(whole).arguments);
      }),
      { numRuns: 300 },
    );
  });
});
