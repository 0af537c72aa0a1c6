import { expect, test } from "vitest";
import { collectReply, createReplyParser, defineProtocol, ProtocolError, parseReply, RenderError } from "./index.js";

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

test.each([
  [undefined, "`name` of a protocol must be a text, not undefined."],
  [{ name: "" }, '`name` of a protocol must be a text, not "".'],
  [
    { syntax: { call: ["<call>"] } },
    '`syntax.call` of the protocol "brackets" must be a list of markers, slots and one body',
  ],
  [{ syntax: undefined }, "`syntax.call` of the protocol"],
  [{ syntax: { call: [3, { body: "json" }] } }, "`syntax.call` of the protocol"],
  [{ syntax: { ...brackets.syntax, stop: "x" } }, '`syntax.stop` of the protocol "brackets" must be a list of texts'],
  [{ syntax: { ...brackets.syntax, spans: [{ open: "<x>", as: "reasonig" }] } }, "must be a list of spans such as"],
  [
    { renderTools: undefined },
    '`renderTools` of the protocol "brackets" must be a function that returns a text, not undefined.',
  ],
  [
    { renderResults: "none" },
    '`renderResults` of the protocol "brackets" must be a function that returns a text, not "none".',
  ],
])("a declaration that lacks a part is refused: %j", (part, message) => {
  const define = () => defineProtocol((part && { ...brackets, ...part }) as never);
  expect(define).toThrow(
    expect.objectContaining({ code: "bad-declaration", message: expect.stringContaining(message) }),
  );
  expect(define).toThrow(ProtocolError);
});

test("a declaration is enough to render and read a new protocol", () => {
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

test("a value that a format cannot represent is refused, not changed", () => {
  const render = (name: string, args: Record<string, unknown>) => () =>
    parameters.renderCalls([{ name, arguments: args }], { tools });
  expect(render("add", { s: "a </parameter> b" })).toThrow(RenderError);
  expect(render("a>b", {})).toThrow(RenderError);
  expect(render("add", { "a b": 1 })).toThrow(/"a b"/);
});

const invokes = defineProtocol({
  name: "invokes",
  about: { models: "none", source: "this test" },
  syntax: {
    parallel: true,
    block: { open: "<｜DSML｜calls>\n", separator: "\n", close: "\n</｜DSML｜calls>" },
    call: [
      '<｜DSML｜invoke name="',
      { slot: "name" },
      '">\n',
      {
        body: "elements",
        open: ['<｜DSML｜parameter name="', { slot: "key" }, '">'],
        close: ["</｜DSML｜parameter>\n"],
        leaf: "text",
      },
      "</｜DSML｜invoke>",
    ],
  },
  renderTools: () => "",
  renderResults: () => "",
});

const list = defineProtocol({
  name: "list",
  about: { models: "none", source: "this test" },
  syntax: {
    parallel: true,
    block: { open: "[CALLS][", separator: ", ", close: "]" },
    call: [{ body: "json-call", name: "name", arguments: "arguments" }],
  },
  renderTools: () => "",
  renderResults: () => "",
});

const keys = defineProtocol({
  name: "keys",
  about: { models: "none", source: "this test" },
  syntax: {
    parallel: true,
    call: [
      "<call>",
      { slot: "name" },
      "\n",
      { body: "elements", open: ["<key>", { slot: "key" }, "</key>\n<value>"], close: ["</value>\n"], leaf: "text" },
      "</call>",
    ],
  },
  renderTools: () => "",
  renderResults: () => "",
});

test.each([invokes, list, keys])("several calls in one block, or one after the other: $name", (protocol) => {
  const calls = [
    { name: "add", arguments: { a: 1, s: "x\ny" } },
    { name: "add", arguments: {} },
    { name: "add", arguments: { s: "</z>" } },
  ];
  const text = protocol.renderCalls(calls, { tools });
  for (const size of [1, 7, 1000]) {
    const parser = createReplyParser({ tools, protocol, accept: "own" });
    const whole = `Before. ${text}\nAfter.`;
    const chunks = whole.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
    const reply = collectReply([...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()]);
    expect(reply).toMatchObject({ text: "Before. After.", toolCalls: calls, invalidToolCalls: [] });
  }
});

test("a block that is not closed, or was never opened, still contains its calls", () => {
  const text = invokes.renderCalls([{ name: "add", arguments: { a: 1 } }], { tools });
  for (const reply of [text.replace("\n</｜DSML｜calls>", ""), text.replace("<｜DSML｜calls>\n", "")]) {
    expect(parseReply(reply, { tools, protocol: invokes }).toolCalls).toMatchObject([{ arguments: { a: 1 } }]);
  }
});
