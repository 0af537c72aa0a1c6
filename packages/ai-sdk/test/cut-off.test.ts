import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { generateText, stepCountIs, streamText, tool } from "ai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { withToolCalling } from "../src/index.js";
import { ScriptedModel } from "./scripted-model.js";

// A stream that ends cleanly before the model has: the server died, and a proxy closed the connection properly.

let events: object[] = [];
const server = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`);
  response.end();
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => void server.close());

const ran: unknown[] = [];
beforeEach(() => {
  ran.length = 0;
});
const send = tool({
  inputSchema: z.object({ to: z.string().optional(), dry_run: z.boolean().optional() }),
  execute: (args) => {
    ran.push(args);
    return "sent";
  },
});
const half = "<tool_call>\n<function=send>\n<parameter=to>\nbob\n</parameter>\n";
const whole = `${half}</function>\n</tool_call>`;
type Part = LanguageModelV3StreamPart;
/** A model whose stream ends with these parts in place of its `finish`. */
const endingWith = (end: (finish: Extract<Part, { type: "finish" }>) => Part[]) => (reply: string) =>
  new (class extends ScriptedModel {
    override async doStream(call: LanguageModelV3CallOptions) {
      const { stream, ...rest } = await super.doStream(call);
      const ended = new TransformStream<Part, Part>({
        transform(part, controller) {
          for (const one of part.type === "finish" ? end(part) : [part]) controller.enqueue(one);
        },
      });
      return { ...rest, stream: stream.pipeThrough(ended) };
    }
  })({ replies: [reply] });

const models: Record<string, (reply: string) => LanguageModelV3> = {
  "a stream of openai-compatible's completions without a finish reason": (text) => {
    events = [{ id: "a", choices: [{ index: 0, text, finish_reason: null }] }];
    const { port } = server.address() as AddressInfo;
    const local = createOpenAICompatible({ name: "local", baseURL: `http://127.0.0.1:${port}/v1` });
    return local.completionModel("qwen3-coder");
  },
  "a stream whose finish reason is unknown": endingWith((finish) => [
    { ...finish, finishReason: { unified: "other", raw: undefined } },
  ]),
  "a stream without a finish part": endingWith(() => []),
};

async function run(reply: string, model: LanguageModelV3) {
  const result = streamText({
    model: withToolCalling(model, { protocol: "qwen3-coder" }),
    tools: { send },
    prompt: "Go.",
    stopWhen: stepCountIs(1),
    onError() {},
  });
  return { reply, calls: await result.toolCalls, reason: await result.finishReason, text: await result.text };
}

describe.each(Object.entries(models))("%s", (_, modelOf) => {
  it("has no call without its end: nothing runs", async () => {
    const { calls, reason } = await run(half, modelOf(half));
    expect(ran).toEqual([]);
    expect(calls).toMatchObject([{ toolName: "send", invalid: true }]);
    expect(reason).toBe("other");
  });

  it("may have whole calls and text", async () => {
    await run(whole, modelOf(whole));
    expect(ran).toEqual([{ to: "bob" }]);
    expect(await run("It is", modelOf("It is"))).toMatchObject({ text: "It is", calls: [], reason: "other" });
  });
});

it("a call without its end runs if the model says that it stopped there, and in a whole answer", async () => {
  await run(half, new ScriptedModel({ replies: [half] }));
  const scripted = withToolCalling(
    new ScriptedModel({ replies: [{ content: [{ type: "text", text: half }], finish: "other" }] }),
    {
      protocol: "qwen3-coder",
    },
  );
  await generateText({ model: scripted, tools: { send }, prompt: "Go.", stopWhen: stepCountIs(1) });
  expect(ran).toEqual([{ to: "bob" }, { to: "bob" }]);
});
