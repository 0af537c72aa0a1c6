import { describe, expect, it } from "vitest";
import { createReplyParser, parseReply } from "../../index.js";

const tools = [
  { name: "search", parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] } },
];
const lengths = [1, 100, 190, 200, 205, 210, 220, 240, 255, 260, 300, 600, 5000];
const call = '"name": "search", "arguments": {"query": "a"}';

/** What is read of a reply, whole and in small chunks. */
function read(reply: string, protocol: "auto" | "hermes" | "llama3-json") {
  const { toolCalls, text } = parseReply(reply, { tools, protocol });
  const parser = createReplyParser({ tools, protocol });
  const events = [...(reply.match(/[\s\S]{1,7}/g) ?? []).flatMap((piece) => parser.push(piece)), ...parser.end()];
  const streamed = events.map((event) => (event.type === "text" ? event.text : "")).join("");
  const calls = events.filter(({ type }) => type === "call-end").length;
  expect([calls, streamed.trim()]).toEqual([toolCalls.length, text.trim()]);
  return { calls, isText: text.trim() === reply.trim() };
}

describe("an explanation of any length before a call's name", () => {
  it.each(["reasoning", "thought", "thoughts", "explanation", "analysis", "plan", "rationale"])("`%s`", (key) => {
    for (const protocol of ["auto", "hermes", "llama3-json"] as const)
      for (const length of lengths) {
        const reply = `{"${key}": "${"x ".repeat(length / 2)}", ${call}}`;
        expect([length, read(reply, protocol).calls]).toEqual([length, 1]);
      }
  });

  it.each([
    ["a record of a person", '"name": "Ada", "arguments": {}'],
    ["a record with a tool's name", '"name": "search", "price": 3'],
    ["a record without a name", '"answer": 42'],
  ])("does not make a call of %s", (_, rest) => {
    for (const protocol of ["auto", "hermes"] as const)
      for (const length of lengths)
        expect([length, read(`{"reasoning": "${"x ".repeat(length / 2)}", ${rest}}`, protocol)]).toEqual([
          length,
          { calls: 0, isText: true },
        ]);
  });
});
