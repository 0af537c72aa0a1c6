import { describe, expect, test } from "vitest";
import { fromProvider, parsePml, toProvider } from "../src/index.js";

const bad = "a\u0000";
const pathsOf = ({ losses }: { losses: { path: string }[] }) => losses.map(({ path }) => path);

describe("a loss names its place in the request", () => {
  const question = { role: "user" as const, content: "Hi" };
  const answer = { role: "assistant" as const, content: "Ho" };

  test("of OpenAI", () => {
    const read = fromProvider({ messages: [question, answer, { role: "user", content: bad }] }, "openai");
    expect(pathsOf(read)).toEqual(["/messages/2"]);
  });

  test("of Anthropic, whose system text is not a message", () => {
    const messages = [question, answer, { role: "user" as const, content: bad }];
    expect(pathsOf(fromProvider({ system: "Be brief.", messages }, "anthropic"))).toEqual(["/messages/2"]);
    expect(pathsOf(fromProvider({ system: bad, messages: [question] }, "anthropic"))).toEqual(["/system"]);
  });

  test("of Responses and Gemini", () => {
    const input = [question, answer, { role: "user" as const, content: bad }];
    expect(pathsOf(fromProvider({ instructions: "Be brief.", input }, "openai-responses"))).toEqual(["/input/2"]);
    const contents = [
      { role: "user" as const, parts: [{ text: "Hi" }] },
      { role: "user" as const, parts: [{ text: bad }] },
    ];
    const systemInstruction = { parts: [{ text: "Be brief." }] };
    expect(pathsOf(fromProvider({ systemInstruction, contents }, "gemini"))[0]).toMatch(/^\/contents(?:\/1)?$/);
  });
});

test("a tool without parameters is no loss", () => {
  const tools = [{ type: "function" as const, function: { name: "now" } }];
  expect(fromProvider({ messages: [], tools }, "openai").losses).toEqual([]);
});

test("signed thoughts of Anthropic keep their signatures, and hidden ones are reported", () => {
  const messages = [
    { role: "user" as const, content: "Hi" },
    {
      role: "assistant" as const,
      content: [
        { type: "thinking" as const, thinking: "I greet.", signature: "sig" },
        { type: "redacted_thinking" as const, data: "x" },
        { type: "text" as const, text: "Ho" },
      ],
    },
  ];
  const { value, losses } = fromProvider({ messages }, "anthropic");
  expect(value.conversation?.turns[0]?.messages[1]).toEqual({
    type: "assistant",
    parts: [
      { type: "thinking", signature: "sig", text: "I greet." },
      { type: "text", text: "Ho" },
    ],
  });
  expect(losses).toMatchObject([{ path: "/messages/1", what: "redacted_thinking" }]);
  expect(toProvider(value, "anthropic").losses.map(({ what }) => what)).toContain("signature");
});

test("a call without a name gets one, which is a loss", () => {
  const call = '<conversation><turn index="1"><assistant><call name="" id="c1"/></assistant></turn></conversation>';
  const { value, losses } = toProvider(parsePml(`<pml version="1">${call}</pml>`), "openai");
  expect(JSON.stringify(value)).toContain('"name":"unknown"');
  const path = "/conversation/turns/0/messages/0/parts/0/name";
  expect(losses).toEqual([{ path, what: "name", why: "is empty, and was made" }]);
});
