import { describe, expect, test } from "vitest";
import { readings } from "../../../test/support/readings.js";

const call = (name: string, body: string) => `<am:tool_call name="${name}">${body}</am:tool_call>`;

describe("arguments with one element each", () => {
  test.each<[string, string, unknown[]]>([
    [
      "have any white space and comments between them",
      call("set_lamp", "\n  <room>hall</room><!-- dim -->\n  <level>3</level>\n"),
      [["set_lamp", { room: "hall", level: 3 }]],
    ],
    [
      "may repeat for a list",
      call("save_tasks", "<names>a</names><names>b</names>"),
      [["save_tasks", { names: ["a", "b"] }]],
    ],
    [
      "contain elements where the schema has an object",
      call("open_file", "<path>x</path><place><city>Oslo</city></place>"),
      [["open_file", { path: "x", place: { city: "Oslo" } }]],
    ],
    [
      "may be inside one element of another format",
      call("set_lamp", "<arguments><room>hall</room></arguments>"),
      [["set_lamp", { room: "hall" }]],
    ],
    ["may be one JSON object", call("set_lamp", '{"room": "hall"}'), [["set_lamp", { room: "hall" }]]],
    [
      "that the tool does not allow are dropped",
      call("query", "<filters>a</filters><colour>red</colour>"),
      [["query", { filters: ["a"] }]],
    ],
  ])("%s", (_, reply, wanted) => expect(readings(reply, "am-xml")).toEqual(wanted));

  test("may lack the last closing tag", () =>
    expect(
      readings("<tool_call>\n<function=set_lamp>\n<parameter=room>\nhall\n</function>\n</tool_call>", "qwen3-coder"),
    ).toEqual([["set_lamp", { room: "hall" }]]));
});
