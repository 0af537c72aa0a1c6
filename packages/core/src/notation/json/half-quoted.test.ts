import { describe, expect, test } from "vitest";
import { readings } from "../../../test/support/readings.js";

const call = (args: string) => `<tool_call>\n{"name": "ship.order", "arguments": ${args}}\n</tool_call>`;
const wanted = [["ship.order", { depot: "a", boxes: 3 }]];

describe("a quote is missing", () => {
  test.each([
    ["before a key", call('{depot": "a", boxes": 3}')],
    ["after a key", call('{"depot: "a", "boxes": 3}')],
    ["after a key with a number", call('{"boxes: 3, "depot": "a"}')],
    ["before a value", call('{"depot": a", "boxes": 3}')],
    ["before a last value", call('{"boxes": 3, "depot": a"}')],
    ["before the call's keys", call('{"depot": "a", "boxes": 3}').replaceAll(/"(name|arguments)"/g, '$1"')],
    ["before the tool's name", call('{"depot": "a", "boxes": 3}').replace('"ship', "ship")],
  ])("%s", (_, reply) => expect(readings(reply, "hermes")).toEqual(wanted));

  test("before several words", () =>
    expect(readings(call('{"depot": New York", "boxes": 3}'), "hermes")).toEqual([
      ["ship.order", { depot: "New York", boxes: 3 }],
    ]));

  test.each([
    ["after a value, which may go on", call('{"depot": "a, "boxes": 3}')],
    ["after a value at the end", call('{"boxes": 3, "depot": "a}')],
    ["after digits, where a quote may mean inches", call('{"depot": 24", "boxes": 3}')],
    ["and a word is quoted inside the value", call('{"depot": a "b" c", "boxes": 3}')],
  ])("%s: no call", (_, reply) =>
    expect(readings(reply, "hermes")?.filter((found) => typeof found !== "string")).toEqual([]),
  );

  test("a key with a colon inside is that key", () =>
    expect(readings(call('{"depot": "a", "boxes": 3, "depot:x": 1}'), "hermes")).toEqual([
      ["ship.order", { depot: "a", boxes: 3, "depot:x": 1 }],
    ]));
});
