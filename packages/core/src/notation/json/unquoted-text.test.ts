import { expect, test } from "vitest";
import { createReplyParser, parseReply } from "../../full/index.js";
import { protocols } from "../../protocols/index.js";

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

const places = [{ name: "f", parameters: { type: "object", properties: { city: {}, days: { type: "integer" } } } }];
const words = ["New York", "San Francisco, CA", "Why (really)?", "東京 駅", "I'm here, now"];

test.each(["gemma4", "functiongemma"] as const)("%s reads words whose tokens of a string are missing", (protocol) => {
  const marked = protocols[protocol].renderCalls([{ name: "f", arguments: { city: "@", days: 3 } }], { tools: places });
  for (const city of words) {
    for (const reply of [`call:f{city:${city},days:3}`, marked.replace(/<[^<]*>@<[^<]*>/, city)]) {
      const whole = parseReply(reply, { protocol, tools: places });
      expect(whole.toolCalls).toMatchObject([{ name: "f", arguments: { city, days: 3 } }]);
      const parser = createReplyParser({ protocol, tools: places });
      const events = [...[...reply].flatMap((char) => parser.push(char)), ...parser.end()];
      expect(events.flatMap((event) => (event.type === "call-end" ? [event.call.arguments] : []))).toEqual([
        { city, days: 3 },
      ]);
    }
  }
});

test.each(["u'abc'", "r'abc'", "f'hi {x}'", "b'abc'", "Rb'abc'"])(
  "a prefix of Python before a string is no word: %s",
  (text) => {
    for (const reply of [`<tool_call>{"name": "f", "arguments": {"city": ${text}}}</tool_call>`])
      expect(parseReply(reply, { protocol: "hermes", tools: places }).toolCalls).toEqual([]);
  },
);
