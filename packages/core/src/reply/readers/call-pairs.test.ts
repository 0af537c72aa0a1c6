import { describe, expect, test } from "vitest";
import { readings } from "../../../test/support/readings.js";
import type { ProtocolName } from "../../protocols/index.js";

describe("a name and its arguments as two items", () => {
  test.each<[string, ProtocolName, string, unknown[]]>([
    [
      "in lists",
      "pythonic",
      "[['read_meter', {'room': 'attic'}], ['set_lamp', {'room': 'hall', 'level': '3'}]]",
      [
        ["read_meter", { room: "attic" }],
        ["set_lamp", { room: "hall", level: 3 }],
      ],
    ],
    ["in a list of JSON", "json-list", '[["read_meter", {"room": "attic"}]]', [["read_meter", { room: "attic" }]]],
    ["in tuples", "pythonic", "[('read_meter', {'room': 'attic'})]", [["read_meter", { room: "attic" }]]],
    [
      "with each argument as text",
      "pythonic",
      "[('set_lamp', 'room=the hall', 'level=3'), ('read_meter', \"room='attic'\")]",
      [
        ["set_lamp", { room: "the hall", level: 3 }],
        ["read_meter", { room: "attic" }],
      ],
    ],
    [
      "an object that is a call itself",
      "json-list",
      '[["f", {"name": "run_job", "arguments": {"cmd": "x"}}]]',
      ["malformed"],
    ],
    [
      "an object with the name of another tool and the tool's arguments",
      "json-list",
      '[["read_meter", {"name": "ping", "room": "hall"}]]',
      ["malformed"],
    ],
    ["names alone", "json-list", '[["read_meter", "set_lamp"]]', []],
    ["a name that is no tool's", "json-list", '[["ada", {"room": "attic"}]]', []],
    ["text that is not an argument", "json-list", '[["read_meter", "the attic"]]', []],
  ])("%s", (_, protocol, reply, wanted) => expect(readings(reply, protocol)).toEqual(wanted));
});

describe("a list of arguments after one name", () => {
  test.each<[string, ProtocolName, string, unknown[]]>([
    [
      "is as many calls",
      "pythonic",
      "[{'name': 'f', 'params': [{'a': 5, 'b': 6}, {'a': 3, 'b': 2}]}]",
      [
        ["f", { a: 5, b: 6 }],
        ["f", { a: 3, b: 2 }],
      ],
    ],
    [
      "with one item is that",
      "hermes",
      '<tool_call>{"name": "f", "arguments": [{"a": 5}]}</tool_call>',
      [["f", { a: 5 }]],
    ],
    [
      "may be one call where no key comes twice",
      "hermes",
      '<tool_call>{"name": "f", "arguments": [{"a": 5}, {"b": 6}]}</tool_call>',
      ["invalid-arguments"],
    ],
  ])("%s", (_, protocol, reply, wanted) => expect(readings(reply, protocol)).toEqual(wanted));
});
