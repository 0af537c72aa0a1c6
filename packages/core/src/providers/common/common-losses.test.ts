import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../../types.js";
import { anthropic, gemini, openai, openaiFunctions, openaiResponses } from "../index.js";

const formats = [openai, openaiFunctions, openaiResponses, anthropic, gemini];
const tool = { name: "now", parameters: { type: "object", properties: {} } };
const call = { id: "1", name: "now", arguments: {} };
const asked: ChatMessage[] = [
  { role: "user", content: "What time is it?" },
  { role: "assistant", content: "", toolCalls: [call] },
];
const result: ChatMessage = { role: "tool", toolCallId: "1", name: "now", content: "noon" };
const textOf = (losses: readonly { what: string; why: string }[]) =>
  losses.map(({ what, why }) => `${what}: ${why}`).join("\n");

describe.each(formats.map((format) => [format.name, format] as const))("%s reports", (_, format) => {
  it("two tools of one name, written and read", () => {
    const expected = /name: another tool is named "now"/;
    const written = format.toTools([tool, tool]);
    expect(textOf(written.losses)).toMatch(expected);
    expect(textOf(format.fromTools(written.value as never).losses)).toMatch(expected);
    const request = format.toRequest({ messages: asked.slice(0, 1), tools: [tool, tool] });
    expect(textOf(request.losses)).toMatch(expected);
    expect(textOf(format.fromRequest(request.value as never).losses)).toMatch(expected);
    expect(textOf(format.toTools([tool, { ...tool, name: "then" }]).losses)).not.toMatch(expected);
  });

  it("a misspelt field of a request, with the one that is meant, and no setting of the model", () => {
    const { value } = format.toRequest({ messages: [...asked, result] });
    const settings = { model: "m", temperature: 1, top_k: 5, stream: true, metadata: {}, max_tokens: 9 };
    expect(textOf(format.fromRequest({ ...value, ...settings } as never).losses)).not.toContain("Did you mean");
    const { losses } = format.fromRequest({ ...value, tols: [tool] } as never);
    expect(losses).toContainEqual({ path: "/tols", what: "tols", why: 'is not read. Did you mean "tools"?' });
  });

  it("a call that nobody answers before the conversation goes on", () => {
    const expected = /result: the call has no result/;
    const goesOn: ChatMessage = { role: "user", content: "Well?" };
    const written = format.toRequest({ messages: [...asked, goesOn] });
    expect(textOf(written.losses)).toMatch(expected);
    expect(written.losses.find(({ what }) => what === "result")?.path).toBe("/messages/1");
    expect(textOf(format.fromRequest(written.value as never).losses)).toMatch(expected);
    for (const messages of [asked, [...asked, result], [...asked, result, goesOn], [...asked, goesOn, result]]) {
      const fine = format.toRequest({ messages });
      expect(textOf(fine.losses)).not.toMatch(expected);
      expect(textOf(format.fromRequest(fine.value as never).losses)).not.toMatch(expected);
    }
  });
});

it("reports that a conversation has no place for one call at a time", () => {
  const messages = [{ role: "user", content: "Hi" }];
  for (const { losses } of [
    openai.fromRequest({ messages, parallel_tool_calls: false } as never),
    openaiResponses.fromRequest({ input: "Hi", parallel_tool_calls: false } as never),
  ]) {
    expect(losses).toMatchObject([{ path: "/parallel_tool_calls", why: expect.stringContaining("parallel: false") }]);
  }
  expect(openai.fromRequest({ messages, parallel_tool_calls: true } as never).losses).toEqual([]);
});
