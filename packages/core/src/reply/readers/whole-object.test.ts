import { describe, expect, test } from "vitest";
import { Input } from "../../notation/input.js";
import { jsonCall } from "../../syntax/parts.js";
import type { ToolDefinition } from "../../types.js";
import { ToolTable } from "../arguments/tool-table.js";
import { compileForms } from "../forms/forms.js";
import { wholeCall } from "./whole-object.js";

const tools: ToolDefinition[] = [
  { name: "add", parameters: { type: "object", properties: { a: { type: "integer" }, b: { minimum: 0 } } } },
];
const node = compileForms([{ call: ["<c>", jsonCall, "</c>"] }]).branches[0]!.node.branches[0]!.node;

/** The call in an object at an index of a text, and the text after it. */
function read(object: string, after = "</c>") {
  const input = new Input();
  input.push(`x${object}${after}`);
  const found = wholeCall(jsonCall, { node, tools: ToolTable.of(tools), name: undefined }, input, 1);
  return found && { ...found, json: found.json(), end: input.text.slice(found.end) };
}

describe("the call in one object", () => {
  test("is read with the spelling of its arguments", () => {
    expect(read('{"name": "add", "arguments": {"a": 1}}')).toEqual({
      name: "add",
      arguments: { a: 1 },
      matches: true,
      json: '{"a":1}',
      end: "</c>",
    });
    expect(read('{"id": "1", "name": "add", "arguments": { }}')).toMatchObject({ arguments: {}, json: "{}" });
  });

  test("has the spelling of its strings", () => {
    const tool = { name: "say", parameters: { properties: { text: { type: "string" } } } };
    const input = new Input();
    input.push('{"name": "say", "arguments": {"text": "\\u0041 b"}}</c>');
    const found = wholeCall(jsonCall, { node, tools: ToolTable.of([tool]), name: undefined }, input, 0);
    expect([found?.arguments, found?.json()]).toEqual([{ text: "A b" }, '{"text":"\\u0041 b"}']);
  });

  test("has to be checked where its schema has other keywords", () =>
    expect(read('{"name": "add", "arguments": {"b": -1}}')?.matches).toBe(false));

  test.each([
    ["is not complete", '{"name": "add", "arguments": {"a": 1}'],
    ["is not strict JSON", '{"name": "add", "arguments": {"a": 1,}}'],
    ["names an unknown tool", '{"name": "sub", "arguments": {}}'],
    ["has other keys for its parts", '{"tool": "add", "parameters": {}}'],
    ["has arguments of another type", '{"name": "add", "arguments": {"a": "1"}}'],
    ["has arguments that may wrap others", '{"name": "add", "arguments": {"args": {"a": 1}}}'],
    ["has its arguments before the name", '{"arguments": {}, "name": "add"}'],
    ["is a list", '[{"name": "add", "arguments": {}}]'],
    ["is empty", "{}"],
  ])("is left to the reader where it %s", (_, object) => expect(read(object)).toBeUndefined());

  test("is left to the reader where its last string may go on", () => {
    const call = '{"name": "say", "arguments": {"text": "a"}}';
    const tool = { name: "say", parameters: { properties: { text: { type: "string" } } } };
    const name = (after: string) => {
      const input = new Input();
      input.push(call + after);
      return wholeCall(jsonCall, { node, tools: ToolTable.of([tool]), name: undefined }, input, 0)?.name;
    };
    expect([name("</c>"), name("")]).toEqual(["say", undefined]);
  });

  test("is left to the reader inside several values that were not read whole", () => {
    const input = new Input();
    const text = '{"name": "add", "arguments": {}}</c>';
    input.push(`Hi: ${text}`);
    const call = () => wholeCall(jsonCall, { node, tools: ToolTable.of(tools), name: undefined }, input, 4);
    expect(call()?.name).toBe("add");
    for (let from = 0; from < 4; from++) input.notReadWhole(from, input.text.length);
    expect(call()).toBeUndefined();
  });
});
