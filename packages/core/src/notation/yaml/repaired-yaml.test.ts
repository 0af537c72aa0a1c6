import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { readings } from "../../../test/support/readings.js";
import { createReplyParser, parseReply } from "../../full/index.js";
import { planFor } from "../../schema/plan.js";
import type { JsonSchema } from "../../types.js";
import { readYaml } from "./yaml-text.js";

const text = { type: "string" };
const plan = planFor({ type: "object", properties: { venue: text, note: text } });
const valuesOf = (lines: string) => {
  const read = readYaml(lines, plan);
  return "value" in read && read.rejection === undefined ? read.value : "refused";
};

describe("text in quotes on a line that is not YAML", () => {
  test.each([
    ["a comma", 'venue: "Tea",', { venue: "Tea" }],
    ["a semicolon", "venue: 'Tea';", { venue: "Tea" }],
    ["a comma after each", 'venue: "a: b",\nnote: "c",', { venue: "a: b", note: "c" }],
    ["a comma after each but the last", "venue: 'Tea',\nnote: 'hot'", { venue: "Tea", note: "hot" }],
    ["a comma after the last", "venue: 'Tea'\nnote: 'hot',", { venue: "Tea", note: "hot" }],
    ["commas, one after a plain text", 'venue: "Tea",\nnote: hot,', { venue: "Tea", note: "hot" }],
    ["semicolons, one after a plain text", 'venue: "Tea";\nnote: hot;', { venue: "Tea", note: "hot" }],
    ["a comma and a comment", 'venue: "Tea", # green\nnote: hot,', { venue: "Tea", note: "hot" }],
    ["a comma, beside a broken line", 'venue: "Tea",\nnote: to: you', { venue: "Tea", note: "to: you" }],
    ["a pattern", 'venue: "\\d+",', { venue: "\\d+" }],
    ["escapes", 'venue: "a\\tb",', { venue: "a\tb" }],
    ["an escaped line break", 'venue: "a\\\n  b",', { venue: "ab" }],
    ["an apostrophe", "venue: 'Don't: stop'", { venue: "Don't: stop" }],
    ["quotes inside", 'venue: "the "big": one"', { venue: 'the "big": one' }],
    ["quotes and an escape inside", 'venue: "the "big"\\n one"', { venue: 'the "big"\n one' }],
    ["single quotes inside", "venue: 'it's the 'big': one'", { venue: "it's the 'big': one" }],
  ])("is read without its quotes: %s", (_, lines, wanted) => {
    expect(valuesOf(lines)).toEqual(wanted);
    expect(readings(`<book>\n${lines}\n</book>`, "yaml")).toEqual([["book", wanted]]);
  });

  test.each([
    ["words after it", 'venue: "Tea" and: more', { venue: '"Tea" and: more' }],
    ["two texts", 'venue: "tea" OR "hot: milk"', { venue: '"tea" OR "hot: milk"' }],
    ["a comma after plain text only", "venue: Tea,\nnote: x: y", { venue: "Tea,", note: "x: y" }],
  ])("is kept as it is: %s", (_, lines, wanted) => {
    expect(valuesOf(lines)).toEqual(wanted);
  });

  test.each([
    ["a quote that nothing closes", 'venue: "the "big: one"'],
    ["what may be a comment", "venue: to: you # or me"],
    ["more lines after the quotes", 'venue: "the "big": one"\n  and: more"'],
  ])("is refused with %s", (_, lines) => {
    expect(valuesOf(lines)).toBe("refused");
  });
});

describe("a Windows path in double quotes", () => {
  test.each([
    ["an escape that YAML lacks", 'venue: "C:\\Work\\ana\\notes.txt"', "C:\\Work\\ana\\notes.txt"],
    ["some backslashes escaped", 'venue: "C:\\Work\\\\ana\\new"', "C:\\Work\\ana\\new"],
    ["an escape that YAML lacks later", 'venue: "D:\\\\ana\\Work"', "D:\\ana\\Work"],
    ["all backslashes escaped", 'venue: "C:\\\\temp\\\\new"', "C:\\temp\\new"],
    ["the file of a drive", 'venue: "D:\\data"', "D:\\data"],
  ])("is read with %s", (_, lines, wanted) => {
    expect(valuesOf(lines)).toEqual({ venue: wanted });
    expect(readings(`<book>\n${lines}\n</book>`, "yaml")).toEqual([["book", { venue: wanted }]]);
  });

  test.each([
    ["a first backslash that is an escape", 'venue: "C:\\temp\\new.txt"'],
    ["a form feed first", 'venue: "C:\\files"'],
    ["text after the path", 'venue: "C:\\Work files\\temp"'],
  ])("is refused with %s", (_, lines) => {
    expect(valuesOf(lines)).toBe("refused");
  });

  it("is text in single quotes and without quotes", () => {
    expect(valuesOf("venue: 'C:\\temp'\nnote: C:\\new.txt")).toEqual({ venue: "C:\\temp", note: "C:\\new.txt" });
  });
});

const entry = fc.constantFrom(
  ...['"a"', "'a'", "a", "a # b", "'a' # b", '"a" # b', "~", "a\n  b", "a\n  # b\n", "|\n  a: b # c", ">-\n  a\n  b"],
);

it("reads a valid line the same beside a broken one", () => {
  fc.assert(
    fc.property(entry, fc.constantFrom("b: c", "@b", "`b`", '"b",', "'b': c"), (value, broken) => {
      const alone = valuesOf(`venue: ${value}`) as object;
      for (const lines of [`venue: ${value}\nnote: ${broken}`, `note: ${broken}\nvenue: ${value}`])
        expect(valuesOf(lines), lines).toMatchObject(alone);
    }),
  );
});

describe("text that is not YAML within lists and objects", () => {
  const properties = { id: text, content: text, done: { type: "boolean" } };
  const parameters: JsonSchema = {
    type: "object",
    properties: {
      tasks: { type: "array", items: { type: "object", properties } },
      notes: { type: "array", items: text },
      meta: { type: "object", properties: { by: text, note: text, tags: { type: "array", items: text } } },
    },
  };
  const deep = planFor(parameters);
  const tools = [{ name: "plan", parameters }];
  const deepValues = (lines: string) => {
    const read = readYaml(lines, deep);
    return "value" in read && read.rejection === undefined ? read.value : "refused";
  };

  test.each([
    [
      "an entry of an item",
      "tasks:\n- id: 1\n  content: Fix: it\n  done: yes",
      [{ id: "1", content: "Fix: it", done: true }],
    ],
    [
      "the first entry of an item",
      "tasks:\n  - content: Fix: it\n    id: a\n  - id: b",
      [{ content: "Fix: it", id: "a" }, { id: "b" }],
    ],
    [
      "text in quotes and more",
      'tasks:\n- content: "it" is: it\n- content: @home',
      [{ content: '"it" is: it' }, { content: "@home" }],
    ],
    [
      "a text of several lines",
      "tasks:\n- content: Fix: it\n    now: yes\n  id: a",
      [{ content: "Fix: it\n  now: yes", id: "a" }],
    ],
  ])("is read in %s", (_, lines, tasks) => expect(deepValues(lines)).toEqual({ tasks }));

  test.each([
    ["notes:\n- Fix: it\n- and: more", ["Fix: it", "and: more"]],
    ["notes:\n  - 'it's'\n  - @home\n  - ok", ["it's", "@home", "ok"]],
    ['notes:\n- "a" and "b"\n- *bold*', ['"a" and "b"', "*bold*"]],
  ])("is read in the items of %s", (lines, notes) => expect(deepValues(lines)).toEqual({ notes }));

  test("is read in an object", () => {
    expect(deepValues("meta:\n  by: Ann\n  note: Lunch: with Bob\n  tags:\n  - a: b: c\nnotes:\n- x")).toEqual({
      meta: { by: "Ann", note: "Lunch: with Bob", tags: ["a: b: c"] },
      notes: ["x"],
    });
  });

  test.each([
    ["a comment", "tasks:\n- content: Fix: it # or not"],
    ["a quote that nothing closes", 'tasks:\n- content: "the "big: one"'],
    ["another key of the item in the text", "tasks:\n- content: Fix: it\n    id: a"],
    ["an object of several lines for a text", "notes:\n- a: b\n  c: d"],
  ])("is refused with %s", (_, lines) => {
    const { toolCalls, invalidToolCalls } = parseReply(`<plan>\n${lines}\n</plan>`, { tools, protocol: "yaml" });
    expect([toolCalls, invalidToolCalls.length]).toEqual([[], 1]);
  });

  test("reads the same in any chunks", () => {
    const lines = "tasks:\n- id: 1\n  content: Fix: it\n  done: yes\n- content: @home\nnotes:\n- Fix: it\n- ok";
    const reply = `<plan>\n${lines}\n</plan>`;
    const parser = createReplyParser({ tools, protocol: "yaml" });
    const events = [...[...reply].flatMap((chunk) => parser.push(chunk)), ...parser.end()];
    const calls = events.flatMap((event) => (event.type === "call-end" ? [event.call.arguments] : []));
    expect(calls).toEqual([deepValues(lines)]);
  });
});

test.each(["venue: | Hall\n  A\nnote: b", "venue: |-Hall\n  A", "venue: >Hall\n  A", "venue: ||-\n  A"])(
  "the mark of a block with text on its line gives no text: %j",
  (lines) => expect(valuesOf(lines)).toBe("refused"),
);

test("a text on one line may begin with such a mark", () =>
  expect(valuesOf("venue: > 5 stars\nnote: |x")).toEqual({ venue: "> 5 stars", note: "|x" }));
