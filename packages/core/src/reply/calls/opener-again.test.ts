import { describe, expect, test } from "vitest";
import { readings, tools } from "../../../test/support/readings.js";
import { parseReply } from "../../index.js";
import type { ProtocolName } from "../../protocols/index.js";

const meter = ["read_meter", { room: "hall" }];

describe("a call in an element of its own name is one call", () => {
  test.each<[ProtocolName, string, unknown[]]>([
    ["tool-tags", "<ping><ping></ping></ping>", ["ping", {}]],
    ["tool-tags", "<ping>\n<ping>\n</ping>\n</ping>", ["ping", {}]],
    ["tool-tags", "<read_meter><read_meter><room>hall</room></read_meter></read_meter>", meter],
    ["tool-tags", "<read_meter>\n<read_meter>\n<room>hall</room>\n</read_meter>", meter],
    ["yaml", "<ping><ping></ping></ping>", ["ping", {}]],
    ["yaml", "<read_meter>\n<read_meter>\nroom: hall\n</read_meter>\n</read_meter>", meter],
    ["yaml", "<read_meter>\n  <read_meter>\n    room: hall\n  </read_meter>\n</read_meter>", meter],
    [
      "qwen3-coder",
      "<tool_call>\n<function=ping>\n<function=ping>\n</function>\n</function>\n</tool_call>",
      ["ping", {}],
    ],
    ["functionary", '<function=read_meter><function=read_meter>{"room": "hall"}</function></function>', meter],
    ["minimax-m2", '<invoke name="ping"><invoke name="ping"></invoke></invoke>', ["ping", {}]],
  ])("in %s: %s", (protocol, reply, call) => {
    expect(readings(reply, protocol)).toEqual([call]);
    const { toolCalls, text } = parseReply(reply, { protocol, tools });
    expect([toolCalls[0]?.repairs?.[0], text]).toEqual([{ code: "extra-opener" }, ""]);
  });

  test("and another one after it is another call", () =>
    expect(readings("<ping><ping></ping></ping>\n<ping></ping>", "tool-tags")).toEqual([
      ["ping", {}],
      ["ping", {}],
    ]));

  test("and one in two such elements is read once, after an invalid call", () =>
    expect(
      readings(
        "<read_meter><read_meter><read_meter><room>hall</room></read_meter></read_meter></read_meter>",
        "tool-tags",
      ),
    ).toEqual(["malformed", meter]));

  test("but not of a tool without arguments that is closed once, whose first call may lack its end", () =>
    expect(readings("<ping><ping></ping>\n", "tool-tags")).toEqual([
      ["ping", {}],
      ["ping", {}],
    ]));

  test("but not with other attributes, in one of another name, or in an argument of that name", () => {
    expect(readings('<set_lamp room="a"><set_lamp room="b"></set_lamp></set_lamp>', "tool-tags")).toEqual([
      ["set_lamp", { room: "a" }],
      ["set_lamp", { room: "b" }],
    ]);
    expect(readings("<read_meter><ping></ping></read_meter>", "tool-tags")).toEqual(["malformed", ["ping", {}]]);
    const note = [{ name: "note", parameters: { properties: { note: { type: "string" } } } }];
    expect(
      parseReply("<note><note>milk</note></note>", { protocol: "tool-tags", tools: note }).toolCalls,
    ).toMatchObject([{ arguments: { note: "milk" } }]);
  });
});
