import { expect, test } from "vitest";
import { parseReply } from "../../index.js";

const tools = [
  { name: "plot", parameters: { type: "object", properties: { at: { type: "array", items: { type: "number" } } } } },
  { name: "look", parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] } },
];
const errorOf = (name: string, args: string) =>
  parseReply(`<tool_call>{"name": "${name}", "arguments": ${args}}</tool_call>`, { protocol: "hermes", tools })
    .invalidToolCalls[0]?.error;

const MANY = 50_000;

test("a call with many numbers that are too large is refused in linear time", { timeout: 30_000 }, () => {
  const numbers = Array.from({ length: MANY }, () => "1e400").join();
  expect(errorOf("plot", `{"at": [${numbers}]}`)).toMatchObject({ code: "invalid-arguments", ambiguous: true });
});

test("a call with many keys beside its wrapped arguments is refused in linear time", { timeout: 30_000 }, () => {
  const keys = Array.from({ length: MANY }, (_, i) => `"k${i}": 1`).join();
  expect(errorOf("look", `{"args": {"city": "Ulm"}, ${keys}}`)).toMatchObject({ code: "invalid-arguments" });
});
