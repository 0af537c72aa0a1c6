import { describe, expect, it } from "vitest";
import { DONE, delta, stream } from "../../endpoints/test/support/scripted-server.js";
import { gatewayBefore, parameters } from "./support/gateway.js";

// A call that the token limit cut off is passed on as from a model with native calls, in each API in the same way: if its
// arguments are whole, with the reason that the reply was cut. Half of them are only in a stream that had begun with them.

const messages = [{ role: "user" as const, content: "Weather?" }];
const tool = { name: "get_weather", parameters };
const begun = '<tool_call>\n{"name": "get_weather", "argum';
const half = [begun, 'ents": {"city": "Os'];
const whole = [begun, 'ents": {"city": "Oslo"}'];
const oslo = '{"city":"Oslo"}';

/** How clients ask: for a whole answer, for a stream, and for a stream with whole calls. */
const ways = [
  ["whole", false, {}],
  ["streamed", true, {}],
  ["streamed with whole calls", true, { liveCalls: false }],
] as const;

const before = (texts: readonly string[], model: object, reason = "length") =>
  gatewayBefore([stream([...texts.map((text) => delta(text)), delta({}, reason), DONE])], { model });

/** The arguments of the calls, as text, and why the reply ended. */
type End = [calls: string[], reason: unknown];

const apis: Record<string, (texts: readonly string[], isStreamed: boolean, model: object) => Promise<End>> = {
  async "Chat Completions"(texts, isStreamed, model) {
    const { openai } = await before(texts, model);
    const asked = { model: "m", messages, tools: [{ type: "function" as const, function: tool }] };
    if (!isStreamed) {
      const { message, finish_reason } = (await openai.chat.completions.create(asked)).choices[0]!;
      const calls = (message.tool_calls ?? []).map((call) => (call.type === "function" ? call.function.arguments : ""));
      return [calls, finish_reason];
    }
    // The SDK's reader of streams throws where the limit was reached.
    const calls: string[] = [];
    let reason: unknown;
    for await (const { choices } of await openai.chat.completions.create({ ...asked, stream: true })) {
      for (const { index, function: part } of choices[0]?.delta.tool_calls ?? [])
        calls[index] = (calls[index] ?? "") + (part?.arguments ?? "");
      reason = choices[0]?.finish_reason ?? reason;
    }
    return [calls, reason];
  },
  async Responses(texts, isStreamed, model) {
    const { openai } = await before(texts, model);
    const asked = { model: "m", input: "Weather?", tools: [{ type: "function" as const, strict: null, ...tool }] };
    const { output, incomplete_details } = isStreamed
      ? await openai.responses.stream(asked).finalResponse()
      : await openai.responses.create(asked);
    const calls = output.flatMap((item) => {
      if (item.type === "function_call") expect(item.status).toBe("incomplete");
      return item.type === "function_call" ? [item.arguments] : [];
    });
    return [calls, incomplete_details?.reason];
  },
  async Messages(texts, isStreamed, model) {
    const { anthropic } = await before(texts, model);
    const schema = { ...parameters, type: "object" as const };
    const asked = { model: "m", max_tokens: 9, messages, tools: [{ name: tool.name, input_schema: schema }] };
    const { content, stop_reason } = isStreamed
      ? await anthropic.messages.stream(asked).finalMessage()
      : await anthropic.messages.create(asked);
    return [content.flatMap((block) => (block.type === "tool_use" ? [JSON.stringify(block.input)] : [])), stop_reason];
  },
};

const reasons: Record<string, string> = {
  "Chat Completions": "length",
  Responses: "max_output_tokens",
  Messages: "max_tokens",
};

describe.each(Object.keys(apis))("in %s, a call that the token limit cuts off", (name) => {
  it.each(ways)("after its arguments is passed on, %s", async (_, isStreamed, model) => {
    expect(await apis[name]!(whole, isStreamed, model)).toEqual([[oslo], reasons[name]]);
  });

  it.each(ways.filter(([way]) => way !== "streamed"))("within them is left out, %s", async (_, isStreamed, model) => {
    expect(await apis[name]!(half, isStreamed, model)).toEqual([[], reasons[name]]);
  });
});

it("a call that a content filter cuts off after its arguments is not passed on", async () => {
  const { openai } = await before(whole, {}, "content_filter");
  const tools = [{ type: "function" as const, function: tool }];
  const { choices } = await openai.chat.completions.create({ model: "m", messages, tools });
  expect([choices[0]!.message.tool_calls ?? [], choices[0]!.finish_reason]).toEqual([[], "content_filter"]);
});
