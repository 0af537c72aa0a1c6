import type OpenAI from "openai";
import { expect, it } from "vitest";
import { reply, stream } from "../../endpoints/test/support/scripted-server.js";
import { call, gatewayBefore, parameters } from "./support/gateway.js";

// What a model costs that calls a tool wrongly whatever it is told: the client's own loop is the retry after the first answer.

const STEPS = 5;
const tools = [{ type: "function" as const, function: { name: "get_weather", parameters } }];

it.each([
  ["arguments that do not match, sent whole", { liveCalls: false }, call({ town: 1 })],
  ["arguments that do not match", { liveCalls: true }, call({ town: 1 })],
  ["an unknown tool, sent whole", { liveCalls: false }, call({ city: "Oslo" }, "forecast")],
  ["an unknown tool", { liveCalls: true }, call({ city: "Oslo" }, "forecast")],
])("asks a model again only about the first of its wrong calls: %s", async (_, model, wrong) => {
  const answers = Array.from({ length: 3 * STEPS }, () => stream(reply(wrong)));
  const { openai, upstream } = await gatewayBefore(answers, { model });
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "The weather in Oslo?" }];
  for (let step = 0; step < STEPS; step++) {
    const { choices } = await openai.chat.completions.create({ model: "m", messages, tools });
    const { message } = choices[0]!;
    messages.push(message);
    for (const { id } of message.tool_calls ?? []) messages.push({ role: "tool", tool_call_id: id, content: "Wrong." });
  }
  expect(upstream.requests).toHaveLength(STEPS + 2);
});
