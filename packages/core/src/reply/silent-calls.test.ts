import { describe, expect, test } from "vitest";
import type { ProtocolName } from "../protocols/index.js";
import type { JsonSchema, ToolDefinition } from "../types.js";
import { createReplyParser } from "./index.js";

// Replies that can be read in two ways: what the schema decides is read, and nothing else runs.

const tool = (name: string, properties: Record<string, JsonSchema>, more: object = {}): ToolDefinition => ({
  name,
  parameters: { type: "object", properties, ...more },
});

const text = { type: "string" };
const integer = { type: "integer" };
const tools = [
  tool("f", { a: integer, b: integer }),
  tool("ship.order", { depot: text, boxes: integer }, { required: ["depot"] }),
  tool("book", { venue: text, guests: text, note: text }),
  tool("run_job", { cmd: text, dir: text }, { required: ["cmd"] }),
  tool("save_tasks", { tasks: { type: "array" }, names: { type: "array", items: text } }),
  tool("set_lamp", { room: text, level: integer }),
  tool("read_meter", { room: text }),
  tool("open_file", { path: text, place: { type: "object", properties: { city: text } } }),
];

/** The calls that run, and the codes of those that do not, the same in any chunks. */
function read(reply: string, protocol: ProtocolName | "auto") {
  const results = [[reply], [...reply]].map((chunks) => {
    const parser = createReplyParser({ protocol, tools });
    const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
    return events.flatMap((event): unknown[] => {
      if (event.type === "call-end") return [[event.call.name, event.call.arguments]];
      return event.type === "call-invalid" ? [event.call.error.code] : [];
    });
  });
  expect(results[1]).toEqual(results[0]);
  return results[0];
}

describe("what the schema decides is read", () => {
  test.each<[string, ProtocolName | "auto", string, unknown[]]>([
    [
      "arguments inside of an unknown element",
      "auto",
      '<tool_call name="ship.order"><args><depot>Oslo</depot><boxes>4</boxes></args></tool_call>',
      [["ship.order", { depot: "Oslo", boxes: 4 }]],
    ],
    [
      "arguments inside of an unknown key",
      "hermes",
      '<tool_call>{"name": "ship.order", "arguments": {"order": {"depot": "Oslo", "boxes": "4"}}}</tool_call>',
      [["ship.order", { depot: "Oslo", boxes: 4 }]],
    ],
    [
      "a value whose closing tag is missing before the next argument",
      "glm45",
      "<tool_call>book\n<arg_key>venue</arg_key>\n<arg_value>Roma<arg_key>note</arg_key>\n<arg_value>window</arg_value></tool_call>",
      [["book", { venue: "Roma", note: "window" }]],
    ],
    [
      "tags of another format",
      "qwen3-coder",
      "<tool_call><name>set_lamp</name><parameter=room>hall</parameter></tool_call>",
      [["set_lamp", { room: "hall" }]],
    ],
    [
      "words between two arguments",
      "qwen3-coder",
      "<function=set_lamp>\n<parameter=room>\nhall\n</parameter>\nDone now.\n<parameter=level>\n3\n</parameter>\n</function>",
      [["set_lamp", { room: "hall", level: 3 }]],
    ],
    [
      "a call without its closing tag before another tool's",
      "tool-tags",
      "<set_lamp>\n<room>hall</room>\n<read_meter><room>attic</room></read_meter>",
      [
        ["set_lamp", { room: "hall" }],
        ["read_meter", { room: "attic" }],
      ],
    ],
    [
      "a list that is escaped once more",
      "qwen3-coder",
      '<function=save_tasks>\n<parameter=tasks>\n[{\\"id\\": \\"C:\\\\\\\\tmp\\"}]\n</parameter>\n</function>',
      [["save_tasks", { tasks: [{ id: "C:\\tmp" }] }]],
    ],
    [
      "a key beside another spelling of it",
      "hermes",
      '<tool_call>{"name": "open_file", "arguments": {"path": "good", "path_": "bad"}}</tool_call>',
      [["open_file", { path: "good", path_: "bad" }]],
    ],
    [
      "two bare calls with comments between",
      "hermes",
      '<!-- 1 -->\n{"name": "read_meter", "arguments": {"room": "attic"}}\n\n<!-- 2 -->\n{"name": "read_meter", "arguments": {"room": "hall"}}',
      [
        ["read_meter", { room: "attic" }],
        ["read_meter", { room: "hall" }],
      ],
    ],
    ["an object and an argument by name", "pythonic", "[f({'a': 1}, b=2)]", [["f", { a: 1, b: 2 }]]],
    [
      "the newline before a call's closing tag",
      "tool-tags",
      "<set_lamp>\n<room>hall\n</set_lamp>",
      [["set_lamp", { room: "hall" }]],
    ],
  ])("%s", (_, protocol, reply, wanted) => expect(read(reply, protocol)).toEqual(wanted));
});

describe("what nothing decides does not run", () => {
  test.each<[string, ProtocolName, string]>([
    ["two objects for one call", "pythonic", "[f({'a': 1}, {'b': 2})]"],
    ["a backslash before the closing quote", "pythonic", "[run_job(cmd='dir D:\\', dir='tmp')]"],
    [
      "a string that goes on over the next key",
      "hermes",
      '<tool_call>{"name": "book", "arguments": {"venue": "12, "guests": "two"}}</tool_call>',
    ],
    [
      "a string that goes on over the next item",
      "hermes",
      '<tool_call>{"name": "save_tasks", "arguments": {"names": ["a, "b"]}}</tool_call>',
    ],
    [
      "a string that goes on over the next call",
      "hermes",
      '<tool_call>{"name": "book", "arguments": {"venue": "12}}</tool_call>\n<tool_call>{"name": "book", "arguments": {"guests": "two"}}</tool_call>',
    ],
    [
      "a quote too many",
      "hermes",
      '<tool_call>{"name": "book", "arguments": {"venue": ""12", "guests": "two"}}</tool_call>',
    ],
    [
      "words before a quoted value",
      "hermes",
      '<tool_call>{"name": "book", "arguments": {"venue": Here it is: "12"}}</tool_call>',
    ],
    [
      "a bracket too few, and an argument in the wrong object",
      "hermes",
      '<tool_call>{"name": "open_file", "arguments": {"place": {"city": "Rome", "path": "x"}}</tool_call>',
    ],
    [
      "an object that goes on behind its end",
      "hermes",
      '<tool_call>{"name": "open_file", "arguments": {"place": {"city": "Rome"}}}, "path": "x"}}</tool_call>',
    ],
    [
      "an argument beside the arguments",
      "hermes",
      '<tool_call>{"name": "f", "arguments": {"a": 1}, "b": 2}</tool_call>',
    ],
    [
      "the broken text of a list",
      "qwen3-coder",
      '<function=save_tasks>\n<parameter=names>\n["a", <!-- -->"b"]\n</parameter>\n</function>',
    ],
    [
      "a broken tag of an argument",
      "minimax-m2",
      '<minimax:tool_call>\n<invoke name="book">\n<parameter name=\\"venue\\">x</parameter>\n</invoke>\n</minimax:tool_call>',
    ],
    [
      "a call that breaks off before its arguments",
      "qwen3-coder",
      "<function=book>\n<function=book>\n<parameter=venue>\nx\n</parameter>\n</function>",
    ],
  ])("%s", (_, protocol, reply) => {
    const found = read(reply, protocol)?.filter((call) => Array.isArray(call));
    expect(found?.filter((call) => JSON.stringify(call) !== '["book",{"venue":"x"}]')).toEqual([]);
  });
});

test("of two names, or two objects of arguments, none is chosen", () => {
  const call = (members: string) => read(`<tool_call>{${members}}</tool_call>`, "hermes");
  expect(call('"name":"f","name":"book","arguments":{"a":1}')).toEqual(["malformed"]);
  expect(call('"name":"f","arguments":{"a":1},"arguments":{"b":2}')).toEqual(["malformed"]);
  expect(call('"name":"f","arguments":{"a":1}')).toEqual([["f", { a: 1 }]]);
});
