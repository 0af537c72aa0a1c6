import { expect, test } from "vitest";
import { defineProtocol, parseReply, RenderError } from "./index.js";

const tools = [
  { name: "add", parameters: { type: "object", properties: { a: { type: "integer" }, s: { type: "string" } } } },
];

const brackets = defineProtocol({
  name: "brackets",
  about: { models: "none", source: "this test" },
  syntax: { parallel: true, call: ["[CALL]", { slot: "name" }, "[ARGS]", { body: "json" }, "[END]"] },
  renderTools: () => "",
  renderResults: () => "",
});

const parameters = defineProtocol({
  name: "parameters",
  about: { models: "none", source: "this test" },
  syntax: {
    parallel: true,
    call: [
      "<function=",
      { slot: "name" },
      ">",
      { body: "elements", open: ["<parameter=", { slot: "key" }, ">"], close: ["</parameter>"], leaf: "text" },
      "</function>",
    ],
  },
  renderTools: () => "",
  renderResults: () => "",
});

test("a declaration is all a new protocol needs to be rendered and read", () => {
  const calls = [{ name: "add", arguments: { a: 1, s: "x < y & z" } }];
  for (const [protocol, wanted] of [
    [brackets, '[CALL]add[ARGS]{"a": 1, "s": "x < y & z"}[END]'],
    [parameters, "<function=add><parameter=a>1</parameter><parameter=s>x < y & z</parameter></function>"],
  ] as const) {
    const text = protocol.renderCalls(calls, { tools });
    expect(text).toBe(wanted);
    const { toolCalls, text: rest } = parseReply(`So: ${text} Done.`, { tools, protocol });
    expect(toolCalls).toMatchObject(calls);
    expect(rest).toBe("So: Done.");
  }
});

test("what a format cannot hold is refused, not changed", () => {
  const render = (name: string, args: Record<string, unknown>) => () =>
    parameters.renderCalls([{ name, arguments: args }], { tools });
  expect(render("add", { s: "a </parameter> b" })).toThrow(RenderError);
  expect(render("a>b", {})).toThrow(RenderError);
  expect(render("add", { "a b": 1 })).toThrow(/"a b"/);
});
