import { describe, expect, test } from "vitest";
import { readInChunks } from "../../../test/support/read-in-chunks.js";
import { ValueBuilder } from "../../notation/value-sink.js";
import { planFor } from "../../schema/plan.js";
import type { JsonSchema, RepairCode } from "../../types.js";
import { PythonReader } from "./python-reader.js";

const text = { type: "string" };
const lamp = { type: "object", properties: { room: text, level: { type: "integer" }, more: { type: "object" } } };

/** Reads the arguments of a call from its parenthesis on. `list`: the call is an item of a list before this marker. */
function read(
  source: string,
  { schema = lamp as JsonSchema, list = undefined as { closer?: string } | undefined } = {},
) {
  return readInChunks(source, () => {
    const builder = new ValueBuilder();
    const repairs: RepairCode[] = [];
    const rejected = new Set<string>();
    const options = {
      repaired: (code: RepairCode) => repairs.push(code),
      rejected: (reason: string) => rejected.add(reason),
    };
    const context = { list, isVariable: (name: string) => name === "x" };
    const reader = new PythonReader(builder, options, planFor(schema), context);
    return {
      read: (input) => reader.read(input),
      found: () => ({ value: builder.value, repairs, rejected: [...rejected] }),
    };
  });
}

const done = { status: "done", rest: "", repairs: [], rejected: [] };

describe("the arguments of a Python call", () => {
  test.each<[string, string, object]>([
    ["have names", "(room='a', level=2)", { room: "a", level: 2 }],
    ["have names with space around them", "( room = 'a' ,\n  level=2, )", { room: "a", level: 2 }],
    ["have names by their position", "('a', 2)", { room: "a", level: 2 }],
    ["have names after those without", "('a', level=2)", { room: "a", level: 2 }],
    ["are an unpacked object", "(**{'room': 'a', 'level': 2})", { room: "a", level: 2 }],
    ["are an unpacked object after others", "(room='a', ** {'level': 2})", { room: "a", level: 2 }],
    ["are one object", "({'room': 'a', 'level': 2})", { room: "a", level: 2 }],
    ["may be none", "()", {}],
    ["may be Python's words", "(more={'a': None, 'b': True})", { more: { a: null, b: true } }],
  ])("%s", (_, source, value) => expect(read(source)).toEqual({ ...done, value }));

  test("leave the text after their parenthesis", () => expect(read("(level=2), f()").rest).toBe(", f()"));

  test("are an object as the first one where that may be an object", () => {
    const schema = { type: "object", properties: { more: { type: "object" } } };
    expect(read("({'a': 1})", { schema })).toEqual({ ...done, value: { more: { a: 1 } } });
    expect(read("({'a': 1})", { schema: {} }).value).toEqual({ a: 1 });
  });

  test("may contain sets and calls of dict", () => {
    expect(read("(more={'a', 'b'})").value).toEqual({ more: ["a", "b"] });
    expect(read("(more={1})").value).toEqual({ more: [1] });
    expect(read("(more=dict(a=1, b=dict()))")).toEqual({ ...done, value: { more: { a: 1, b: {} } } });
  });

  test.each<[string, string, object, RepairCode]>([
    ["quotes around a name", "('room'='a')", { room: "a" }, "quoted-key"],
    ["a colon after a name", "(room: 'a')", { room: "a" }, "key-separator"],
    ["a comma too many", "(room='a',, level=2)", { room: "a", level: 2 }, "extra-comma"],
  ])("are repaired: %s", (_, source, value, code) => expect(read(source)).toEqual({ ...done, value, repairs: [code] }));
});

describe("an argument makes no call that", () => {
  test.each<[string, string, RegExp]>([
    ["is given twice", "('a', room='b')", /"room" is given twice/],
    ["has no name after one with a name", "(room='a', 2)", /without a name follows/],
    ["is one too many", "('a', 2, {}, 4)", /takes at most 3 arguments/],
    ["is a formatted string", "(room=f'{x}')", /formatted string/],
    ["is a variable", "(room=x)", /room/],
    ["is a call", "(room=f())", /room/],
    ["is the value of operators", "(level=1 + 2)", /1 \+ 2/],
    ["is the value of operators after a list", "(more={'a': 1} | {}, level=2)", /… \| {}/],
    ["is dict(…) in place of a text", "(room=dict(a=1))", /dict/],
    ["is a type", "(room: str, level: int)", /a type/],
  ])("%s", (_, source, reason) => {
    const { status, rejected } = read(source);
    expect({ status, reason: rejected[0] }).toEqual({ status: "done", reason: expect.stringMatching(reason) });
  });

  test("is only unpacked as an object", () => {
    expect(read("(*['a'])").status).toBe("fail");
    expect(read("(**x)").status).toBe("fail");
  });
});

describe("a bracket of the list around a call", () => {
  const list = { closer: "<end>" };
  test.each([
    ["where the reply ends", "(level=2]\n", "]\n"],
    ["before the marker after the list", "(level=2] <end>", "] <end>"],
  ])("ends it without its own %s", (_, source, rest) =>
    expect(read(source, { list })).toMatchObject({ status: "done", rest, value: { level: 2 } }),
  );

  test("does not end it where an argument follows, with or without a comma", () => {
    expect(read("(level=2], room='a')", { list })).toMatchObject({ status: "done", value: { level: 2, room: "a" } });
    expect(read("(level=2]\nroom='a')", { list }).status).not.toBe("done");
  });

  test("does not end it without a list", () => expect(read("(level=2]").status).not.toBe("done"));

  test("closes the value inside first", () => expect(read("(more={'a': [1]]", { list }).status).not.toBe("done"));
});

test("arguments wait for what may follow a value, and for the end of a name", () => {
  expect(read("(level=2").status).toBe("more");
  expect(read("(lev").status).toBe("more");
});
