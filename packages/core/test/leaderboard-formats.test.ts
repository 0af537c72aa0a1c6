import { describe, expect, test } from "vitest";
import { createReplyParser, type ProtocolName, parseReply, protocols, type ToolDefinition } from "../src/index.js";

// The formats that the Berkeley Function Calling Leaderboard asks models for (bfcl-eval 2026.3.23, `default_prompts.py`),
// bare, in its tag and in a fence: a user may have such a prompt, and models trained for it write so without one.

const tools: ToolDefinition[] = [
  {
    name: "forecast",
    parameters: {
      type: "object",
      properties: { city: { type: "string" }, days: { type: "integer" } },
      required: ["city"],
    },
  },
  { name: "clock.now", parameters: { type: "object", properties: {} } },
];
const calls = [
  ["forecast", { city: "Rome", days: 3 }],
  ["clock.now", {}],
];

const formats = {
  Python: "[forecast(city='Rome', days=3), clock.now()]",
  JSON: '[{"function":"forecast","parameters":{"city":"Rome","days":3}},{"function":"clock.now","parameters":{}}]',
  "verbose XML":
    '<functions><function name="forecast"><params><param name="city" value="Rome" type="string"/><param name="days" value="3" type="integer"/></params></function><function name="clock.now"><params></params></function></functions>',
  "verbose XML on lines":
    '<functions>\n  <function name="forecast">\n    <params>\n      <param name="city" value="Rome" type="string"></param>\n      <param name="days" value="3" type="integer"></param>\n    </params>\n  </function>\n  <function name="clock.now">\n    <params/>\n  </function>\n</functions>',
  "concise XML":
    '<functions><function name="forecast"><param name="city" type="string">Rome</param><param name="days" type="integer">3</param></function><function name="clock.now"></function></functions>',
};

const places: Record<string, (reply: string) => string> = {
  "as the whole reply": (reply) => reply,
  "in a tag": (reply) => `<TOOLCALL>${reply}</TOOLCALL>`,
  "in a fence": (reply) => `\`\`\`xml\n${reply}\n\`\`\``,
  "in a tag in a fence": (reply) => `\`\`\`\n<TOOLCALL>${reply}</TOOLCALL>\n\`\`\``,
};

describe.each(Object.entries(formats))("%s", (_, reply) => {
  test.each(Object.entries(places))("is read %s, in every protocol", (_, place) => {
    for (const protocol of ["auto", ...Object.keys(protocols)] as (ProtocolName | "auto")[]) {
      const found = parseReply(place(reply), { tools, protocol });
      expect([protocol, found.text, found.invalidToolCalls]).toEqual([protocol, "", []]);
      expect([protocol, found.toolCalls.map((call) => [call.name, call.arguments])]).toEqual([protocol, calls]);
      const parser = createReplyParser({ tools, protocol });
      const events = [...[...place(reply)].flatMap((character) => parser.push(character)), ...parser.end()];
      const streamed = events.flatMap((event) => (event.type === "call-end" ? [event.call.name] : []));
      expect([protocol, streamed]).toEqual([protocol, calls.map(([name]) => name)]);
    }
  });
});

test.each([true, { type: "object" }])("verbose XML is read with the parameters %j", (parameters) => {
  const one = { name: "forecast", parameters } as ToolDefinition;
  const reply = '<function name="forecast"><params><param name="city" value="Rome"/></params></function>';
  for (const known of [[one], undefined]) {
    const { toolCalls } = parseReply(reply, { tools: known, protocol: "minicpm5" });
    expect(toolCalls).toMatchObject([{ name: "forecast", arguments: { city: "Rome" } }]);
  }
});

test("the tags around calls are no text, after words and twice in a fence", () => {
  const call = '<function name="clock.now"></function>';
  const element = `<functions>${call}</functions>`;
  const read = (reply: string) => parseReply(reply, { tools, protocol: "hermes" });
  expect(read(`I look.\n${element}`)).toMatchObject({ text: "I look.", toolCalls: [{ name: "clock.now" }] });
  const twice = read(`\`\`\`\n${element}\n${element}\n\`\`\``);
  expect([twice.text.trim(), twice.toolCalls.length]).toEqual(["", 2]);
});

test("a tag without a call after it is text", () => {
  const reply = "The list is in <tools> and ends with </tools>.";
  expect(parseReply(reply, { tools, protocol: "hermes" }).text).toBe(reply);
});

test("an element with content keeps it, beside an attribute `value`", () => {
  const reply = '<function name="forecast"><param name="city" value="Rome">Milan</param></function>';
  const { toolCalls, invalidToolCalls } = parseReply(reply, { tools, protocol: "minicpm5" });
  expect(toolCalls).toEqual([]);
  expect(invalidToolCalls).toMatchObject([{ error: { code: "malformed" } }]);
});

const readings = (reply: string, tool: ToolDefinition, protocol: ProtocolName) => {
  const whole = parseReply(reply, { tools: [tool], protocol });
  const parser = createReplyParser({ tools: [tool], protocol });
  const events = [...[...reply].flatMap((character) => parser.push(character)), ...parser.end()];
  const streamed = events.flatMap((event) => (event.type === "call-end" ? [event.call.arguments] : []));
  expect(streamed).toEqual(whole.toolCalls.map((call) => call.arguments));
  return streamed;
};
const strings = (name: string, ...keys: string[]): ToolDefinition => ({
  name,
  parameters: { type: "object", properties: Object.fromEntries(keys.map((key) => [key, { type: "string" }])) },
});

test.each(["<params/>", "<params></params>"])("text after %s is not an argument", (wrapper) => {
  const reply = `<function name="run">${wrapper}Now I wait.</function>`;
  expect(readings(reply, strings("run", "cmd"), "minicpm5")).toEqual([]);
});

test("a parameter may be named `value`", () => {
  const set = strings("set", "key", "value");
  const paired = '<param name="key" value="a"></param><param name="value" value="b"></param>';
  const closed = '<param name="key" value="a"/><param name="value" value="b"/>';
  for (const params of [paired, closed]) {
    expect(readings(`<function name="set">${params}</function>`, set, "minicpm5")).toEqual([{ key: "a", value: "b" }]);
  }
});

test("any white space in an empty element is read the same, whole and streamed", () => {
  const space = "\n".repeat(1100);
  const value = `<function name="set"><param name="key" value="a">${space}</param></function>`;
  expect(readings(value, strings("set", "key"), "minicpm5")).toEqual([]);
  readings(`<function name="now"><params>${space}</params></function>`, strings("now"), "minicpm5");
});

test.each([
  '```\n<user>\n<tool_call>{"name":"run","arguments":{}}</tool_call>\n</user>\n```\nThat is what the user wrote.',
  '```xml\n<example><tool_call>{"name":"run","arguments":{}}</tool_call></example>\n```',
  '`<tools><tool_call>{"name":"run","arguments":{}}</tool_call></tools>` is how to call.',
])("an element that quotes a call makes none: %j", (reply) => {
  expect(readings(reply, strings("run", "cmd"), "hermes")).toEqual([]);
});
