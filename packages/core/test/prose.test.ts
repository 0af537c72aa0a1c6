import { describe, expect, test } from "vitest";
import { parseReply } from "../src/index.js";
import { protocolNames } from "./arbitraries.js";

// What people and models write about calls, reasoning and results is text, in every format.

const tools = [
  { name: "search", parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] } },
  { name: "now" },
];
const prose = [
  "Sure. Here are my reasoning steps:\n1. Add 2 and 3.\nSo the answer is 5.",
  "The <response>ok</response> is XML.",
  "The <think> tag wraps the reasoning of some models.",
  "Use <tool_call> tags to call a tool.",
  'Write `const tag = "<tool_call>";` in the first line.',
  "`@Override` marks a method.",
  "Mail ann@example.com, or @ann.",
  "Look under ## Return of functions.search: it is there.",
  "My action: search for it, and tell you now.",
  "A list such as [1, 2, 3] or {1, 2} is no call, nor is search(query).",
  'Data looks like {"name": "Ann", "age": 5} here.',
  "It is </think> that closes it.",
  "<b>Bold</b> and <i>italic</i>, 1 < 2 > 0 && true.",
];

/** Formats that mark reasoning or results by such words themselves. */
const wordy = new Set<string>(["apriel", "ernie", "minimax-m2", "minimax-m3", "kimi-k2"]);

describe.each(["auto" as const, ...protocolNames])("%s", (protocol) => {
  test.each(prose)("%j is text", (text) => {
    expect(parseReply(text, { tools, protocol })).toMatchObject({
      ...(wordy.has(protocol) ? {} : { text, reasoning: "" }),
      toolCalls: [],
      invalidToolCalls: [],
    });
  });

  test("a reasoning closer is dropped if the prompt opened the reasoning", () => {
    const reply = parseReply("Hm, 2 and 3.\n</think>\n\nIt is 5.", { tools, protocol });
    expect(reply.text.replace(/\s+/g, " ")).toBe("Hm, 2 and 3. It is 5.");
  });
});
