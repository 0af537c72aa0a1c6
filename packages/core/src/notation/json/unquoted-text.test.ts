import { expect, test } from "vitest";
import { createReplyParser } from "../../full/index.js";

const tools = [{ name: "f", parameters: { type: "object", properties: { a: {} } } }];

/** What an unquoted value that seems never to end is read as. */
function read(chunks: string[]) {
  const parser = createReplyParser({ protocol: "hermes", tools });
  const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
  return events.flatMap((event) => (event.type === "call-invalid" ? [event.call.error.message] : []));
}

test.each([980, 1000, 1020])(
  "text without quotes and a comma after %i characters read the same in any two chunks",
  (length) => {
    const reply = `<tool_call>{"name": "f", "arguments": {"a": true ${"x ".repeat(length / 2)}, 1 ${"y ".repeat(100)}}}`;
    const whole = read([reply]);
    for (let i = 1; i < reply.length; i++) expect(read([reply.slice(0, i), reply.slice(i)])).toEqual(whole);
  },
);
