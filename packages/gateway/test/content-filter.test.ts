import { describe, expect, it } from "vitest";
import { DONE, delta, stream } from "../../endpoints/test/support/scripted-server.js";
import { gatewayBefore, parameters } from "./support/gateway.js";

// A provider's content filter ends a reply: each API has a name of its own for it.

const half = '<tool_call>\n{"name": "get_weather", "arguments": {"ci';
const replies: [what: string, text: string][] = [
  ["text", "It is"],
  ["half a call", half],
  ["the text after a whole call", `${half}ty": "Oslo"}}\n</tool_call>\nIt`],
];
const messages = [{ role: "user" as const, content: "Weather?" }];

describe.each(replies)("a reply that a content filter ended within %s", (_, text) => {
  const before = () => gatewayBefore([stream([delta(text), delta({}, "content_filter"), DONE])]);
  const tool = { name: "get_weather", parameters };

  it("has the finish reason `content_filter` in Chat Completions", async () => {
    const { openai } = await before();
    const asked = { model: "m", messages, tools: [{ type: "function" as const, function: tool }] };
    const whole = await openai.chat.completions.create(asked);
    expect(whole.choices[0]?.finish_reason).toBe("content_filter");
    const streamed = [];
    for await (const { choices } of await openai.chat.completions.create({ ...asked, stream: true }))
      streamed.push(choices[0]?.finish_reason);
    expect(streamed.filter(Boolean)).toEqual(["content_filter"]);
  });

  it("is incomplete in Responses", async () => {
    const { openai } = await before();
    const answer = await openai.responses.create({
      model: "m",
      input: "Weather?",
      tools: [{ type: "function", strict: null, ...tool }],
    });
    expect(answer).toMatchObject({ status: "incomplete", incomplete_details: { reason: "content_filter" } });
  });

  it("is a refusal in Messages", async () => {
    const { anthropic } = await before();
    const answer = await anthropic.messages.create({
      model: "m",
      max_tokens: 9,
      messages,
      tools: [{ name: "get_weather", input_schema: { ...parameters, type: "object" } }],
    });
    expect(answer.stop_reason).toBe("refusal");
  });
});
