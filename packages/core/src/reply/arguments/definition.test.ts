import { describe, expect, test } from "vitest";
import { type ParsedReply, type ProtocolName, parseReply, protocols } from "../../index.js";

const weather = {
  name: "weather",
  description: "The weather of a city",
  parameters: { type: "object", properties: { city: { type: "string" } } },
};
const now = { name: "now", description: "The time", parameters: { type: "object", properties: {} } };
const table = {
  name: "create_table",
  parameters: { type: "object", properties: { type: { type: "string" }, properties: { type: "object" } } },
};
const tools = [weather, now, table];

const called = ({ toolCalls }: ParsedReply) => toolCalls.map(({ name }) => name);

describe("a model that repeats the definition of a tool", () => {
  const repeated = [weather, now].flatMap((tool) => [
    JSON.stringify(tool),
    JSON.stringify({ type: "function", function: tool }),
    JSON.stringify([{ type: "function", function: tool }], undefined, 2),
    `<tool_call>\n${JSON.stringify(tool)}\n</tool_call>`,
    `<tools>${JSON.stringify({ type: "function", function: tool })}</tools>`,
    `<tool_call>\n${JSON.stringify({ name: tool.name, arguments: tool.parameters })}\n</tool_call>`,
  ]);

  test.each(Object.keys(protocols) as ProtocolName[])("does not call it in %s", (protocol) => {
    for (const reply of repeated) expect(called(parseReply(reply, { tools, protocol })), reply).toEqual([]);
  });

  test("gets an invalid call with the reason where it wrote the markers of a call", () => {
    const { invalidToolCalls } = parseReply(repeated[3] as string, { tools, protocol: "hermes" });
    expect(invalidToolCalls).toMatchObject([{ name: "weather", error: { code: "malformed" } }]);
    expect(invalidToolCalls[0]?.error.feedback).toContain("the tool's definition");
  });
});

test("arguments that look like a schema are arguments where the tool declares them, or any", () => {
  const schema = { type: "object", properties: { city: { type: "string" } } };
  const call = (name: string) => JSON.stringify({ name, arguments: schema });
  const read = (name: string) =>
    parseReply(`<tool_call>${call(name)}</tool_call>`, {
      tools: [...tools, { name: "validate", parameters: { type: "object" } }],
    });
  expect(read("create_table").toolCalls).toMatchObject([{ arguments: schema }]);
  expect(read("validate").toolCalls).toMatchObject([{ arguments: schema }]);
});

test("so are an empty schema for a tool with any arguments, and a schema beside a declared argument", () => {
  const empty = { type: "object", properties: {} };
  for (const parameters of [true, { type: "object" }]) {
    const reply = `<tool_call>${JSON.stringify({ name: "validate", arguments: empty })}</tool_call>`;
    const { toolCalls } = parseReply(reply, { tools: [{ name: "validate", parameters }] as never });
    expect(toolCalls).toMatchObject([{ arguments: empty }]);
  }
  const beside = { ...weather.parameters, city: "Rome" };
  const reply = `<tool_call>${JSON.stringify({ name: "weather", arguments: beside })}</tool_call>`;
  expect(parseReply(reply, { tools }).toolCalls).toMatchObject([{ arguments: beside }]);
});

describe("arguments that are the words for their types", () => {
  const write = {
    name: "write_file",
    parameters: { type: "object", properties: { path: { type: "string" }, content: { type: "string" }, type: {} } },
  } as const;
  const read = (values: object) =>
    parseReply(`<tool_call>${JSON.stringify({ name: "write_file", parameters: values })}</tool_call>`, {
      tools: [write],
      protocol: "hermes",
    });

  test("are the tool's definition if there are several", () => {
    const { toolCalls, invalidToolCalls } = read({ path: "string", content: "string" });
    expect([toolCalls, invalidToolCalls]).toMatchObject([[], [{ error: { code: "malformed" } }]]);
  });

  test.each([
    { path: "string" },
    { path: "string", content: "" },
    { path: "string", content: "number" },
    { path: "a", type: "string" },
  ])("are arguments otherwise: %j", (values) => expect(read(values).toolCalls).toMatchObject([{ arguments: values }]));
});
