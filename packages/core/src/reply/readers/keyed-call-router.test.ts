import { describe, expect, test } from "vitest";
import { callHost } from "../../../test/support/call-host.js";
import { emitValue } from "../../notation/value-sink.js";
import { KeyedCallRouter } from "./keyed-call-router.js";

const integer = { type: "integer" };
const tools = [
  { name: "add", parameters: { type: "object", properties: { a: integer, b: integer } } },
  { name: "now" },
];

function route(value: unknown, known = tools) {
  const { calls, ended } = callHost(known);
  emitValue(value, new KeyedCallRouter(calls));
  return ended();
}

describe("an object whose keys name the tools", () => {
  test.each<[string, unknown, unknown[]]>([
    ["is one call", { add: { a: 1 } }, [["add", { a: 1 }]]],
    ["has space around a name", { " add ": { a: 1 } }, [["add", { a: 1 }]]],
    ["has one key", { add: { a: 1 }, now: {} }, [expect.stringContaining('"now"; write one object for each call')]],
    [
      "may be in a list",
      [{ add: { a: 1 } }, { now: {} }],
      [
        ["add", { a: 1 }],
        ["now", {}],
      ],
    ],
    ["is a call as other formats write it", { name: "add", arguments: { a: 1 } }, [["add", { a: 1 }]]],
    [
      "is such a call after another",
      [{ now: {} }, { name: "add", arguments: { a: 1 } }],
      [
        ["now", {}],
        ["add", { a: 1 }],
      ],
    ],
    [
      "is another call after such a call",
      [{ name: "now" }, { add: { a: 1 } }],
      [
        ["now", {}],
        ["add", { a: 1 }],
      ],
    ],
    ["is no call of another name", { later: {} }, [expect.stringContaining("later")]],
    ["has no name after its key", { now: {}, name: "add" }, [expect.stringContaining('"name"')]],
    ["may have an id", { add: { a: 1 }, id: "c1" }, [["add", { a: 1 }]]],
    ["has no argument outside of the arguments", { add: { a: 1 }, b: 2 }, [expect.stringContaining('"b"')]],
  ])("%s", (_, value, wanted) => expect(route(value)).toEqual(wanted));

  test("names a tool that has the name of a key of other formats", () =>
    expect(route({ name: {} }, [{ name: "name", parameters: tools[0]!.parameters! }])).toEqual([["name", {}]]));

  test("has keys of any name, and the arguments those of their tool", () => {
    const router = new KeyedCallRouter(
      callHost([{ name: "add", parameters: { ...tools[0]!.parameters!, additionalProperties: false } }]).calls,
    );
    router.begin("object");
    expect(router.expects("add")).toBeUndefined();
    router.key("add");
    router.begin("object");
    expect([router.expects("a"), router.expects("c")]).toEqual([true, false]);
  });

  test("has the keys of a call as other formats write it", () => {
    const router = new KeyedCallRouter(callHost(tools).calls);
    router.begin("object");
    router.key("name");
    expect([router.expects("arguments"), router.expects("zone")]).toEqual([true, undefined]);
  });

  test("has arguments that are taken as a whole", () => {
    const { calls, ended } = callHost(tools);
    const router = new KeyedCallRouter(calls);
    router.begin("object");
    router.key("add");
    const whole = { value: { a: 1 }, source: '{"a": 1}', inner: "" };
    expect(router.whole(() => whole, "object")).toBe(true);
    router.end("object");
    expect(ended()).toEqual([["add", { a: 1 }]]);
  });
});
