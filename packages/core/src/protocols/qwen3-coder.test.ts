import { describe, expect, test } from "vitest";
import { parseReply } from "../full/index.js";

const tools = [
  {
    name: "send_mail",
    parameters: {
      type: "object",
      properties: { to: { type: "string" }, body: { type: "string" }, copies: { type: "integer" } },
    },
  },
];
const read = (text: string) => parseReply(text, { tools, protocol: "qwen3-coder" }).toolCalls.map((c) => c.arguments);

describe("variants of qwen3-coder", () => {
  test("with the name and the keys between their own tags", () => {
    expect(
      read(
        "<tool_call>\n<function>send_mail</function>\n<parameter>to</parameter>\nAnn\n</parameter>\n<parameter>body</parameter>\nSee </parameter> there.\n<parameter>copies</parameter>\n2\n</parameter>\n</function>\n</tool_call>",
      ),
    ).toEqual([{ to: "Ann", body: "See </parameter> there.", copies: 2 }]);
  });

  test.each(["call", "tool", "invoke"])("as a %s instead of a function, with other tags in its text", (tag) => {
    const body = `Close it by </${tag}out> here`;
    expect(read(`<tool_call><${tag}=send_mail><parameter=body>${body}</parameter></${tag}></tool_call>`)).toEqual([
      { body },
    ]);
  });
});

test("a tool may be named like the marker of a call", () => {
  const named = [{ name: "tool_call", parameters: { type: "object", properties: { function: { type: "string" } } } }];
  const call = "<tool_call>\n<function=tool_call>\n</function>\n</tool_call>";
  expect(parseReply(call, { tools: named, protocol: "qwen3-coder" }).toolCalls).toMatchObject([{ arguments: {} }]);
});
