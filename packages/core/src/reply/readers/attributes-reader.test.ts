import { describe, expect, test } from "vitest";
import { readings } from "../../../test/support/readings.js";

describe("arguments as attributes", () => {
  test.each<[string, string, unknown[]]>([
    ["of one tag", '<call name="set_lamp" room="hall" level="3"/>', [["set_lamp", { room: "hall", level: 3 }]]],
    ["with entities", '<call name="set_lamp" room="a &quot;b&quot; &amp; c"/>', [["set_lamp", { room: 'a "b" & c' }]]],
    ["with unescaped quotes", '<call name="set_lamp" room="a "b" c"/>', [["set_lamp", { room: 'a "b" c' }]]],
    ["without quotes", "<call name=set_lamp room=hall level=3 />", [["set_lamp", { room: "hall", level: 3 }]]],
    [
      "with quotes of prose",
      "<call name=set_lamp room=“hall” level=«3» />",
      [["set_lamp", { room: "hall", level: 3 }]],
    ],
    ["with words in quotes of prose", "<call name=set_lamp room=“the hall” />", ["malformed"]],
    ["with JSON as a value", `<call name="save_tasks" names='["a", "b"]'/>`, [["save_tasks", { names: ["a", "b"] }]]],
    [
      "with more elements inside the tag",
      '<call name="set_lamp" room="hall"><level>3</level></call>',
      [["set_lamp", { room: "hall", level: 3 }]],
    ],
    [
      "with a JSON object inside the tag",
      '<call name="set_lamp">{"room": "hall", "level": 3}</call>',
      [["set_lamp", { room: "hall", level: 3 }]],
    ],
    ["twice under one name", '<call name="set_lamp" room="hall" room="attic"/>', ["invalid-arguments"]],
    ["without the end of the tag", '<call name="set_lamp" room="hall', ["truncated"]],
  ])("%s", (_, reply, wanted) => expect(readings(reply, "laic")).toEqual(wanted));
});
