import { describe, expect, test } from "vitest";
import { fromAiSdk, fromLangChain, fromLlamaIndex, fromPoml, type PmlDocument } from "../src/index.js";

const messagesOf = (document: PmlDocument) => document.conversation?.turns.flatMap(({ messages }) => messages);
const call = { type: "call", id: "t1", name: "w", arguments: { a: 1 } };
const use = { type: "tool_use", id: "t1", name: "w", input: { a: 1 } };

describe("calls in the content of a message", () => {
  test.each([
    ["langchain", fromLangChain, use],
    ["langchain, standard block", fromLangChain, { type: "tool_call", id: "t1", name: "w", args: { a: 1 } }],
    ["ai-sdk", fromAiSdk, use],
    ["llamaindex", fromLlamaIndex, { type: "tool_call", id: "t1", name: "w", input: '{"a":1}' }],
  ])("%s: are read if nothing else contains them", (_name, read, part) => {
    const { value, losses } = read([{ role: "assistant", content: [{ type: "text", text: "a" }, part] }]);
    expect(messagesOf(value)).toEqual([{ type: "assistant", parts: [{ type: "text", text: "a" }, call] }]);
    expect(losses).toEqual([]);
  });

  test.each([
    ["langchain", fromLangChain, { tool_calls: [{ type: "tool_call", id: "t1", name: "w", args: { a: 1 } }] }],
    ["llamaindex", fromLlamaIndex, { options: { toolCall: [{ id: "t1", name: "w", input: { a: 1 } }] } }],
  ])("%s: are read once if the message contains them too", (_name, read, more) => {
    const { value, losses } = read([{ role: "assistant", content: [use], ...more }]);
    expect(messagesOf(value)).toEqual([{ type: "assistant", parts: [call] }]);
    expect(losses).toEqual([]);
  });

  test("keep the digits that a number does not, and report it", () => {
    const input = '{"a":12345678901234567890}';
    const { value, losses } = fromLlamaIndex([
      { role: "assistant", content: [{ type: "tool_call", id: "t1", name: "w", input }] },
    ]);
    expect(messagesOf(value)).toMatchObject([{ parts: [{ arguments: { a: "12345678901234567890" } }] }]);
    expect(losses).toMatchObject([{ path: "/0/content/0", what: "12345678901234567890" }]);
  });

  test("are reported if they are incomplete, or a user's", () => {
    const broken = fromLangChain([{ role: "assistant", content: [{ ...use, input: '{"a":' }] }]);
    expect(broken.losses).toMatchObject([{ path: "/0/content/0", what: "tool_use" }]);
    const users = fromAiSdk([
      { role: "user", content: [{ type: "tool-call", toolCallId: "1", toolName: "w", input: {} }] },
    ]);
    expect(users.losses).toMatchObject([{ path: "/0/content/0", what: "tool-call" }]);
  });
});

describe("results of LlamaIndex", () => {
  const read = (result: unknown, content: unknown) => {
    const { value, losses } = fromLlamaIndex([
      { role: "user", content, options: { toolResult: { id: "1", result, isError: false } } },
    ]);
    return { output: messagesOf(value)?.[0], losses: losses.map(({ what }) => what) };
  };
  const image = { type: "image_url", image_url: { url: "https://a.example/b.png" } };

  test("keep the images of the content", () => {
    expect(read("4", [{ type: "text", text: "4" }, image])).toMatchObject({
      output: { type: "tool_output", call: "1", text: "4", attachments: [{ url: "https://a.example/b.png" }] },
      losses: [],
    });
  });

  test("keep a text that differs", () => {
    expect(read("4", "It is 4.")).toMatchObject({ output: { text: "4\nIt is 4." }, losses: ["parts"] });
    expect(read("4", "4")).toMatchObject({ output: { text: "4" }, losses: [] });
    expect(read(undefined, "4")).toMatchObject({ output: { text: "4" }, losses: [] });
  });

  test("that are data are written as JSON", () => {
    expect(read({ a: 1 }, "")).toMatchObject({ output: { text: '{"a":1}' }, losses: ["json"] });
  });
});

test("names of JavaScript's own properties are not roles or elements", () => {
  for (const role of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
    expect(() => fromLangChain([{ role, content: "x" }])).toThrow("a message of the type system, human, ai or tool");
    expect(() => fromLangChain([{ type: role, data: { content: "x" } }])).toThrow("a message of the type");
    const { value, losses } = fromPoml(`<poml><${role}>hi</${role}></poml>`);
    expect(value).toEqual({ version: "1" });
    expect(losses).toMatchObject([{ path: "/poml/0", what: `<${role}>` }]);
  }
});
