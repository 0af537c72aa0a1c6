import {
  createToolMiddleware,
  hermesProtocol,
  hermesToolMiddleware,
  morphXmlToolMiddleware,
  qwen3CoderProtocol,
  qwen3CoderToolMiddleware,
  uiTarsXmlProtocol,
  yamlXmlToolMiddleware,
} from "@ai-sdk-tool/parser";
import { defineProtocol, protocols } from "@toolingua/core";
import { type LanguageModelMiddleware, stepCountIs, streamText, type ToolSet, tool, wrapLanguageModel } from "ai";
import { expect, it } from "vitest";
import { z } from "zod";
import { toolCallingMiddleware } from "../../src/index.js";
import { ScriptedModel } from "../scripted-model.js";

// The scenarios of the peer's README, those of its documentation that have options of their own, and the same with its
// middleware replaced as docs/from-ai-sdk-tool-parser.md says.

const qwenCall =
  "<tool_call>\n<function=get_weather>\n<parameter=city>\nSeoul\n</parameter>\n</function>\n</tool_call>";
const template = (tools: unknown) => `Use these tools and emit <tool_call> blocks only: ${JSON.stringify(tools)}`;
/** The peer's README leaves the second template out; without it its middleware fails at the first result. */
const templates = {
  toolSystemPromptTemplate: template,
  toolResponsePromptTemplate: (result: unknown) => JSON.stringify(result),
};

const [open, close] = ["[CALL]\n", "\n[/CALL]"];
const { hermes } = protocols;
const marked = defineProtocol({
  ...hermes,
  syntax: { ...hermes.syntax, call: [open, ...hermes.syntax.call.slice(1, -1), close] },
});
const json = '{"name": "get_weather", "arguments": {"city": "Seoul"}}';
/** The fence in which Gemma was asked to call by an earlier version. */
const fence = ["```tool_call\n", "\n```"] as const;

const replaced: [name: string, theirs: LanguageModelMiddleware, ours: LanguageModelMiddleware, reply: string][] = [
  [
    "hermesToolMiddleware",
    hermesToolMiddleware,
    toolCallingMiddleware({ protocol: "hermes" }),
    `<tool_call>\n${json}\n</tool_call>`,
  ],
  [
    "morphXmlToolMiddleware",
    morphXmlToolMiddleware,
    toolCallingMiddleware({ protocol: "tool-tags" }),
    "<get_weather>\n<city>Seoul</city>\n</get_weather>",
  ],
  [
    "yamlXmlToolMiddleware",
    yamlXmlToolMiddleware,
    toolCallingMiddleware({ protocol: "yaml" }),
    "<get_weather>\ncity: Seoul\n</get_weather>",
  ],
  ["qwen3CoderToolMiddleware", qwen3CoderToolMiddleware, toolCallingMiddleware({ protocol: "qwen3-coder" }), qwenCall],
  [
    "uiTarsXmlProtocol",
    createToolMiddleware({ protocol: uiTarsXmlProtocol, ...templates }),
    toolCallingMiddleware({ protocol: "qwen3-coder" }),
    qwenCall,
  ],
  [
    "markers of one's own",
    createToolMiddleware({ protocol: hermesProtocol({ toolCallStart: open, toolCallEnd: close }), ...templates }),
    toolCallingMiddleware({ protocol: marked }),
    open + json + close,
  ],
  [
    "a call in a fence",
    createToolMiddleware({
      protocol: hermesProtocol({ toolCallStart: fence[0], toolCallEnd: fence[1] }),
      ...templates,
    }),
    toolCallingMiddleware({ protocol: "hermes" }),
    fence[0] + json + fence[1],
  ],
  [
    "a template of one's own",
    createToolMiddleware({ protocol: qwen3CoderProtocol, ...templates }),
    toolCallingMiddleware({ protocol: defineProtocol({ ...protocols["qwen3-coder"], renderTools: template }) }),
    qwenCall,
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
  return { seen, results, text: await result.text, asked: inner.text(0), told: inner.text(1) };
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

it("a custom template is shown to the model", async () => {
  const middleware = toolCallingMiddleware({
    protocol: defineProtocol({ ...protocols["qwen3-coder"], renderTools: template }),
  });
  expect((await quickStart(middleware, qwenCall)).asked).toContain(
    'Use these tools and emit <tool_call> blocks only: [{"name"',
  );
});

const tools: ToolSet = { get_weather: { inputSchema: z.object({ city: z.string() }) } };
const prompt = "What is the weather in Seoul?";

it("the parts of a streamed input and its call have the same id, and join to its input", async () => {
  const inner = new ScriptedModel({ replies: [qwenCall] });
  const middleware = toolCallingMiddleware({ protocol: "qwen3-coder" });
  const { fullStream } = streamText({ model: wrapLanguageModel({ model: inner, middleware }), tools, prompt });
  const ids: string[] = [];
  let deltas = "";
  for await (const part of fullStream) {
    if (part.type === "tool-input-delta") deltas += part.delta;
    if (part.type === "tool-input-start" || part.type === "tool-input-delta" || part.type === "tool-input-end")
      ids.push(part.id);
    if (part.type === "tool-call") ids.push(part.toolCallId);
  }
  expect(new Set(ids).size).toBe(1);
  expect(JSON.parse(deltas)).toEqual({ city: "Seoul" });
});

it("markup of a broken call is not text, and is reported to `onError`", async () => {
  const broken = qwenCall.replace("=get_weather>", "=get_wether>");
  const traced: string[] = [];
  const inner = new ScriptedModel({ replies: [`One moment.\n${broken}`] });
  const middleware = toolCallingMiddleware({
    protocol: "qwen3-coder",
    onInvalidCall: "surface",
    onTrace: (event) => {
      if (event.type === "event" && event.event.type === "call-invalid") traced.push(event.event.call.error.message);
    },
  });
  const result = streamText({ model: wrapLanguageModel({ model: inner, middleware }), tools, prompt });
  expect(await result.text).toBe("One moment.");
  const [call] = await result.toolCalls;
  expect(call).toMatchObject({ invalid: true, toolName: "get_wether" });
  expect(call?.providerMetadata?.toolingua?.invalid).toMatchObject({ code: "unknown-tool", raw: broken });
  expect(traced).toEqual(['There is no tool named "get_wether". Did you mean "get_weather"?']);
});

it("the text of a reply and its calls can be captured, as by `debugSummary`", async () => {
  const captured: unknown[] = [];
  const inner = new ScriptedModel({ replies: [`One moment.\n${qwenCall}`] });
  const middleware = toolCallingMiddleware({
    protocol: "qwen3-coder",
    onTrace: (event) => {
      if (event.type === "reply") captured.push(event.raw);
      if (event.type === "event" && event.event.type === "call-end") captured.push(event.event.call.arguments);
    },
  });
  await streamText({ model: wrapLanguageModel({ model: inner, middleware }), tools, prompt }).consumeStream();
  expect(captured).toEqual(expect.arrayContaining([`One moment.\n${qwenCall}`, { city: "Seoul" }]));
});
