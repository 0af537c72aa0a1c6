import type { ChatMessage } from "@llamaindex/core/llms";
import { FunctionTool } from "@llamaindex/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { withToolCalling } from "../src/index.js";
import { ScriptedLLM } from "./scripted-llm.js";

const responseFormat = z.object({ sum: z.number() });
const messages: ChatMessage[] = [{ role: "user", content: "What is 2 + 3?" }];
const double = FunctionTool.from(({ n }: { n: number }) => n * 2, {
  name: "double",
  description: "Doubles a number",
  parameters: z.object({ n: z.number() }),
});

const plain = '{"sum": 5}';
const replies = [
  plain,
  `\`\`\`json\n${plain}\n\`\`\``,
  `It is ${plain}.`,
  `Sure {so}:\n\`\`\`\n${plain}\n\`\`\`\nYes?`,
];

describe.each(replies)("plain JSON that matches the response format: %s", (reply) => {
  const wrap = () => {
    const inner = new ScriptedLLM({ replies: [reply] });
    return { inner, llm: withToolCalling(inner) };
  };

  it("is exec's object, at the first request", async () => {
    const { inner, llm } = wrap();
    for (const stream of [false, true]) {
      const params = { messages, responseFormat };
      const { object } = stream ? await llm.exec({ ...params, stream }) : await llm.exec(params);
      expect(object).toEqual({ sum: 5 });
    }
    expect(inner.requests).toHaveLength(2);
  });

  it("is the object next to tools too", async () => {
    expect((await wrap().llm.exec({ messages, responseFormat, tools: [double] })).object).toEqual({ sum: 5 });
  });

  it("is the answer of chat and complete", async () => {
    const { llm } = wrap();
    const expected = { sum: 5 };
    for (const tools of [[], [double]]) {
      const { message } = await llm.chat({ messages, responseFormat, tools });
      expect(JSON.parse(message.content as string)).toEqual(expected);
    }
    expect(JSON.parse((await llm.complete({ prompt: "2 + 3?", responseFormat })).text)).toEqual(expected);
  });
});

it("is not used if it is ambiguous", async () => {
  const llm = withToolCalling(new ScriptedLLM({ replies: [`${plain} or {"sum": 6}`] }));
  expect((await llm.exec({ messages, responseFormat })).object).toBeUndefined();
});

it("is not used if one of its numbers would lose digits", async () => {
  const llm = withToolCalling(new ScriptedLLM({ replies: ['It is {"sum": 12345678901234567890}.'] }));
  expect((await llm.exec({ messages, responseFormat })).object).toBeUndefined();
});
