import { describe, expect, test } from "vitest";
import { readings } from "../../../test/support/readings.js";
import { parseReply } from "../../index.js";

const call = (args: string) => `<tool_call>\n{"name": "ship.order", "arguments": ${args}}\n</tool_call>`;
const wanted = [["ship.order", { depot: "a", boxes: 3 }]];

describe("the separator between a key and its value", () => {
  test.each([
    ["an equals sign", call('{"depot"="a", "boxes" = 3}'), "hermes"],
    ["an equals sign after bare keys", call('{depot="a", boxes=3}'), "hermes"],
    ["an arrow", call('{"depot" => "a", "boxes" => 3}'), "hermes"],
    ["an arrow everywhere", call('{"depot" => "a", "boxes" => 3}').replaceAll('":', '" =>'), "hermes"],
    ["an equals sign among colons", '<|tool_call>call:ship.order{depot:<|"|>a<|"|>,boxes=3}<tool_call|>', "gemma4"],
    ["an equals sign and quotes", "<|tool_call>call:ship.order{depot='a',boxes=3}<tool_call|>", "gemma4"],
    ["a colon in a Python call", '[ship.order(depot: "a", boxes: 3)]', "pythonic"],
    ["a colon in a Python call", '<|tool_call>call:ship.order(depot: "a", boxes: 3)<tool_call|>', "gemma4"],
    ["quoted names in a Python call", '[ship.order("depot"="a", "boxes"=3)]', "pythonic"],
    ["full-width punctuation", call('{"depot"： "a"， "boxes"： 3}'), "hermes"],
    ["full-width punctuation everywhere", call('{"boxes"：3，"depot"："a"}').replaceAll('":', '"：'), "hermes"],
    ["full-width punctuation after bare words", call("{depot：a，boxes：3}"), "hermes"],
    ["a colon that is missing before a bracket", call('{"depot": "a", "boxes": 3}').replace('s":', 's"'), "hermes"],
    ["quoted names and colons", "[ship.order('depot': 'a', 'boxes': 3)]", "pythonic"],
  ] as const)("may be %s", (_, reply, protocol) => expect(readings(reply, protocol)).toEqual(wanted));

  test("in a string it is text", () =>
    expect(readings(call('{"depot": "x = 1, y => 2", "boxes": 3}'), "hermes")).toEqual([
      ["ship.order", { depot: "x = 1, y => 2", boxes: 3 }],
    ]));

  test("full-width punctuation after quotes in a string is text", () =>
    expect(readings(call('{"depot": "他说"你好"，然后走了"}'), "hermes")).toEqual([
      ["ship.order", { depot: '他说"你好"，然后走了' }],
    ]));

  test("two equals signs compare", () =>
    expect(readings('[ship.order("depot" == "a", boxes=3)]', "pythonic")).toEqual(["malformed"]));
});

describe("a colon that is missing after a declared key", () => {
  test.each([
    call('{"depot" "a", "boxes": 3}'),
    call('{"boxes": 3, "depot" "a"}'),
    call('{"depot": "a", "boxes" 3}'),
    call('{"boxes" 3, "depot""a"}'),
    call('{"depot" "a", "boxes": 3}').replace('"name":', '"name"'),
  ])("is added: %s", (reply) => expect(readings(reply, "hermes")).toEqual(wanted));

  test.each([
    ["the value is a key itself", '{"depot" "boxes": 3}'],
    ["the tool has no such argument", '{"crate" "a", "depot": "b"}'],
    ["it has a value", '{"depot": "a", "depot" "b"}'],
  ])("is not added where %s", (_, args) => expect(readings(call(args), "hermes")).toEqual([expect.any(String)]));

  test("in a text it is text", () =>
    expect(readings(call('{"depot": "say "boxes" 3 times"}'), "hermes")).toEqual([
      ["ship.order", { depot: 'say "boxes" 3 times' }],
    ]));

  test("Python joins the two strings", () =>
    expect(readings("[open_file(path='a', place={'city' 'Oslo'})]", "pythonic")).toEqual([expect.any(String)]));
});

test("an equals sign ends a value that is one of several, too", () => {
  const schema = { type: "object", properties: { unit: { enum: ["mm", "inch"] }, size: { type: "integer" } } };
  const reply = "<|tool_call>call:cut{unit='mm',size=3}<tool_call|>";
  const { toolCalls } = parseReply(reply, { protocol: "gemma4", tools: [{ name: "cut", parameters: schema }] });
  expect(toolCalls.map((cut) => cut.arguments)).toEqual([{ unit: "mm", size: 3 }]);
});

describe("a comma before a key without quotes", () => {
  const gemma = (args: string) => `<|tool_call>call:ship.order{${args}}<tool_call|>`;
  test("may be missing if the tool has that argument", () => {
    expect(readings(gemma('depot:<|"|>a<|"|>boxes:3'), "gemma4")).toEqual(wanted);
    expect(readings(gemma('depot:<|"|>a<|"|> boxes : 3'), "gemma4")).toEqual(wanted);
    expect(readings(gemma('depot:<|"|>a<|"|>crates:3'), "gemma4")).toEqual(["malformed"]);
    expect(readings(gemma('depot:<|"|>a<|"|>boxes'), "gemma4")).toEqual(["malformed"]);
  });
});

describe("a key without quotes", () => {
  const copy = (key: string) => `<|tool_call>call:open_file{place:{${key}:{at:<|"|>a<|"|>}}}<tool_call|>`;

  test.each(["Basic LLM Chain", "a-b c.d", "town"])("may be several words where keys have no quotes: %s", (key) =>
    expect(readings(copy(key), "gemma4")).toEqual([["open_file", { place: { [key]: { at: "a" } } }]]),
  );

  test("ends at its colon, not after it", () =>
    expect(readings(copy("city state{"), "gemma4")).not.toEqual([["open_file", { place: { "city state{": {} } }]]));
});
