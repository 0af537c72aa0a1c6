import { describe, expect, test } from "vitest";
import { readings } from "../../../test/support/readings.js";

const order = '{"name": "ship.order", "arguments": {"depot": "north"}}';
const lamp = String.raw`{"name": "set\_lamp", "arguments": {"room": "hall", "level": 2}}`;
const wanted = [["ship.order", { depot: "north" }]];

describe("a tag of a call is read", () => {
  test.each([
    ["with spaces around its name", `< tool_call >\n${order}\n</ tool_call >`],
    ["with a space before its name", `< tool_call>${order}</tool_call>`],
    ["with Markdown's escapes", `<tool\\_call>\n${order}\n</tool\\_call>`],
    ["with both", `< tool\\_call >${order}</tool\\_call>`],
    ["in another case", `<Tool_Call>${order}</Tool_Call>`],
    ["with characters without width around the call", `<tool_call>\u200b\n${order}\u200b\n</tool_call>\u200b`],
    ["with no-break spaces around the call", `<tool_call>\u00a0${order}\u00a0</tool_call>`],
  ])("%s", (_, reply) => {
    for (const protocol of ["hermes", "granite4", "auto"] as const) {
      expect(readings(reply, protocol)).toEqual(wanted);
      expect(readings(`So:\n${reply}\n${reply}`, protocol)).toEqual([...wanted, ...wanted]);
    }
  });

  test("with a name of a tool that has escapes as well", () =>
    expect(readings(`<tool\\_call>${lamp}</tool\\_call>`, "hermes")).toEqual([
      ["set_lamp", { room: "hall", level: 2 }],
    ]));
});

test.each(["if a < tool_call and b > c", "a <   \n tool_call>", "< other_call >{}", "<tool\\_calling>", "a < b > c"])(
  "%j is text",
  (text) => expect(readings(text, "hermes")).toEqual([]),
);
