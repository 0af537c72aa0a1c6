import { describe, expect, test } from "vitest";
import { pieces } from "../../../test/support/pieces.js";
import { readings } from "../../../test/support/readings.js";
import { escapeText } from "../../prompt/escape.js";
import type { ProtocolName } from "../../protocols/index.js";

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

  const pairs = "ship.order<arg_key>depot</arg_key><arg_value>north</arg_value>";
  test.each<[ProtocolName, string]>([
    ["hermes", `<tool_call id="7">${order}</tool_call>`],
    ["hermes", `<tool_call call_id='a' type="function">\n${order}\n</tool_call>`],
    ["hermes", `<tool_call index=0>${order}</tool_call>`],
    ["glm45", `<tool_call id="7">${pairs}</tool_call>`],
    ["jamba", `<tool_calls id="7">[${order}]</tool_calls>`],
    ["longcat", `<longcat_tool_call type="tool">${order}</longcat_tool_call>`],
  ])("with attributes that say nothing, in %s: %s", (protocol, reply) => {
    for (const by of [protocol, "auto"] as const) {
      expect(readings(`So:\n${reply}\n${reply}`, by)).toEqual([...wanted, ...wanted]);
      expect(pieces(reply, by)).toEqual([["invalid", "unknown-tool"]]);
      expect(readings(escapeText(reply), by)).toEqual([]);
    }
  });

  test("with a name of a tool that has escapes as well", () =>
    expect(readings(`<tool\\_call>${lamp}</tool\\_call>`, "hermes")).toEqual([
      ["set_lamp", { room: "hall", level: 2 }],
    ]));
});

test.each([
  `<tool_call depot="north">{"name": "ship.order"}</tool_call>`,
  `The tag <tool_call id="7" type="function"> begins one, such as ${order}.`,
  `<tool_call id="7" /> is empty.`,
  `> <tool_call id="7">${order}</tool_call>`,
  "if a < tool_call and b > c",
  "a <   \n tool_call>",
  "< other_call >{}",
  "<tool\\_calling>",
  "a < b > c",
])("%j is text", (text) => {
  expect(readings(text, "hermes")).toEqual([]);
  expect(pieces(text, "hermes")).toEqual([["text", text]]);
});
