import { describe, expect, test } from "vitest";
import { readInChunks } from "../../../test/support/read-in-chunks.js";
import { ValueBuilder } from "../value-sink.js";
import { JsonReader } from "./json-reader.js";

function read(text: string) {
  return readInChunks(text, () => {
    const sink = new ValueBuilder();
    const reader = new JsonReader(sink, { closes: (source, at) => source.startsWith("<", at) });
    return { read: (input) => reader.read(input), found: () => ({ value: sink.value }) };
  });
}

/** JSON as it is written in a string. */
const escaped = (value: unknown) => JSON.stringify(JSON.stringify(value, undefined, 1)).slice(1, -1);

describe("an object whose quotes are all escaped once more", () => {
  test.each([
    { a: "b" },
    { a: 'say "hi" \\ \n { }', b: [1, { c: "}" }], d: {} },
    { "a b": "ø 😀", c: null, d: [true, -1.5] },
  ])("is %j", (value) => {
    const written = JSON.stringify(value).replaceAll("\\", "\\\\").replaceAll('"', '\\"');
    for (const text of [escaped(value), written, `{\\n  ${written.slice(1)}`, `{\n ${written.slice(1)}`])
      expect(read(`${text}<`)).toEqual({ status: "done", rest: "<", value });
  });

  test("is broken with another quote, or without its end", () => {
    expect(read('{\\"a\\": "b"}').status).toBe("fail");
    expect(read('{\\"a\\": \\"b\\\\"}').status).toBe("fail");
    expect(read('{\\"a\\": \\"b\\"').status).toBe("more");
    expect(read('{\\"a\\" \\"b\\" 1}').status).toBe("fail");
  });

  test("may be an argument", () => {
    expect(read('{"a": {\\"b\\": 1}, "c": 2}').value).toEqual({ a: { b: 1 }, c: 2 });
  });
});

test("a line break between tokens may be written as in a string", () => {
  const value = { a: "b", c: [1, { d: "e" }], f: [] };
  expect(read('{\\n  "a": "b",\\n\\t"c": [\\n1, {"d": "e"}\\n],\\r\\n "f": []\\n}<').value).toEqual(value);
  expect(read('{"a": "b",\\n c"}').value).toEqual({ a: 'b",\n c' });
  expect(read('{"a": C:\\new}').value).toEqual({ a: "C:\\new" });
});
