import { type AIMessage, AIMessageChunk, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { concat } from "@langchain/core/utils/stream";
import { createAgent } from "langchain";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type ToolCallingOptions, withToolCalling } from "../src/index.js";
import { call, type ScriptedFields, ScriptedTextModel } from "./scripted-text-model.js";

let ran: unknown[] = [];
beforeEach(() => {
  ran = [];
});
const add = tool(
  (args) => {
    ran.push(args);
    return String(args.a + args.b);
  },
  { name: "add", description: "Adds two numbers", schema: z.object({ a: z.number(), b: z.number() }) },
);
const ping = tool(() => `pong ${ran.push("ping")}`, { name: "ping", description: "Pings", schema: z.object({}) });
const tools = [add, ping];

const PROTOCOL = /tool_call|tool_response|"arguments"|[<>{]/;
const first = `Let me add.\n${call("add", { a: 2, b: 3 })}`;
const last = "It is 5.";

const scripted = (fields: Partial<ScriptedFields> = {}) =>
  new ScriptedTextModel({ replies: [first, last], usage: true, ...fields });
const wrap = (inner: ScriptedTextModel, options: ToolCallingOptions = {}) =>
  withToolCalling(inner, { protocol: "hermes", ...options });

const policies = ["retry", "surface"] as const;
const chunkings: [string, NonNullable<ScriptedFields["chunk"]>][] = [
  ["a character at a time", 1],
  ["three at a time", 3],
  ["whole", 10_000],
  ["cut inside every marker", (text) => text.split(/(?<=<)|(?<=tool_)|(?=})|(?<=")/)],
];

async function collected<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

describe.each(policies)("streaming, with onInvalidCall: %s", (onInvalidCall) => {
  describe.each(chunkings)("when the model writes %s", (_, chunk) => {
    it("stream() adds up to the result of invoke(), and shows no protocol text", async () => {
      const chunks = await collected(
        await wrap(scripted({ chunk }), { onInvalidCall }).bindTools(tools).stream("2 + 3?"),
      );
      const message = chunks.reduce((sum, next) => concat(sum, next));
      const invoked = await wrap(scripted({ chunk }), { onInvalidCall }).bindTools(tools).invoke("2 + 3?");
      for (const each of [message, invoked]) {
        expect(each.content).toBe("Let me add.");
        expect(each.tool_calls).toMatchObject([{ name: "add", args: { a: 2, b: 3 }, type: "tool_call" }]);
        expect(each.invalid_tool_calls).toEqual([]);
        expect(each.response_metadata).toMatchObject({ model_name: "scripted-1", finish_reason: "tool_calls" });
        expect(each.usage_metadata).toMatchObject({ output_tokens: first.length });
      }
      for (const each of chunks) expect(each.content).not.toMatch(PROTOCOL);
    });

    it("streamEvents() without a version emits text, calls, usage and the finish reason", async () => {
      const events = wrap(scripted({ chunk }), { onInvalidCall }).streamEvents("2 + 3?", { tools });
      expect(await events.text).toBe("Let me add.");
      expect(await events.toolCalls).toMatchObject([{ type: "tool_call", name: "add", args: { a: 2, b: 3 } }]);
      expect(await events.usage).toMatchObject({ output_tokens: first.length });
      const output = await events.output;
      expect(output.tool_calls).toMatchObject([{ name: "add", args: { a: 2, b: 3 } }]);
      expect(output.response_metadata).toMatchObject({ model_name: "scripted-1", finish_reason: "tool_use" });
      expect(output.text).toBe("Let me add.");
    });
  });

  it("streamMode messages shows no protocol text and no token twice", async () => {
    const agent = createAgent({ model: wrap(scripted(), { onInvalidCall }), tools });
    const seen: BaseMessage[] = [];
    for await (const [message] of await agent.stream({ messages: "2 + 3?" }, { streamMode: "messages" }))
      seen.push(message);
    const ai = seen.filter((message) => AIMessageChunk.isInstance(message));
    const text = ai.map((message) => message.text).join("");
    expect(text).toBe(`Let me add.${last}`);
    const ids = [...new Set(ai.map((message) => message.id))];
    expect(ids).toHaveLength(2);
    const turn = ai.filter((message) => message.id === ids[0]).reduce((sum, next) => concat(sum, next));
    expect(turn.tool_calls).toMatchObject([{ name: "add", args: { a: 2, b: 3 } }]);
    expect(ran).toEqual([{ a: 2, b: 3 }]);
  });

  it("streamEvents v2 shows one model run per turn, without protocol text", async () => {
    const agent = createAgent({ model: wrap(scripted(), { onInvalidCall }), tools });
    const events = await collected(agent.streamEvents({ messages: "2 + 3?" }, { version: "v2" }));
    const tokens = events.filter((event) => event.event === "on_chat_model_stream");
    expect(tokens.map((event) => event.data.chunk.text).join("")).toBe(`Let me add.${last}`);
    expect(events.filter((event) => event.event === "on_chat_model_start")).toHaveLength(2);
    expect(events.filter((event) => event.event === "on_chat_model_end")).toHaveLength(2);
    expect(ran).toEqual([{ a: 2, b: 3 }]);
  });

  it("streamEvents v1 shows the same under its own names", async () => {
    const agent = createAgent({ model: wrap(scripted(), { onInvalidCall }), tools });
    const events = await collected(agent.streamEvents({ messages: "2 + 3?" }, { version: "v1" }));
    const tokens = events.filter((event) => event.event === "on_llm_stream");
    expect(tokens.map((event) => event.data.chunk.text).join("")).toBe(`Let me add.${last}`);
    expect(events.filter((event) => event.event === "on_llm_start")).toHaveLength(2);
    expect(ran).toEqual([{ a: 2, b: 3 }]);
  });

  it("streamEvents v3 of an agent runs the tool and shows no protocol text", async () => {
    const agent = createAgent({ model: wrap(scripted(), { onInvalidCall }), tools });
    const run = await agent.streamEvents({ messages: "2 + 3?" }, { version: "v3" });
    const events = JSON.stringify(await collected(run as AsyncIterable<unknown>));
    expect(ran).toEqual([{ a: 2, b: 3 }]);
    expect(events).toContain("It is 5.");
    expect(events).not.toContain("<tool_call>");
  });

  it("runs parallel calls, and two and more turns, under streamEvents v3 and streamMode messages", async () => {
    const replies = [`${call("add", { a: 1, b: 1 })}\n${call("ping", {})}`, call("add", { a: 3, b: 4 }), "Done."];
    for (const how of ["v3", "messages"]) {
      ran = [];
      const agent = createAgent({ model: wrap(scripted({ replies }), { onInvalidCall }), tools });
      const input = { messages: "Go." };
      const stream =
        how === "v3" ? agent.streamEvents(input, { version: "v3" }) : agent.stream(input, { streamMode: "messages" });
      await collected((await stream) as AsyncIterable<unknown>);
      expect(ran).toEqual([{ a: 1, b: 1 }, "ping", { a: 3, b: 4 }]);
    }
  });

  it("output version v1 has the calls in the content, streamed or not", async () => {
    const options = { outputVersion: "v1" } as never;
    const model = () =>
      wrap(scripted({ replies: [{ text: first, reasoning: "Sum." }] }), { onInvalidCall }).bindTools(tools);
    const streamed = (await collected(await model().stream("2 + 3?", options))).reduce((sum, next) =>
      concat(sum, next),
    );
    for (const message of [streamed, await model().invoke("2 + 3?", options)] as AIMessage[]) {
      expect(message.contentBlocks).toMatchObject([
        { type: "reasoning", reasoning: "Sum." },
        { type: "text", text: "Let me add." },
        { type: "tool_call", name: "add", args: { a: 2, b: 3 } },
      ]);
      expect(message.content).toEqual(message.contentBlocks);
      expect(message.tool_calls).toHaveLength(1);
    }
  });
});

describe("a call at the end of a truncated reply", () => {
  const whole = call("add", { a: 2, b: 3 });

  it("never runs, truncated anywhere, in any of the framework's interfaces", async () => {
    const closed = whole.lastIndexOf("}") + 1;
    for (let cut = 1; cut < closed; cut++) {
      const reply = { text: `Hm.\n${whole.slice(0, cut)}`, finish: "length" };
      for (const onInvalidCall of policies) {
        const model = () => wrap(scripted({ replies: [reply], chunk: 4 }), { onInvalidCall, maxInvalidCallRetries: 0 });
        const bound = () => model().bindTools(tools);
        const streamed = (await collected(await bound().stream("Go."))).reduce((sum, next) => concat(sum, next));
        expect(streamed.tool_calls).toEqual([]);
        expect((await bound().invoke("Go.")).tool_calls).toEqual([]);
        expect((await model().streamEvents("Go.", { tools }).output).tool_calls).toEqual([]);
      }
    }
  }, 60_000);

  it("does not run in an agent, in any way of streaming", async () => {
    for (const cut of [25, 45, whole.lastIndexOf("}")]) {
      const reply = { text: whole.slice(0, cut), finish: "length" };
      for (const onInvalidCall of policies) {
        const agent = () =>
          createAgent({
            model: wrap(scripted({ replies: [reply] }), { onInvalidCall, maxInvalidCallRetries: 0 }),
            tools: [add],
          });
        await agent().invoke({ messages: "Go." });
        await collected(await agent().stream({ messages: "Go." }, { streamMode: "messages" }));
        await collected((await agent().streamEvents({ messages: "Go." }, { version: "v3" })) as AsyncIterable<unknown>);
        expect(ran).toEqual([]);
      }
    }
  });

  it("is reported with its reason, and in events as an invalid_tool_call with the finish reason length", async () => {
    const replies = [{ text: whole.slice(0, 50), finish: "length" }];
    const model = () => wrap(scripted({ replies }), { onInvalidCall: "surface" });
    const message = await model().bindTools(tools).invoke("Go.");
    expect(message.invalid_tool_calls).toMatchObject([{ name: "add", type: "invalid_tool_call" }]);
    expect(message.invalid_tool_calls?.[0]?.error).toBeTruthy();
    const output = await model().streamEvents("Go.", { tools }).output;
    expect(output.content).toMatchObject([{ type: "invalid_tool_call", name: "add" }]);
    expect(output.response_metadata).toMatchObject({ finish_reason: "length" });
  });
});

describe.each(policies)(
  "a whole call in a reply that a content filter ended, with onInvalidCall: %s",
  (onInvalidCall) => {
    const replies = [{ text: first, finish: "content_filter" }];
    const model = () => wrap(scripted({ replies }), { onInvalidCall });

    it("runs in no mode of an agent", async () => {
      const agent = () => createAgent({ model: model(), tools });
      await agent().invoke({ messages: "Go." });
      await collected(await agent().stream({ messages: "Go." }, { streamMode: "messages" }));
      await collected((await agent().streamEvents({ messages: "Go." }, { version: "v3" })) as AsyncIterable<unknown>);
      expect(ran).toEqual([]);
    });

    it("is invalid beside the finish reason, whole, streamed and in events", async () => {
      const whole = await model().bindTools(tools).invoke("Go.");
      const chunks = await collected(await model().bindTools(tools).stream("Go."));
      const streamed = chunks.reduce((sum, next) => concat(sum, next));
      for (const message of [whole, streamed]) {
        expect(message.tool_calls).toEqual([]);
        expect(message.invalid_tool_calls).toMatchObject([{ name: "add" }]);
        expect(message.response_metadata).toMatchObject({ finish_reason: "content_filter" });
      }
      const output = await model().streamEvents("Go.", { tools }).output;
      expect(output.tool_calls).toEqual([]);
      const error = expect.stringContaining("content filter");
      expect(output.content).toContainEqual(expect.objectContaining({ type: "invalid_tool_call", name: "add", error }));
      expect(output.response_metadata).toMatchObject({ finish_reason: "content_filter" });
    });
  },
);

describe("arguments", () => {
  it("stream as they arrive under surface: the id and the name first", async () => {
    const chunks = await collected(await wrap(scripted(), { onInvalidCall: "surface" }).bindTools(tools).stream("Go."));
    const pieces = chunks.flatMap((chunk) => chunk.tool_call_chunks ?? []);
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces[0]).toMatchObject({ index: 1, name: "add", args: "", id: expect.any(String) });
    expect(pieces.at(-1)).toMatchObject({ index: 1, args: "}" });
    for (const chunk of chunks) expect(chunk.tool_call_chunks?.length ?? 0).toBeLessThanOrEqual(1);
  });
});

describe("stopping", () => {
  it("one call at a time ends the request after the first call", async () => {
    const text = `${call("add", { a: 1, b: 1 })}\n${call("ping", {})} and so on and on`;
    const inner = scripted({ replies: [text] });
    const message = await wrap(inner).bindTools(tools, { parallel_tool_calls: false }).invoke("Go.");
    expect(message.tool_calls).toHaveLength(1);
    expect(inner.closed).toBe(1);
    expect(inner.sent).toBeLessThan(text.length);
  });

  it("results that the model makes up end the request, even if the model ignores stop sequences", async () => {
    const text = `${call("add", { a: 1, b: 1 })}\n<tool_response>\n2\n</tool_response>\nIt is 2.`;
    const inner = scripted({ replies: [text] });
    const message = await wrap(inner).bindTools(tools).invoke("Go.");
    expect(message.tool_calls).toHaveLength(1);
    expect(message.content).toBe("");
    expect(inner.closed).toBe(1);
    expect(inner.options[0]).not.toHaveProperty("stop");
  });

  it("the caller's stop sequences are passed on and enforced", async () => {
    const inner = scripted({ replies: ["one two three"] });
    const message = await wrap(inner).invoke("Go.", { stop: ["two"] });
    expect(inner.options[0]).toMatchObject({ stop: ["two"] });
    expect(message.content).toBe("one ");
  });

  it("a reader that stops closes the request", async () => {
    const inner = scripted({ replies: ["a long story that goes on and on"], pause: 1 });
    for await (const chunk of await wrap(inner).stream("Go.")) if (chunk.text.includes("l")) break;
    await expect.poll(() => inner.closed).toBe(1);
    expect(inner.sent).toBeLessThan(10);
  });

  it("an abort stops invoke, stream and agents, and closes the request", async () => {
    for (const how of ["invoke", "stream", "agent"] as const) {
      const inner = scripted({ replies: ["a long story that goes on and on"], pause: 5 });
      const controller = new AbortController();
      const { signal } = controller;
      setTimeout(() => controller.abort(), 25);
      const model = wrap(inner);
      const run = async () => {
        if (how === "invoke") return model.invoke("Go.", { signal });
        if (how === "stream") return collected(await model.stream("Go.", { signal }));
        return createAgent({ model, tools }).invoke({ messages: "Go." }, { signal });
      };
      await expect(run()).rejects.toThrow();
      await expect.poll(() => inner.closed).toBe(1);
      expect(inner.sent).toBeLessThan(30);
    }
  });

  it("a signal that is already aborted sends no request", async () => {
    const inner = scripted();
    const signal = AbortSignal.abort();
    await expect(wrap(inner).invoke("Go.", { signal })).rejects.toThrow();
    await expect(wrap(inner)._generate([new HumanMessage("Go.")], { signal } as never)).rejects.toThrow();
    await expect(
      collected(
        (await wrap(inner)
          .stream("Go.", { signal })
          .catch(() => [])) as never,
      ),
    ).resolves.toEqual([]);
    expect(inner.requests).toEqual([]);
  });

  it("a timeout stops the request too", async () => {
    const inner = scripted({ replies: ["a long story that goes on and on"], pause: 20 });
    await expect(wrap(inner).invoke("Go.", { timeout: 40 })).rejects.toThrow();
    await expect.poll(() => inner.closed).toBe(1);
  });
});

describe("models that do not stream", () => {
  it("work in all of the framework's interfaces", async () => {
    class Whole extends ScriptedTextModel {
      override disableStreaming = true;
    }
    const model = () => wrap(new Whole({ replies: [first, last] }));
    expect((await model().bindTools(tools).invoke("Go.")).tool_calls).toHaveLength(1);
    const [whole, ...more] = await collected(await model().bindTools(tools).stream("Go."));
    expect(more.reduce((sum, chunk) => concat(sum, chunk), whole!)).toMatchObject({
      text: expect.stringContaining("Let me add."),
      tool_calls: [{ name: "add", args: { a: 2, b: 3 } }],
    });
    expect(await model().streamEvents("Go.", { tools }).toolCalls).toHaveLength(1);
    const { messages } = await createAgent({ model: model(), tools }).invoke({ messages: "Go." });
    expect(messages.filter((message) => ToolMessage.isInstance(message)).map((message) => message.content)).toEqual([
      "5",
    ]);
  });
});
