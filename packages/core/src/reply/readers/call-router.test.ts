import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createReplyParser } from "../../full/index.js";
import { collectReply } from "../index.js";

const tools = [{ name: "add", parameters: { type: "object", properties: { a: { type: "integer" } } } }];

const read = (chunks: readonly string[]) => {
  let ids = 0;
  const parser = createReplyParser({ protocol: "hermes", tools, generateId: () => `${ids++}` });
  return collectReply([...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()]);
};
const callsOf = (json: string) => read([`<tool_call>${json}</tool_call>`]).toolCalls.map((call) => call.arguments);

describe("a call's object", () => {
  test.each([
    ['{"tool_calls": [{"name": "add", "arguments": {"a": 1}}, {"name": "add", "arguments": {"a": 2}}]}', 2],
    ['{"calls": [{"function": {"name": "add", "arguments": {"a": 1}}}], "note": "x"}', 1],
    ['{"tool_calls": []}', 0],
  ])("may be in a list inside another: %s", (json, count) => {
    expect(callsOf(json)).toEqual([{ a: 1 }, { a: 2 }].slice(0, count));
  });

  test("is not split where its arguments contain a list of that name", () => {
    expect(callsOf('{"name": "add", "arguments": {"a": 1, "tool_calls": [{"name": "add"}]}}')).toEqual([
      { a: 1, tool_calls: [{ name: "add" }] },
    ]);
  });

  test.each(["tool", "tool_name", "function", "action"])(
    "with another format's keys has a repair, in any chunks: %s",
    (name) => {
      const text = `<tool_call>${JSON.stringify({ [name]: "add", action_input: { a: 1 } })}</tool_call>`;
      const whole = read([text]);
      expect(whole.toolCalls).toMatchObject([{ arguments: { a: 1 }, repairs: [{ code: "renamed-key" }] }]);
      expect(read([...text])).toEqual(whole);
      const named = text.replace("action_input", "arguments");
      expect(read([named]).toolCalls).toMatchObject([{ repairs: [{ code: "renamed-key" }] }]);
      expect(read([...named])).toEqual(read([named]));
    },
  );

  test("of any shape is read without an error, the same in any chunks", () => {
    const key = fc.constantFrom(
      "name",
      "arguments",
      "parameters",
      "function",
      "tool_calls",
      "calls",
      "action",
      "a",
      "x",
    );
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<unknown>("add", 1, null, true),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.array(fc.tuple(key, tie("value")), { maxLength: 4 }).map(Object.fromEntries),
      ),
    }));
    fc.assert(
      fc.property(value, fc.boolean(), (json, bare) => {
        const text = bare ? JSON.stringify(json) : `<tool_call>${JSON.stringify(json)}</tool_call>`;
        expect(read([...text])).toEqual(read([text]));
      }),
      { numRuns: 1000 },
    );
  });
});
