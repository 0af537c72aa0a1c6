import {
  hermesToolMiddleware,
  morphXmlToolMiddleware,
  qwen3CoderToolMiddleware,
  yamlXmlToolMiddleware,
} from "@ai-sdk-tool/parser";
import { type LanguageModelMiddleware, stepCountIs, streamText, tool, wrapLanguageModel } from "ai";
import { expect, it } from "vitest";
import { z } from "zod";
import { toolCallingMiddleware } from "../../src/index.js";
import { ScriptedModel } from "../scripted-model.js";

// The quick start of the peer's README, and the same with its middleware replaced as docs/from-ai-sdk-tool-parser.md says.

const replaced: [name: string, theirs: LanguageModelMiddleware, ours: LanguageModelMiddleware, reply: string][] = [
  [
    "hermesToolMiddleware",
    hermesToolMiddleware,
    toolCallingMiddleware({ protocol: "hermes" }),
    '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Seoul"}}\n</tool_call>',
  ],
  [
    "morphXmlToolMiddleware",
    morphXmlToolMiddleware,
    toolCallingMiddleware({ protocol: "xml" }),
    "<get_weather>\n<city>Seoul</city>\n</get_weather>",
  ],
  [
    "yamlXmlToolMiddleware",
    yamlXmlToolMiddleware,
    toolCallingMiddleware({ protocol: "yaml" }),
    "<get_weather>\ncity: Seoul\n</get_weather>",
  ],
  [
    "qwen3CoderToolMiddleware",
    qwen3CoderToolMiddleware,
    toolCallingMiddleware({ protocol: "qwen3-coder" }),
    "<tool_call>\n<function=get_weather>\n<parameter=city>\nSeoul\n</parameter>\n</function>\n</tool_call>",
  ],
];

async function quickStart(middleware: LanguageModelMiddleware, reply: string) {
  const answer = "It is sunny in Seoul, at 23 degrees.";
  const inner = new ScriptedModel({ replies: [reply, answer] });
  const result = streamText({
    model: wrapLanguageModel({ model: inner, middleware }),
    stopWhen: stepCountIs(4),
    prompt: "What is the weather in Seoul?",
    tools: {
      get_weather: tool({
        description: "Get weather by city name",
        inputSchema: z.object({ city: z.string() }),
        execute: async ({ city }) => ({ city, condition: "sunny", celsius: 23 }),
      }),
    },
  });
  const seen: string[] = [];
  const results: unknown[] = [];
  for await (const part of result.fullStream) {
    if (/^tool-|^text-/.test(part.type) && part.type !== seen.at(-1)) seen.push(part.type);
    if (part.type === "tool-result") results.push(part.output);
  }
  return { seen, results, text: await result.text, told: inner.text(1) };
}

it.each(replaced)("the quick start runs with %s replaced", async (_, theirs, ours, reply) => {
  const [before, now] = [await quickStart(theirs, reply), await quickStart(ours, reply)];
  expect(now.results).toEqual([{ city: "Seoul", condition: "sunny", celsius: 23 }]);
  expect(now.seen).toEqual([
    ...["tool-input-start", "tool-input-delta", "tool-input-end", "tool-call", "tool-result"],
    ...["text-start", "text-delta", "text-end"],
  ]);
  expect({ results: before.results, text: before.text }).toEqual({ results: now.results, text: now.text });
  expect(now.told).toContain("celsius");
});
