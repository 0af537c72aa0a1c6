// Run by ai-sdk-7.verify.mjs on Node.js 22, in a folder with `ai` 7 and Mastra. The first argument is the built package.
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { generateText, isStepCount, Output, streamText, ToolLoopAgent, tool, wrapLanguageModel } from "ai";
import { z } from "zod";

const { toolCallingMiddleware, withToolCalling } = await import(pathToFileURL(process.argv[2]).href);

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};
const finishReason = { unified: "stop", raw: "stop" };

/** A model of either version that writes these replies. */
function scripted(specificationVersion, ...replies) {
  const calls = [];
  const next = (options) => {
    calls.push(options);
    return replies[calls.length - 1];
  };
  const parts = (text) => [
    { type: "stream-start", warnings: [] },
    { type: "text-start", id: "0" },
    ...[...text].map((delta) => ({ type: "text-delta", id: "0", delta })),
    { type: "text-end", id: "0" },
    { type: "finish", finishReason, usage },
  ];
  return {
    ...{ calls, specificationVersion, provider: "scripted.chat", modelId: "scripted", supportedUrls: {} },
    doGenerate: async (options) => {
      const content = [{ type: "text", text: next(options) }];
      return { content, finishReason, usage, warnings: [] };
    },
    doStream: async (options) => ({ stream: ReadableStream.from(parts(next(options))) }),
  };
}

const schema = z.object({ a: z.number(), b: z.number() });
const add = tool({ description: "Adds", inputSchema: schema, execute: ({ a, b }) => a + b });
const replies = ['<tool_call>\n{"name": "add", "arguments": {"a": 2, "b": 3}}\n</tool_call>', "It is 5."];
const asked = { tools: { add }, stopWhen: isStepCount(4), prompt: "2 + 3?" };
const done = [];

for (const version of ["v3", "v4"]) {
  const model = () => withToolCalling(scripted(version, ...replies), { protocol: "hermes" });
  assert.equal(model().specificationVersion, version);
  assert.equal((await generateText({ model: model(), ...asked })).text, "It is 5.");
  const streamed = streamText({ model: model(), ...asked });
  let deltas = "";
  for await (const part of streamed.fullStream)
    if (part.type === "tool-input-delta") deltas += part.delta ?? part.inputTextDelta;
  assert.deepEqual(JSON.parse(deltas), { a: 2, b: 3 });
  assert.deepEqual(
    (await streamed.steps).map((step) => step.finishReason),
    ["tool-calls", "stop"],
  );
  done.push(`generateText and streamText with a model of version ${version}`);
}

const middleware = toolCallingMiddleware({ protocol: "hermes" });
const wrapped = wrapLanguageModel({ model: scripted("v4", ...replies), middleware });
assert.equal(
  (await new ToolLoopAgent({ model: wrapped, tools: { add } }).generate({ prompt: "2 + 3?" })).text,
  "It is 5.",
);
done.push("ToolLoopAgent with the middleware");

const seeing = scripted("v4", "A cat.");
const image = { type: "file", mediaType: "image/png", data: new Uint8Array([1, 2]) };
await generateText({
  model: withToolCalling(seeing),
  tools: { add },
  messages: [{ role: "user", content: [{ type: "text", text: "What is it?" }, image] }],
});
assert.deepEqual(seeing.calls[0].prompt.at(-1).content[1].data, { type: "data", data: image.data });
done.push("files of version 4");

// What only version 4 has: the connection is kept alive, and content has a provider's own types and citations.
const source = { type: "source", sourceType: "url", id: "1", url: "https://example.com" };
const compaction = { type: "custom", kind: "openai.compaction" };
const cited = { text: "It is warm there.", citations: [{ source }] };
const keptAlive = {
  ...scripted("v4"),
  doGenerate: async () => ({ content: [{ type: "text", ...cited }, compaction], finishReason, usage, warnings: [] }),
  doStream: async () => ({
    stream: ReadableStream.from([
      { type: "text-start", id: "0" },
      ...[...cited.text].flatMap((delta) => [{ type: "text-delta", id: "0", delta }, { type: "ping" }]),
      { type: "text-end", id: "0", citations: cited.citations },
      compaction,
      { type: "finish", finishReason, usage },
    ]),
  }),
};
const warm = { model: withToolCalling(keptAlive), tools: { add }, prompt: "And?" };
for (const { content } of [await generateText(warm), { content: await streamText(warm).content }])
  assert.partialDeepStrictEqual(content, [{ type: "text", ...cited }, compaction]);
done.push("content of version 4");

const answer = await generateText({
  model: withToolCalling(scripted("v4", '```json\n{"a": "1", "b": 2}\n```')),
  output: Output.object({ schema }),
  prompt: "Two numbers.",
});
assert.deepEqual(answer.output, { a: 1, b: 2 });
done.push("Output.object");

for (const version of ["v3", "v4"]) {
  const ran = [];
  const execute = async (input) => {
    ran.push(input);
    return { sum: 5 };
  };
  const tools = { add: createTool({ id: "add", description: "Adds", inputSchema: schema, execute }) };
  const model = withToolCalling(scripted(version, ...replies), { protocol: "hermes" });
  const agent = new Agent({ id: "adder", name: "adder", instructions: "Be brief.", model, tools });
  assert.equal((await agent.generate("2 + 3?")).text, "It is 5.");
  assert.deepEqual(ran, [{ a: 2, b: 3 }]);
  done.push(`Mastra's Agent with a model of version ${version}`);
}
for (const each of done) console.log(`  ${each}`);
process.exit();
