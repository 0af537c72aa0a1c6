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
