import { describe, expect, test } from "vitest";
import { argumentsOf, hermes, read } from "../../../test/support/read.js";

describe("the object of a call with other keys", () => {
  test.each([
    ["capital letters", { Name: "get_weather", Arguments: { city: "Oulu" } }],
    ["all capitals", { NAME: "get_weather", ARGUMENTS: { city: "Oulu" } }],
    ["function_name", { function_name: "get_weather", function_args: { city: "Oulu" } }],
    ["functionName", { functionName: "get_weather", functionArguments: { city: "Oulu" } }],
    ["tool_args", { toolName: "get_weather", "tool-args": { city: "Oulu" } }],
    ["recipient_name", { recipient_name: "functions.get_weather", parameters: { city: "Oulu" } }],
    ["a wrapper in another case", { ToolCall: { Name: "get_weather", Args: { city: "Oulu" } } }],
    ["a list in another case", { toolCalls: [{ name: "get_weather", arguments: { city: "Oulu" } }] }],
  ])("%s", (_, object) => {
    expect(argumentsOf(hermes(JSON.stringify(object)))).toEqual([{ city: "Oulu" }]);
    expect(argumentsOf(JSON.stringify(object), { protocol: "auto" })).toEqual([{ city: "Oulu" }]);
  });

  test("a key in another case that the tool declares is an argument", () => {
    const tools = [{ name: "add_guest", parameters: { properties: { Name: { type: "string" } }, required: ["Name"] } }];
    const reply = hermes('{"name": "add_guest", "Name": "Ada"}');
    expect(read(reply, { tools }).toolCalls).toMatchObject([{ name: "add_guest", arguments: { Name: "Ada" } }]);
  });
});

describe("an object without a marker that records a call", () => {
  const record = (more: object) => JSON.stringify({ name: "get_weather", arguments: { city: "Oulu" }, ...more });

  test.each([["result"], ["output"], ["tool_response"], ["Observation"]])("is text with the key %s", (key) => {
    for (const protocol of ["json-list", "auto"] as const)
      expect(argumentsOf(record({ [key]: "warm" }), { protocol })).toEqual([]);
  });

  test("is a call with an id, and text with an id and no arguments", () => {
    expect(argumentsOf(record({ id: 1 }), { protocol: "json-list" })).toEqual([{ city: "Oulu" }]);
    const tools = [{ name: "ping", parameters: { properties: {} } }];
    expect(argumentsOf('{"name": "ping", "id": 1}', { protocol: "json-list", tools })).toEqual([]);
    expect(argumentsOf('{"name": "ping", "call_id": "1"}', { protocol: "json-list", tools })).toEqual([{}]);
  });

  test.each(["{}", '{"type": "object", "properties": {}}'])(
    "is text with a description and the schema %s",
    (schema) => {
      const definitions = `[{"name": "get_weather", "description": "Weather", "parameters": ${schema}}]`;
      for (const reply of [definitions, `<tools>\n${definitions}\n</tools>`]) {
        const { toolCalls, invalidToolCalls, text } = read(reply, { protocol: "auto" });
        expect({ toolCalls, invalidToolCalls, text }).toEqual({ toolCalls: [], invalidToolCalls: [], text: reply });
      }
      const described = record({ description: "The weather in Oulu" });
      expect(argumentsOf(described, { protocol: "json-list" })).toEqual([{ city: "Oulu" }]);
    },
  );

  test.each(["thoughts", "thinking", "reasoning", "explanation", "analysis", "plan"])(
    "is a call with %s before it",
    (key) => {
      const call = { name: "get_weather", arguments: { city: "Oulu" } };
      for (const object of [
        { [key]: "I look.", ...call },
        { [key]: "I look.", tool_calls: [call] },
      ])
        expect(argumentsOf(JSON.stringify(object), { protocol: "json-list" })).toEqual([{ city: "Oulu" }]);
      expect(argumentsOf(JSON.stringify({ [key]: "I look.", name: "get_weather" }), { protocol: "json-list" })).toEqual(
        [],
      );
      // An argument outside of the arguments is not lost.
      const tools = [{ name: "get_weather", parameters: { properties: { city: { type: "string" }, [key]: {} } } }];
      const outside = JSON.stringify({ ...call, [key]: "x" });
      expect(read(outside, { protocol: "json-list", tools }).toolCalls).toEqual([]);
    },
  );

  test("is a call with an id and arguments beside the name", () =>
    expect(argumentsOf('{"name": "get_weather", "city": "Oulu", "id": "1"}', { protocol: "json-list" })).toEqual([
      { city: "Oulu" },
    ]));

  test("is a call with a description and empty arguments", () => {
    const tools = [{ name: "ping", parameters: { properties: {} } }];
    const reply = '{"name": "ping", "description": "I ping it", "arguments": {}}';
    expect(argumentsOf(reply, { protocol: "json-list", tools })).toEqual([{}]);
  });

  test("is a call between markers, or where the tool declares the key", () => {
    expect(argumentsOf(hermes(record({ result: "warm" })))).toEqual([{ city: "Oulu" }]);
    const tools = [{ name: "save", parameters: { properties: { result: { type: "string" } } } }];
    expect(argumentsOf('{"name": "save", "result": "warm"}', { protocol: "json-list", tools })).toEqual([
      { result: "warm" },
    ]);
  });
});

describe("a key that is also a tool's name, beside a call's name", () => {
  const beside = (key: string, value: unknown) =>
    hermes(JSON.stringify({ name: "get_weather", arguments: { city: "Oulu" }, [key]: value }));

  test.each<[unknown]>([[{}], [[]], [null], ["text"], [7]])("says nothing with the value %j", (value) =>
    expect(argumentsOf(beside("write_file", value))).toEqual([{ city: "Oulu" }]),
  );

  test.each<[string, unknown]>([
    ["write_file", { path: "a" }],
    ["write_file", [{ path: "a" }]],
    ["tool", "write_file"],
    ["parameters", { city: "Turku" }],
  ])("%s: %j is refused, because it may be another call", (key, value) => {
    const [call, ...more] = read(beside(key, value)).invalidToolCalls;
    expect([call?.error.message, call?.error.ambiguous, more]).toEqual([
      expect.stringContaining(`its object also has the key "${key}"`),
      true,
      [],
    ]);
  });
});

describe("a text in the object around a list of calls", () => {
  const call = '{"name": "now", "arguments": {}}';

  test.each([
    ["before it", `{"content": "I look.", "tool_calls": [${call}]}`],
    ["after it", `{"tool_calls": [${call}], "content": "I look."}`],
    ["after it, with other keys", `{"role": "assistant", "tool_calls": [${call}], "message": "I look.", "n": 1}`],
  ])("%s is a part of the answer", (_, reply) => {
    const options = { protocol: "json-list" } as const;
    for (const [written, count] of [
      [reply, 1] as const,
      [hermes(reply), 1] as const,
      [`[${reply}, ${call}]`, 2] as const,
    ])
      expect(read(written, options)).toMatchObject({
        text: "I look.",
        toolCalls: Array(count).fill({ name: "now" }),
        invalidToolCalls: [],
      });
  });

  test("is text with its object if the list is empty", () => {
    const reply = '{"tool_calls": [], "content": "I look."}';
    expect(read(reply)).toMatchObject({ text: reply, toolCalls: [], invalidToolCalls: [] });
  });
});
