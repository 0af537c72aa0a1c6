import { describe, expect, it } from "vitest";
import { DONE, delta, event, reply, stream } from "../../endpoints/test/support/scripted-server.js";
import { call, eventsIn, gatewayBefore, parameters, pieces } from "./support/gateway.js";

const messages = [{ role: "user", content: "What is the weather in Oslo?" }];
const schema = { name: "get_weather", description: "The weather of a city" };
const chatTools = [{ type: "function", function: { ...schema, parameters } }];
const messagesTools = [{ ...schema, input_schema: parameters }];

/** An answer, in the same form for each API. */
interface Seen {
  text: string;
  reasoning: string;
  calls: unknown[];
  finish: unknown;
  /** The sequence that ended it, in Messages. */
  met?: unknown;
}

type Post = Awaited<ReturnType<typeof gatewayBefore>>["post"];
type Ask = (post: Post, stop: string[], more?: object) => Promise<Seen>;

const chat = (stop: string[], isStreamed: boolean, more: object) => ({
  ...{ model: "m", messages, stop, stream: isStreamed, tools: chatTools },
  ...more,
});
const anthropic = (stop: string[], isStreamed: boolean, more: object) => ({
  ...{ model: "m", messages, max_tokens: 100, stop_sequences: stop, stream: isStreamed, tools: messagesTools },
  ...{ thinking: { type: "enabled", budget_tokens: 1024 } },
  ...more,
});

interface ChatMessage {
  content?: string | null;
  reasoning_content?: string;
  tool_calls?: { function: { arguments: string } }[];
}
type Block = { type: string; text?: string; thinking?: string; input?: unknown };
interface MessageEvent {
  type: string;
  index: number;
  content_block: Block;
  delta: {
    text?: string;
    thinking?: string;
    partial_json?: string;
    stop_reason?: string;
    stop_sequence?: string | null;
  };
}

const textOf = (content: Block[], field: "text" | "thinking") => content.map((block) => block[field] ?? "").join("");

const ways: [name: string, ask: Ask][] = [
  [
    "Chat, whole",
    async (post, stop, more = {}) => {
      const answer = await (await post("/v1/chat/completions", chat(stop, false, more))).json();
      const [{ message, finish_reason }] = (answer as { choices: [{ message: ChatMessage; finish_reason: string }] })
        .choices;
      const calls = (message.tool_calls ?? []).map((one) => JSON.parse(one.function.arguments) as unknown);
      const { content, reasoning_content = "" } = message;
      return { text: content ?? "", reasoning: reasoning_content, calls, finish: finish_reason };
    },
  ],
  [
    "Chat, streamed",
    async (post, stop, more = {}) => {
      const events = eventsIn(await (await post("/v1/chat/completions", chat(stop, true, more))).text());
      const seen: Seen = { text: "", reasoning: "", calls: [], finish: undefined };
      const args: string[] = [];
      for (const { data } of events) {
        const { choices: [choice] = [] } = data as {
          choices?: {
            delta: ChatMessage & { tool_calls?: { index: number; function: { arguments: string } }[] };
            finish_reason: string | null;
          }[];
        };
        if (!choice) continue;
        seen.text += choice.delta.content ?? "";
        seen.reasoning += choice.delta.reasoning_content ?? "";
        for (const one of choice.delta.tool_calls ?? [])
          args[one.index] = (args[one.index] ?? "") + one.function.arguments;
        seen.finish = choice.finish_reason ?? seen.finish;
      }
      return { ...seen, calls: args.map((one) => JSON.parse(one) as unknown) };
    },
  ],
  [
    "Messages, whole",
    async (post, stop, more = {}) => {
      const answer = await (await post("/v1/messages", anthropic(stop, false, more))).json();
      const { content, stop_reason, stop_sequence } = answer as {
        content: Block[];
        stop_reason: string;
        stop_sequence: string | null;
      };
      return {
        ...{ text: textOf(content, "text"), reasoning: textOf(content, "thinking") },
        calls: content.flatMap(({ type, input }) => (type === "tool_use" ? [input] : [])),
        ...{ finish: stop_reason, met: stop_sequence },
      };
    },
  ],
  [
    "Messages, streamed",
    async (post, stop, more = {}) => {
      const events = eventsIn(await (await post("/v1/messages", anthropic(stop, true, more))).text());
      const seen: Seen = { text: "", reasoning: "", calls: [], finish: undefined };
      const args: string[] = [];
      for (const one of events) {
        const { type, index, content_block, delta: said } = one.data as MessageEvent;
        if (type === "error") seen.finish = one.data;
        if (type === "content_block_start" && content_block.type === "tool_use") args[index] = "";
        if (type === "message_delta") {
          seen.finish = said.stop_reason;
          seen.met = said.stop_sequence;
        } else if (type === "content_block_delta") {
          seen.text += said.text ?? "";
          seen.reasoning += said.thinking ?? "";
          if (said.partial_json !== undefined) args[index] += said.partial_json;
        }
      }
      return { ...seen, calls: Object.values(args).map((json) => JSON.parse(json) as unknown) };
    },
  ],
];

type Case = [
  name: string,
  said: string,
  stop: string[],
  Partial<Seen> & { ends: "met" | "calls" | "natural" },
  object?,
];
const oslo = { city: "STOP Oslo" };
const cases: Case[] = [
  ["in the text ends it", "It is STOP sunny.", ["STOP"], { text: "It is ", ends: "met" }],
  ["at once ends it at once", "STOP", ["STOP"], { ends: "met" }],
  ["after white space alone ends it without text", "\n STOP it", ["STOP"], { ends: "met" }],
  [
    "in a request without tools ends it too",
    "It is STOP.",
    ["STOP"],
    { text: "It is ", ends: "met" },
    { tools: undefined },
  ],
  ["in an argument is the argument's", call(oslo), ["STOP"], { calls: [oslo], ends: "calls" }],
  ["in the markup of a call is the markup's", call(oslo), ["\n", "}", "<tool_call>"], { calls: [oslo], ends: "calls" }],
  ["in white space before a call is none", `\n\n${call(oslo)}`, ["\n"], { calls: [oslo], ends: "calls" }],
  [
    "between calls is none",
    `${call(oslo)}\n${call({ city: "Rome" })}`,
    ["\n"],
    { calls: [oslo, { city: "Rome" }], ends: "calls" },
  ],
  [
    "in the reasoning is the reasoning's",
    "<think>\nSTOP or go?\n</think>\n\nGo. STOP",
    ["STOP"],
    { reasoning: "\nSTOP or go?\n", text: "\n\nGo. ", ends: "met" },
  ],
  [
    "in the reasoning only ends nothing",
    `<think>\nSTOP or go?\n</think>${call(oslo)}`,
    ["STOP"],
    { reasoning: "\nSTOP or go?\n", calls: [oslo], ends: "calls" },
  ],
  ["before a call ends the reply there", `I look STOP.\n${call(oslo)}`, ["STOP"], { text: "I look ", ends: "met" }],
  [
    "after a call keeps the call",
    `${call(oslo)}\nNow STOP.\n${call({ city: "Rome" })}`,
    ["STOP"],
    { text: "\nNow ", calls: [oslo], ends: "calls" },
  ],
  ["is not made of texts around a call", `ST${call(oslo)}OP`, ["STOP"], { text: "STOP", calls: [oslo], ends: "calls" }],
  ["that is begun but not complete is text", `ST${call(oslo)}`, ["STOP"], { text: "ST", calls: [oslo], ends: "calls" }],
  ["of several, the first ends it", "a b c", ["c", "b"], { text: "a ", ends: "met" }],
  ["that never comes ends nothing", "It is STO", ["STOP", ""], { text: "It is STO", ends: "natural" }],
];

describe.each(ways)("a stop sequence of %s", (way, ask) => {
  const reasons = way.startsWith("Chat")
    ? { met: "stop", calls: "tool_calls", natural: "stop" }
    : { met: "stop_sequence", calls: "tool_use", natural: "end_turn" };

  it.each(cases)("%s", async (_, said, stop, { ends, ...expected }, more) => {
    for (const text of [[said], pieces(said), [...said]]) {
      const { post, upstream } = await gatewayBefore([stream(reply(...text))]);
      const { met, finish, ...seen } = await ask(post, stop, more);
      const blank = { text: "", reasoning: "", calls: [] };
      const trimmed = (one: Seen) => ({ ...one, text: one.text.trim(), reasoning: one.reasoning.trim() });
      expect(trimmed({ ...seen, finish: undefined })).toEqual(trimmed({ ...blank, ...expected, finish: undefined }));
      expect(finish).toBe(reasons[ends]);
      if (way.startsWith("Messages"))
        expect(met).toBe(ends === "met" ? stop.find((one) => said.includes(one) && one !== "c") : null);
      expect(upstream.requests).toHaveLength(1);
      for (const one of stop) expect(upstream.requests[0]?.body.stop ?? []).not.toContain(one);
    }
  });

  it("after a wrong call does not keep the model from writing it again", async () => {
    const said = [`I look.\n${call(oslo, "get_wether")}\nNow STOP.`, call(oslo)];
    const { post, upstream } = await gatewayBefore(said.map((one) => stream(reply(...pieces(one)))));
    expect(await ask(post, ["STOP"])).toMatchObject({ text: "I look.", calls: [oslo], finish: reasons.calls });
    expect(upstream.requests).toHaveLength(2);
  });

  it("in a call that stays wrong applies to the text that it becomes", async () => {
    const { post, upstream } = await gatewayBefore([stream(reply(`<tool_call>\nnone, STOP it\n</tool_call>`))]);
    const { text, finish } = await ask(post, ["STOP"]);
    expect([text, finish]).toEqual(["<tool_call>\nnone, ", reasons.met]);
    expect(upstream.requests).toHaveLength(3);
  });

  it("ends the request to the upstream, and the tokens so far are counted", async () => {
    const { post, upstream } = await gatewayBefore([
      async (response, { closed }) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(delta("It is STOP"));
        await closed;
      },
    ]);
    expect(await ask(post, ["STOP"])).toMatchObject({ text: "It is ", finish: reasons.met });
    expect(await upstream.requests[0]?.closed).toBe("aborted");
  });
});

describe("the usage of a reply that a stop sequence ends", () => {
  it("is what the upstream said, or else estimated", async () => {
    const counts = { prompt_tokens: 40, completion_tokens: 3 };
    const early = event({ choices: [{ delta: { content: "It is STOP" } }], usage: counts });
    const asked = chat(["STOP"], false, {});
    const { post } = await gatewayBefore([stream([early, delta({}, "stop"), DONE])]);
    expect(await (await post("/v1/chat/completions", asked)).json()).toMatchObject({ usage: counts });
    const silent = await gatewayBefore([stream([delta("It is STOP"), delta({}, "stop"), DONE])]);
    const { usage } = (await (await silent.post("/v1/chat/completions", asked)).json()) as { usage: typeof counts };
    expect(usage.prompt_tokens).toBeGreaterThan(0);
    expect(usage.completion_tokens).toBeGreaterThan(0);
  });

  it.each([true, false])("is estimated if the model reports it last, or never (last: %s)", async (isLast) => {
    const model = async function* () {
      yield* ["It is ", "STOP", " and more"];
      if (isLast) yield { usage: { inputTokens: 40, outputTokens: 3 } };
    };
    const { post } = await gatewayBefore([], { model: { upstream: undefined, model } as never });
    for (const stop of [["STOP"], ["never"]]) {
      const answer = await post("/v1/chat/completions", chat(stop, false, {}));
      const { usage } = (await answer.json()) as { usage: { prompt_tokens: number; completion_tokens: number } };
      expect(usage.prompt_tokens).toBeGreaterThan(0);
      expect(usage.completion_tokens).toBeGreaterThan(0);
      if (isLast && stop[0] === "never") expect(usage).toMatchObject({ prompt_tokens: 40, completion_tokens: 3 });
    }
  });
});
