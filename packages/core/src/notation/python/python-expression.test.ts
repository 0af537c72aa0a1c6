import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createReplyParser, parseReply } from "../../full/index.js";
import { getProtocol, type ProtocolName, protocols } from "../../protocols/index.js";
import type { ToolDefinition } from "../../types.js";

const tools: ToolDefinition[] = [
  {
    name: "send",
    parameters: {
      type: "object",
      properties: {
        to: { type: "string" },
        count: { type: "integer" },
        tags: { type: "array", items: { type: "string" } },
        colors: { type: "array", items: { enum: ["red", "blue"] } },
        either: { type: ["array", "string"], items: { type: "string" } },
        maybe: { anyOf: [{ type: "array" }, { type: "null" }] },
        options: { type: "object", properties: { parts: { type: "array", items: { type: "string" } } } },
        more: { type: "object" },
        any: {},
      },
    },
  },
  { name: "now", parameters: { type: "object", properties: {} } },
];

const isPython = (name: string) =>
  JSON.stringify(getProtocol(name as ProtocolName).syntax).includes('"python-arguments"');
/** Those that write their calls in Python themselves. */
const names = (Object.keys(protocols) as ProtocolName[]).filter(
  (name) =>
    isPython(name) &&
    getProtocol(name)
      .renderCalls([{ name: "send", arguments: { to: "@" } }], { tools })
      .includes("send(to="),
);

/** A reply with this instead of the argument's value. */
const reply = (protocol: ProtocolName, key: string, written: string) =>
  getProtocol(protocol)
    .renderCalls([{ name: "send", arguments: { to: "@" } }], { tools })
    .replace(/to=(["'])@\1/, () => `${key}=${written}`);

function read(protocol: ProtocolName, text: string) {
  const results = [[text], [...text]].map((chunks) => {
    const parser = createReplyParser({ protocol, tools });
    const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
    return events.flatMap((event): unknown[] => {
      if (event.type === "call-end") return [event.call.arguments];
      return event.type === "call-invalid" ? [event.call.error.message] : [];
    });
  });
  expect(results[1]).toEqual(results[0]);
  return results[0];
}

test("variants of Python calls", () => expect(names.length).toBeGreaterThan(2));

describe.each(names)("%s: a value without quotes", (protocol) => {
  test.each([
    ["to", "user.email"],
    ["to", "user.names[0]"],
    ["to", "os.getcwd()"],
    ["to", "now()"],
    ["to", "str(5)"],
    ["to", "Path('/a')"],
    ["to", "a + b"],
    ["to", "2*3"],
    ["to", "x or y"],
    ["to", "not x"],
    ["to", "x if y else z"],
    ["to", "lambda x: x"],
    ["to", "await x()"],
    ["to", "..."],
    ["to", "to"],
    ["to", "'/%s' % 'a'"],
    ["to", "'a' + x"],
    ["to", "'a' or 'b'"],
    ["to", "'a' if x else 'b'"],
    ["to", "'a'.format(x)"],
    ["to", "'a'[0]"],
    ["to", "'a' * 2"],
    ["to", "'a' == x"],
    ["to", 'f"/a/{x}"'],
    ["count", "2*3"],
    ["count", "len(x)"],
    ["count", "int('5')"],
    ["count", "1 + 1"],
    ["tags", "[x for x in y]"],
    ["tags", "[x.name, 'b']"],
    ["tags", "['a'] + rest"],
    ["tags", "list('ab')"],
    ["tags", "names"],
    ["maybe", "names"],
    ["options", "{'parts': names}"],
    ["more", "dict(a=x.y)"],
    ["more", "dict([('a', 1)])"],
    ["more", "dict(**more)"],
    ["more", "{'a': x.y}"],
  ])("an expression makes no call: %s=%s", (key, written) => {
    expect(read(protocol, reply(protocol, key, written))).toEqual([
      expect.stringMatching(new RegExp(`the argument "${key}" is an expression .* write its value`)),
    ]);
  });

  test.each([
    "Paris",
    "New York",
    "hello, world!".slice(0, 5),
    "10 km",
    "2024-01-02",
    "2024-10-12",
    "10:30",
    "1.2.3",
    "/tmp/a.txt",
    "src/main.py",
    "./a.txt",
    "~/a",
    "https://example.com/a",
    "ann@example.com",
    "--force",
    "R&D",
    "en-US",
    "I live in a house",
  ])("a word or text is a string: %s", (written) => {
    expect(read(protocol, reply(protocol, "to", written))).toEqual([{ to: written }]);
  });

  test.each([
    ["any", "names", "names"],
    ["either", "names", "names"],
    ["colors", "red", ["red"]],
    ["tags", "[sea, sun]", ["sea", "sun"]],
    ["tags", "None", undefined],
  ])("a name is a word where the schema takes it: %s=%s", (key, written, wanted) => {
    expect(read(protocol, reply(protocol, key, written))).toEqual([wanted === undefined ? {} : { [key]: wanted }]);
  });

  test.each([
    ["'boys' and girls' shoes'", "boys' and girls' shoes"],
    ["'it's 5'", "it's 5"],
    ["'one ' 'two'", "one two"],
    ["f'plain'", "plain"],
    ["'100%'", "100%"],
    ["'a - b'", "a - b"],
    ["'/%s' ", "/%s"],
  ])("a string is read: %s", (written, wanted) => {
    expect(read(protocol, reply(protocol, "to", written))).toEqual([{ to: wanted }]);
  });

  test.each([
    ["{'sea', 'sun'}", ["sea", "sun"]],
    ["{'sea'}", ["sea"]],
    ["('sea', 'sun')", ["sea", "sun"]],
    ["{1, 0x10}", ["1", "0x10"]],
  ])("a set is a list, like a tuple: %s", (written, wanted) => {
    expect(read(protocol, reply(protocol, "tags", written))).toEqual([{ tags: wanted }]);
    expect(read(protocol, reply(protocol, "more", "{'a': {'b': 1}, 'c': {}}"))).toEqual([
      { more: { a: { b: 1 }, c: {} } },
    ]);
  });

  test.each([
    ["dict(a=1, b='c, d')", { a: 1, b: "c, d" }],
    ["dict( a = dict(b=[1]), )", { a: { b: [1] } }],
    ["dict()", {}],
  ])("an object is read: %s", (written, wanted) => {
    expect(read(protocol, reply(protocol, "more", written))).toEqual([{ more: wanted }]);
  });

  test.each([
    ["('one '\n  'two')", "one two"],
    ["('one' 'two' + 'three')", "onetwothree"],
  ])("strings in parentheses are one: %s", (written, wanted) => {
    expect(read(protocol, reply(protocol, "to", written))).toEqual([{ to: wanted }]);
  });

  test.each([
    ["to", "('one ' 'two',)"],
    ["to", "('one ', 'two' 'three')"],
    ["tags", "('one ' 'two')"],
    ["tags", "[('one ' 'two')]"],
    ["more", "{'a': ['one ' 'two']}"],
  ])("strings in a list may lack a comma: %s=%s", (key, written) => {
    expect(read(protocol, reply(protocol, key, written))).toEqual([expect.stringMatching(/a comma may be missing/)]);
  });

  test.each([
    ["1_000", 1000],
    ["0x1F", 31],
    ["0b101", 5],
    ["-0o17", -15],
    ["1_0.5e2", 1050],
    ["{1, 2}", [1, 2]],
    ["{-1.5}", [-1.5]],
    ["{True, None}", [true, null]],
    ["{'a': {1}}", { a: [1] }],
    ["{1: 2}", { 1: 2 }],
    ["1__0", "1__0"],
  ])("a number or a set is read if nothing declares its type: %s", (written, wanted) => {
    expect(read(protocol, reply(protocol, "any", written))).toEqual([{ any: wanted }]);
  });

  test.each(["0x52908400098527886E0F7030069857D2E4169EE7", "1_000", "0x10"])(
    "a number is the string that was written if a string is wanted: %s",
    (written) => expect(read(protocol, reply(protocol, "to", written))).toEqual([{ to: written }]),
  );

  test("a number in another base that no number can represent is refused", () => {
    const written = reply(protocol, "any", "0xEEEEEEEEEEEEEEEEEE");
    const { invalidToolCalls } = parseReply(written, { protocol, tools });
    expect(invalidToolCalls[0]?.error.message).toContain("the number 0xEEEEEEEEEEEEEEEEEE cannot be kept exactly");
  });

  test("no call with an operator of an expression runs", () => {
    const operand = fc.constantFrom("x", "'a'", "user.name", "f(1)", "3", "[1]", "x[0]", "(1, 2)", "{'a': 1}", '"b"');
    const operator = fc.constantFrom("+", "%", "*", "or", "and", "==", "if x else", "in", "not in", "//", "**");
    fc.assert(
      fc.property(operand, fc.array(fc.tuple(operator, operand), { minLength: 1, maxLength: 4 }), (first, rest) => {
        const written = [first, ...rest.flat()].join(" ");
        const found = read(protocol, reply(protocol, "to", written)) ?? [];
        expect({ written, ran: found.filter((call) => typeof call === "object") }).toEqual({ written, ran: [] });
      }),
    );
  });
});
