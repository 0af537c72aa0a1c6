import { describe, expect, test } from "vitest";
import { pieces } from "../../../test/support/pieces.js";
import { readings } from "../../../test/support/readings.js";
import type { ProtocolName } from "../../protocols/index.js";

const order = 'ship.order(depot="north", boxes=4)';
const wanted = ["ship.order", { depot: "north", boxes: 4 }];
const f = ["f", { a: 1 }];

describe.each<[ProtocolName, string, string]>([
  ["mistral", "[TOOL_CALLS]", ""],
  ["mistral-list", "[TOOL_CALLS]", ""],
  ["granite", "<|tool_call|>", ""],
  ["jamba", "<tool_calls>", "</tool_calls>"],
  ["phi4-mini", "<|tool_call|>", "<|/tool_call|>"],
  ["llama3-json", "<|python_tag|>", "<|eom_id|>"],
])("Python calls between the markers of %s", (protocol, open, close) => {
  test("are read in a list", () => {
    for (const by of [protocol, "auto", "hermes"] as const) {
      expect(readings(`${open}[${order}]${close}`, by)).toEqual([wanted]);
      expect(readings(`${open} [${order}, f(a=1)]${close}`, by)).toEqual([wanted, f]);
    }
  });

  test("are invalid if they are parts of an expression or name no tool", () => {
    expect(readings(`${open}[${order} for x in y]${close}`, protocol)).toEqual(["malformed"]);
    expect(readings(`${open}[${order}.text]${close}`, protocol)).toEqual(["malformed"]);
    expect(readings(`${open}[send(a=1)]${close}`, protocol)).toEqual(["unknown-tool"]);
  });
});

describe.each<[ProtocolName, string]>([
  ["mistral", "[TOOL_CALLS]"],
  ["granite", "<|tool_call|>"],
  ["llama3-json", "<|python_tag|>"],
  ["pythonic", "<|python_tag|>"],
])("Python calls after the token of %s", (protocol, token) => {
  test.each([", ", "; ", "\n", " "])("are read one after the other: %j", (separator) => {
    for (const by of [protocol, "auto"] as const)
      expect(readings(`${token}${order}${separator}f(a=1)`, by)).toEqual([wanted, f]);
  });

  test("leave the text of a later line", () =>
    expect(pieces(`${token}get_weather(city="Oslo")\n\nI look.`, protocol)).toEqual([
      ["call", "get_weather"],
      ["text", "I look."],
    ]));

  test.each([
    "send(a=1)",
    "print(1)",
    "print(f(a=1))",
    "import os\nf(a=1)",
    "if x:\n  f(a=1)",
    "f (a=1)",
    "f(a=1).text",
    "f(a=1) if x else None",
  ])("are none in other code or a sentence: %s", (code) =>
    expect(readings(token + code, protocol)).toEqual(["malformed"]),
  );
});

test.each(["[TOOL_CALLS]", "<|python_tag|>"])("lists of JSON calls after %s are read as before", (token) => {
  const call = '{"name": "f", "arguments": {"a": 1}}';
  for (const list of [`[${call}, ${call}]`, ` [${call}, ${call}]`, ` ["f", {"a": 1}, ${call}]`])
    expect(readings(token + list, "auto")).toEqual([f, f].slice(0, 2));
  expect(readings(`${token} [1, 2]`, "auto")).toEqual([]);
});

test("the call of a built-in tool of Llama's is read as before", () => {
  expect(readings("<|python_tag|>ship.order.call(depot='north', boxes=4)", "llama3-json")).toEqual([wanted]);
  expect(readings("<|python_tag|>[]", "llama3-json")).toEqual([]);
});

describe("a list of calls in another list", () => {
  const two = [
    ["f", { a: 1 }],
    ["ping", {}],
  ];
  const json = '{"name": "f", "arguments": {"a": 1}}, {"name": "ping", "arguments": {}}';
  test.each([
    ["[[f(a=1), ping()]]", "pythonic"],
    ["[\n  [f(a=1), ping()]\n]", "pythonic"],
    [`[[${json}]]`, "json-list"],
    [`[[${json}]]`, "hermes"],
  ] as const)("is the same list: %s", (reply, protocol) => expect(readings(reply, protocol)).toEqual(two));

  test.each(["[[f(a=1), 2]]", "[[1, 2], [3]]", "[[f(a=1)], 2]", "So [[f(a=1)]] is it."])(
    "makes no other call: %s",
    (reply) => expect(readings(reply, "pythonic")).toEqual([]),
  );
});
