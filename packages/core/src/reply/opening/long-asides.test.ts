import { describe, expect, it } from "vitest";
import { createReplyParser, parseReply } from "../../index.js";

const tools = [
  { name: "search", parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] } },
];
const lengths = [1, 100, 190, 200, 205, 210, 220, 240, 255, 260, 300, 600, 3800];
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

describe("an explanation of up to 4,000 characters before a call's name", () => {
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
      for (const length of [...lengths, 5000])
        expect([length, read(`{"reasoning": "${"x ".repeat(length / 2)}", ${rest}}`, protocol)]).toEqual([
          length,
          { calls: 0, isText: true },
        ]);
  });

  it("leaves an answer in JSON in the text of a format that is bare JSON", () => {
    for (const protocol of ["llama3-json", "json-list", "pythonic", "glm4", "kimi-k2"] as const)
      for (const length of [...lengths, 5000])
        for (const key of ["reasoning", "thought", "id"]) {
          const reply = `{"${key}": "${"x ".repeat(length / 2)}", "answer": 42}`;
          const { text, toolCalls, invalidToolCalls } = parseReply(reply, { tools, protocol });
          expect([protocol, length, text, toolCalls, invalidToolCalls]).toEqual([protocol, length, reply, [], []]);
        }
  });
});
