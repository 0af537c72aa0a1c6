import { expect, test } from "vitest";
import { tools } from "../../../test/support/read.js";
import { createReplyParser } from "../../index.js";

const save = {
  name: "save",
  parameters: { type: "object", properties: { title: { type: "string" }, people: { type: "array" } } },
} as const;

test.each([
  ["the list's first bracket is missing", '"people": {"name": "Bo"}, {"name": "Cy"}]}}'],
  ["its last one comes too late", '"people": [{"name": "Bo"}}, {"name": "Cy"}]}}'],
  ["its key is missing", '{"name": "Bo", "age": 3}, {"name": "Cy"}]}}'],
])("a call does not run without the items of its list if %s", (_, rest) => {
  const reply = `<tool_call>{"name": "save", "arguments": {"title": "A", ${rest}</tool_call>`;
  for (const chunks of [[reply], [...reply]]) {
    const parser = createReplyParser({ protocol: "hermes", tools: [...tools, save] });
    const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
    expect(events.filter(({ type }) => type === "call-end")).toEqual([]);
    expect(events.find(({ type }) => type === "call-invalid")).toMatchObject({ call: { name: "save" } });
  }
});
