import { expect, test } from "vitest";
import { readings } from "../../../test/support/readings.js";
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

const booked = (venue: string) =>
  `<tool_call>{"name": "book", "arguments": {"venue": ${venue}, "note": "x"}}</tool_call>`;

test.each([
  "find_hall()",
  "halls[0]",
  "halls[0].title",
  "hall.title.upper()",
  "first + last",
  "first+last",
  "total * 2",
  "total*2",
  "a - b",
  "a % b",
  "hall && room",
  "a || b",
  "a === b",
  "x => x",
  "hall?.title",
  "new Hall(3)",
  `\${hall}`,
  `the \${hall}`,
  "...",
  "guest.note",
  "x if y() else z",
  "f'{hall}' + x",
])("code without quotes makes no call: %s", (code) => {
  expect(readings(booked(code), "hermes")).toEqual(["malformed"]);
  const list = `<tool_call>{"name": "query", "arguments": {"filters": [${code.replace(".note", ".filters")}]}}</tool_call>`;
  expect(readings(list, "hermes")).toEqual(["malformed"]);
});

test("the error names the code", () => {
  const { invalidToolCalls } = parseReply('<tool_call>{"name": "f", "arguments": {"a": pick(3)}}</tool_call>', {
    tools,
  });
  expect(invalidToolCalls[0]?.error.message).toContain(
    "a value is an expression (pick(3)); write its value, in quotes if it is text",
  );
});

test.each([
  "Ulm",
  "Old Hall",
  "hall.example",
  "www.hall.example/a?b=c",
  "ann@hall.example",
  "2026-05-01",
  "12:30",
  "3.5 km",
  "50% off",
  "new hall (north)",
  "What?.ok",
  "Old Hall (north)",
  "tea and cake",
  "Ulm or Bonn",
  "C++",
  "1 * (2 + 3)",
  "2025 - 2026",
  "R&D",
  "wait...",
  "a/b",
  "e-mail",
  "cd src && make all",
  "$5",
  "東京",
  "Why (really)?",
])("text without quotes is read: %s", (venue) => {
  expect(readings(booked(venue), "hermes")).toEqual([["book", { venue, note: "x" }]]);
});
