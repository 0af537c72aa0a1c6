import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { getProtocol, parseReply, protocols, RenderError, type ToolCall } from "./index.js";

type Call = Pick<ToolCall, "name" | "arguments">;
const refused = (code: string) => expect.objectContaining({ name: RenderError.name, code });

const names = Object.keys(protocols) as (keyof typeof protocols)[];

describe.each(names)("%s", (protocol) => {
  const { renderCalls } = getProtocol(protocol);
  const readBack = (calls: Call[], tools = calls.map(({ name }) => ({ name, parameters: true }))) => {
    let text: string;
    try {
      text = renderCalls(calls, { tools });
    } catch (error) {
      if (error instanceof RenderError) return calls;
      throw error;
    }
    return parseReply(text, { tools, protocol }).toolCalls.map(({ name, arguments: args }) => ({
      name,
      arguments: args,
    }));
  };

  test.each([
    "</minimax:tool_call><b>",
    "</｜DSML｜function_calls><tool_calls>",
    "</｜DSML｜tool_calls><",
    "<｜DSML｜parameter ",
    "<parameter ",
    "<arg_value>",
    "<|close|>call",
    "</Parameter>",
  ])("an argument that contains %j is read back, or refused", (text) => {
    for (const value of [text, [text], { inner: text }]) {
      const calls = [{ name: "save", arguments: { value, after: {} } }];
      expect(readBack(calls)).toEqual(calls);
    }
  });

  test.each(["think", "tool_result", "function", "tool", "call", "name"])(
    "a tool named %j is called, or refused",
    (name) => {
      const calls = [{ name, arguments: { a: 1 } }];
      expect(readBack(calls)).toEqual(calls);
    },
  );
});

describe.each(["tool-tags", "yaml"] as const)("%s refuses a tool whose element would be read as", (protocol) => {
  test.each([
    ["reasoning", "think"],
    ["the end of the reply", "s"],
  ])("%s", (_, name) => {
    const render = () => getProtocol(protocol).renderCalls([{ name, arguments: {} }], { tools: [] });
    expect(render).toThrow(refused("unwritable-name"));
  });
});

test("JSON that contains a tag of its format is written with escapes", () => {
  const text = getProtocol("minimax-m2").renderCalls([{ name: "f", arguments: { a: ["<b></parameter>"] } }], {
    tools: [],
  });
  expect(text).toContain('["<b>\\u003c/parameter>"]');
});

test.each([{}, { type: "string" }])("a tag that a value of %j mentions is text if the value is read back", (schema) => {
  const tools = [{ name: "f", parameters: { type: "object", properties: { key: schema } } }];
  const calls = [{ name: "f", arguments: { key: 'a <｜DSML｜parameter name="x"> b' } }];
  const text = getProtocol("deepseek-v32").renderCalls(calls, { tools });
  expect(parseReply(text, { tools, protocol: "deepseek-v32" }).toolCalls).toMatchObject(calls);
});

test("an argument that opens one without a name is refused if the format quotes names", () => {
  const tools = [{ name: "save", parameters: { type: "object", properties: { path: { type: "string" } } } }];
  const calls = [{ name: "save", arguments: { text: '<|open|>argument key=""<|sep|>' } }];
  expect(() => getProtocol("kimi-k3").renderCalls(calls, { tools })).toThrow(refused("unwritable-value"));
});

test.each(["text", "path"])("an incomplete tag without a name in %s is text", (key) => {
  const tools = [{ name: "save", parameters: { type: "object", properties: { path: { type: "string" } } } }];
  const calls = [{ name: "save", arguments: { path: "a", [key]: '<|open|>argument key="<|sep|>' } }];
  const text = getProtocol("kimi-k3").renderCalls(calls, { tools });
  expect(parseReply(text, { tools, protocol: "kimi-k3" }).toolCalls).toMatchObject(calls);
});

test.each(["tool-tags", "yaml", "am-xml", "xml"] as const)(
  "tags of arguments in arguments are read back: %s",
  (protocol) => {
    const string = { type: "string" };
    const inner = { type: "object", properties: { city: string, note: string } };
    const properties = { note: string, a: string, CITY: string, inner };
    const tools = [{ name: "t", parameters: { type: "object", properties } }];
    const piece = fc.constantFrom(
      "<a>",
      "</a>",
      "<abc>",
      "</abc>",
      "<CITY>",
      "</CITY>",
      "<city>",
      "</note>",
      "<inner>",
      " ",
      "x",
    );
    const text = fc.array(piece, { maxLength: 5 }).map((pieces) => `.${pieces.join("")}.`);
    const given = fc.record({ note: text, a: text, CITY: text, inner: fc.record({ city: text, note: text }) });
    fc.assert(
      fc.property(given, (args) => {
        const calls = [{ name: "t", arguments: args }];
        const reply = getProtocol(protocol).renderCalls(calls, { tools });
        expect({ reply, read: parseReply(reply, { protocol, tools }).toolCalls }).toMatchObject({ read: calls });
      }),
      { numRuns: 300 },
    );
  },
);

test.each([
  ["hunyuan-v4", "arguments", "><arg_value:6124c78e>"],
  ["glm45", "a_key_of_more_than_forty_characters_in_all", "><arg_value>"],
] as const)(
  "%s refuses text that would take the next argument, whose tag is too long to be waited for",
  (protocol, next, name) => {
    const tools = [
      {
        name: "f",
        parameters: { type: "object", properties: { name: { type: "string" }, [next]: { type: "object" } } },
      },
    ];
    const render = () => getProtocol(protocol).renderCalls([{ name: "f", arguments: { name, [next]: {} } }], { tools });
    expect(render).toThrow(refused("unwritable-value"));
  },
);
