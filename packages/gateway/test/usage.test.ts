import type OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { DONE, delta, event, stream } from "../../endpoints/test/support/scripted-server.js";
import type { RequestRecord } from "../src/index.js";
import { call, eventsIn, gatewayBefore, parameters } from "./support/gateway.js";

const model = "m";
const messages = [{ role: "user" as const, content: "Hi" }];
const counts = {
  ...{ prompt_tokens: 40, completion_tokens: 9, total_tokens: 49 },
  prompt_tokens_details: { cached_tokens: 30, cache_write_tokens: 4 },
  completion_tokens_details: { reasoning_tokens: 5 },
};
const counted = stream([delta("Hi"), delta({}, "stop"), event({ choices: [], usage: counts }), DONE]);
const early = stream([event({ choices: [{ delta: { content: "Hi" } }], usage: counts }), delta({}, "stop"), DONE]);

describe("the tokens of a cache and of reasoning", () => {
  it.each([false, true])("are in the usage of Chat Completions (stream: %s)", async (isStreamed) => {
    const { openai } = await gatewayBefore([counted]);
    let usage: OpenAI.CompletionUsage | null | undefined;
    if (isStreamed) {
      const streamed = { model, messages, stream: true as const, stream_options: { include_usage: true } };
      for await (const chunk of await openai.chat.completions.create(streamed)) usage = chunk.usage;
    } else ({ usage } = await openai.chat.completions.create({ model, messages }));
    expect(usage).toMatchObject({
      ...{ prompt_tokens: 40, completion_tokens: 9, total_tokens: 49 },
      prompt_tokens_details: { cached_tokens: 30 },
      completion_tokens_details: { reasoning_tokens: 5 },
    });
  });

  it.each([false, true])("are in the usage of Responses (stream: %s)", async (isStreamed) => {
    const { openai } = await gatewayBefore([counted]);
    const asked = { model, input: "Hi" };
    const { usage } = await (isStreamed
      ? openai.responses.stream(asked).finalResponse()
      : openai.responses.create(asked));
    expect(usage).toMatchObject({
      ...{ input_tokens: 40, output_tokens: 9, total_tokens: 49 },
      input_tokens_details: { cached_tokens: 30 },
      output_tokens_details: { reasoning_tokens: 5 },
    });
  });

  it.each([false, true])("are not among the other tokens of Messages (stream: %s)", async (isStreamed) => {
    const { anthropic } = await gatewayBefore([counted]);
    const asked = { model, messages, max_tokens: 100 };
    const { usage } = await (isStreamed
      ? anthropic.messages.stream(asked).finalMessage()
      : anthropic.messages.create(asked));
    expect(usage).toMatchObject({
      ...{ input_tokens: 6, output_tokens: 9 },
      ...{ cache_read_input_tokens: 30, cache_creation_input_tokens: 4 },
    });
  });

  it("are at the beginning of a stream of Messages, if they are known", async () => {
    const { post } = await gatewayBefore([early]);
    const answer = await post("/v1/messages", { model, messages, max_tokens: 100, stream: true });
    const [first] = eventsIn(await answer.text()) as { data: { message: { usage: object } } }[];
    expect(first?.data.message.usage).toMatchObject({ input_tokens: 6, cache_read_input_tokens: 30 });
  });

  it("are added up over the requests of one answer", async () => {
    const wrong = stream([
      delta(call({ town: "Oslo" })),
      delta({}, "stop"),
      event({ choices: [], usage: counts }),
      DONE,
    ]);
    const { openai } = await gatewayBefore([wrong, counted]);
    const tools = [{ type: "function" as const, function: { name: "get_weather", parameters } }];
    const { usage } = await openai.chat.completions.create({ model, messages, tools });
    expect(usage).toMatchObject({
      prompt_tokens: 80,
      prompt_tokens_details: { cached_tokens: 60 },
      completion_tokens_details: { reasoning_tokens: 10 },
    });
  });

  it("are in the log and the metrics", async () => {
    const records: RequestRecord[] = [];
    const { url, openai } = await gatewayBefore([counted], { log: (record) => void records.push(record) });
    await openai.chat.completions.create({ model, messages });
    const parts = { cacheReadTokens: 30, cacheWriteTokens: 4, reasoningTokens: 5 };
    expect(records).toMatchObject([{ usage: { inputTokens: 40, outputTokens: 9, ...parts } }]);
    expect(await (await fetch(`${url}/metrics`)).text()).toContain('toolingua_cached_tokens_total{model="m"} 30');
  });

  it("are 0 if the upstream does not report them", async () => {
    const { openai } = await gatewayBefore([stream([delta("Hi"), delta({}, "stop"), DONE])]);
    const { usage } = await openai.responses.create({ model, input: "Hi" });
    expect(usage).toMatchObject({
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    });
  });
});
