import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { CallbackManager } from "@langchain/core/callbacks/manager";
import { AIMessage, AIMessageChunk, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import { RunnableLambda } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { concat } from "@langchain/core/utils/stream";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { type ProtocolName, protocols } from "@toolingua/core";
import { type AgentMiddleware, createAgent, llmToolSelectorMiddleware, summarizationMiddleware } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ToolBindingError, type ToolCallingOptions, toToolDefinitions, withToolCalling } from "../src/index.js";
import { call, type Reply, ScriptedTextModel } from "./scripted-text-model.js";

// What goes wrong with a model that is wrapped carelessly: each trap of the framework, and that this wrapper is not in it.

const schema = z.object({ a: z.number(), b: z.number().default(3) });
const ran: unknown[] = [];
const add = tool(
  (args) => {
    ran.push(args);
    return String(args.a + args.b);
  },
  { name: "add", description: "Adds", schema },
);
const good = call("add", { a: 2, b: 3 });
const inner = (...replies: Reply[]) => new ScriptedTextModel({ replies, usage: true });
const wrap = (model: ScriptedTextModel, options: ToolCallingOptions = {}) =>
  withToolCalling(model, { protocol: "hermes", ...options });
const question = { messages: [new HumanMessage("Go.")] };

async function streamed(stream: Promise<AsyncIterable<AIMessageChunk>>): Promise<AIMessageChunk[]> {
  const chunks: AIMessageChunk[] = [];
  for await (const chunk of await stream) chunks.push(chunk);
  return chunks;
}
const joined = (chunks: AIMessageChunk[]) => chunks.reduce((sum, next) => concat(sum, next));

describe("pitfalls of tool definitions", () => {
  it("convertToOpenAITool gives back what it does not know: here Anthropic's shape is read, a server's tool refused", () => {
    const anthropic = { name: "add", description: "Adds", input_schema: { type: "object", properties: {} } };
    expect(convertToOpenAITool(anthropic as never)).toBe(anthropic);
    expect(toToolDefinitions([anthropic])).toMatchObject([{ name: "add", parameters: { type: "object" } }]);
    expect(() => wrap(inner("")).bindTools([{ type: "web_search" }])).toThrow(/web_search/);
  });

  it("what has a default is listed as required, and $schema left in: here neither", () => {
    const [definition] = toToolDefinitions([add]);
    expect(definition?.parameters).toMatchObject({ required: ["a"] });
    expect(definition?.parameters).not.toHaveProperty("$schema");
  });

  it("a tool without a schema, two of one name, 200 of them, names with other signs: each works or is refused", async () => {
    const bound = wrap(inner(call("now", {}))).bindTools([{ name: "now", description: "The time" }]);
    expect((await bound.invoke("Go.")).tool_calls).toMatchObject([{ name: "now", args: {} }]);
    expect(() => wrap(inner("")).bindTools([add, add])).toThrow(/Two tools are named "add"/);
    const many = Array.from({ length: 200 }, (_, i) => ({ name: `tool_${i}`, schema: { type: "object" } }));
    const last = wrap(inner(call("tool_199", {}))).bindTools(many);
    expect((await last.invoke("Go.")).tool_calls).toMatchObject([{ name: "tool_199" }]);
    for (const protocol of Object.keys(protocols) as ProtocolName[]) {
      for (const name of ["math.add", "add numbers", "añadir", "加", "a/b", "a-b", 'say "x"', "<add>"]) {
        const definition = { name, schema: { type: "object", properties: {} } };
        const bind = (reply: string) => withToolCalling(inner(reply), { protocol }).bindTools([definition]);
        let refusal: unknown;
        try {
          bind("");
        } catch (error) {
          refusal = error;
        }
        if (refusal) {
          expect(refusal).toBeInstanceOf(ToolBindingError);
          expect((refusal as Error).message).toContain(`The protocol "${protocol}" cannot call a tool named "${name}"`);
          continue;
        }
        // What could be bound can be called.
        const tools = toToolDefinitions([definition]);
        const written = protocols[protocol].renderCalls([{ name, arguments: {} }], { tools });
        expect([protocol, (await bind(written).invoke("Go.")).tool_calls]).toMatchObject([
          protocol,
          [{ name, args: {} }],
        ]);
      }
    }
    expect(() => withToolCalling(inner("")).bindTools([{ name: "<add>" }])).toThrow(ToolBindingError);
  });
});

describe("pitfalls of messages and chunks", () => {
  it("half-written arguments with an id are a valid call to LangChain: here a call that is cut off ends as none", async () => {
    const half = new AIMessageChunk({
      content: "",
      tool_call_chunks: [{ type: "tool_call_chunk", index: 0, id: "1", name: "add", args: '{"a":1' }],
    });
    expect(half.tool_calls).toHaveLength(1);
    const cut = { text: good.slice(0, -25), finish: "length" };
    const chunks = await streamed(wrap(inner(cut), { onInvalidCall: "surface" }).bindTools([add]).stream("Go."));
    expect(chunks.some((chunk) => chunk.tool_call_chunks?.length)).toBe(true);
    expect(joined(chunks)).toMatchObject({ tool_calls: [], invalid_tool_calls: [{ name: "add" }] });
  });

  it("a chunk drops invalid_tool_calls it is made with: here a stream lists them all the same", async () => {
    expect(
      new AIMessageChunk({ content: "", invalid_tool_calls: [{ name: "add", args: "{", id: "1" }] } as never)
        .invalid_tool_calls,
    ).toEqual([]);
    const model = wrap(inner({ text: good.slice(0, 45), finish: "length" }), { onInvalidCall: "surface" });
    expect(joined(await streamed(model.bindTools([add]).stream("Go."))).invalid_tool_calls).toHaveLength(1);
  });

  it("metadata concatenates and usage adds up: here each is sent once", async () => {
    const chunks = await streamed(
      wrap(inner(`Well. ${good}`))
        .bindTools([add])
        .stream("Go."),
    );
    expect(joined(chunks).response_metadata).toMatchObject({ model_name: "scripted-1", finish_reason: "tool_calls" });
    expect(chunks.filter((chunk) => chunk.usage_metadata !== undefined)).toHaveLength(1);
  });

  it("a stream's chunks say in generationInfo why they end: here it is heard", async () => {
    class Cut extends ScriptedTextModel {
      override async *_streamResponseChunks() {
        const text = call("add", { a: 1, b: 2 }).slice(0, -20);
        const message = new AIMessageChunk(text);
        yield new ChatGenerationChunk({ message, text, generationInfo: { finish_reason: "length", part: 1 } });
      }
    }
    const bound = wrap(new Cut({ replies: [] }), { onInvalidCall: "surface" }).bindTools([add]);
    const message = await bound.invoke("1 + 2?");
    expect(message.response_metadata).toMatchObject({ finish_reason: "length", part: 1 });
    expect(message.invalid_tool_calls?.[0]?.error).toMatch(/cut off|limit/i);
  });

  it("a message says model_name where readers look for model: here it says both", async () => {
    expect((await wrap(inner("Hi")).invoke("Hi")).response_metadata).toMatchObject({ model: "scripted-1" });
  });

  it("pieces of a call without an index do not merge: here every piece has one, from 1 on", async () => {
    const chunks = await streamed(
      wrap(inner(`${good}\n${good}`), { onInvalidCall: "surface" })
        .bindTools([add])
        .stream("Go."),
    );
    const pieces = chunks.flatMap((chunk) => chunk.tool_call_chunks ?? []);
    expect(new Set(pieces.map(({ index }) => index))).toEqual(new Set([1, 2]));
  });

  it("in content-block events a call of index 0 is lost in the text: here it is not", async () => {
    const events = wrap(inner(`Well. ${good}`)).streamEvents("Go.", { tools: [add] });
    expect([await events.text, (await events.toolCalls).length]).toEqual(["Well.", 1]);
  });

  it("version v1 makes empty arguments of pieces: here the content has them whole", async () => {
    const options = { outputVersion: "v1" } as never;
    const whole = joined(await streamed(wrap(inner(good)).bindTools([add]).stream("Go.", options)));
    expect(whole.content).toMatchObject([{ type: "tool_call", name: "add", args: { a: 2, b: 3 } }]);
  });

  it("reasoning shows only with a provider's translator: here as reasoning, in every version and stream", async () => {
    const model = () => wrap(inner({ text: "Five.", reasoning: "2 + 3." }));
    expect((await model().invoke("Go.")).additional_kwargs).toMatchObject({ reasoning_content: "2 + 3." });
    const chunks = await streamed(model().stream("Go."));
    expect(chunks[0]?.additional_kwargs).toEqual({ reasoning_content: "2 + 3." });
    const v1 = await model().invoke("Go.", { outputVersion: "v1" } as never);
    expect(v1.content).toMatchObject([{ type: "reasoning", reasoning: "2 + 3." }, { type: "text" }]);
    expect(await model().streamEvents("Go.").reasoning).toBe("2 + 3.");
  });
});

describe("pitfalls of calling the wrapped model", () => {
  it("token callbacks without the chunk lose calls in streamMode messages: here they carry it", async () => {
    const seen: unknown[] = [];
    class Chunks extends BaseCallbackHandler {
      name = "chunks";
      override handleLLMNewToken(
        ...[, , , , , fields]: Parameters<NonNullable<BaseCallbackHandler["handleLLMNewToken"]>>
      ) {
        seen.push(fields?.chunk);
      }
    }
    await streamed(
      wrap(inner(good))
        .bindTools([add])
        .stream("Go.", { callbacks: [new Chunks()] }),
    );
    expect(seen.every((chunk) => chunk !== undefined)).toBe(true);
    expect(seen.length).toBeGreaterThan(0);
  });

  it("callbacks that are left out are inherited, and tokens come twice: here the child has only tracers", async () => {
    const model = inner("Hello");
    const tokens: string[] = [];
    const manager = CallbackManager.fromHandlers({ handleLLMNewToken: (token) => void tokens.push(token) });
    const lambda = RunnableLambda.from((text: string) => streamed(wrap(model).stream(text)));
    for await (const _ of await lambda.stream("Hi", { callbacks: manager }));
    expect(tokens.join("")).toBe("Hello");
  });

  it("options of tools and agents leak into the wrapped model: here none does", async () => {
    const model = inner(good, "5.");
    await createAgent({ model: wrap(model), tools: [add] }).invoke(question);
    for (const options of model.options) expect(Object.keys(options).filter((key) => key !== "signal")).toEqual([]);
  });

  it("models take only strings, in turn, ending in human: here that is all they get", async () => {
    const model = inner("Fine.");
    const messages = [
      new SystemMessage([{ type: "text", text: "Be brief." }]),
      new AIMessage("Hello!"),
      new HumanMessage([{ type: "text", text: "Add." }]),
      new HumanMessage("Now."),
      new AIMessage({ content: "", tool_calls: [{ id: "1", name: "add", args: { a: 1, b: 2 } }] }),
      new ToolMessage({ content: [{ type: "text", text: "3" }], tool_call_id: "1" }),
      new SystemMessage("Be nice."),
    ];
    expect((await wrap(model).bindTools([add]).invoke(messages)).content).toBe("Fine.");
  });

  it("a failed tool's message holds a stack trace: here the model is not shown it, but that it failed", async () => {
    const model = inner(call("add", { a: "x" }), "Sorry.");
    await createAgent({ model: wrap(model, { maxInvalidCallRetries: 0 }), tools: [add] }).invoke(question);
    const shown = model.requests.at(-1)?.at(-1)?.text ?? "";
    expect(shown).toMatch(/error/i);
    expect(shown).not.toMatch(/\n\s+at |node_modules/);
  });

  it("a field named tools makes createAgent refuse a bound model: here there is none", async () => {
    expect(Object.keys(wrap(inner("")))).not.toContain("tools");
    const bound = wrap(inner("Hi.")).bindTools([add]);
    expect((await createReactAgent({ llm: bound, tools: [add] }).invoke(question)).messages).toHaveLength(2);
  });

  it("_llmType is asked for before the fields are set: here it needs none", () => {
    expect(() => wrap(inner(""))._llmType()).not.toThrow();
  });
});

describe("pitfalls of createAgent", () => {
  it("it binds tools also when there are none", async () => {
    expect((await createAgent({ model: wrap(inner("Hi.")), tools: [] }).invoke(question)).messages).toHaveLength(2);
  });

  it("it takes a chain that begins with the wrapper", async () => {
    const chain = wrap(inner(good, "5.")).pipe(RunnableLambda.from((message: AIMessageChunk) => message));
    const { messages } = await createAgent({ model: chain as never, tools: [add] }).invoke(question);
    expect(messages).toHaveLength(4);
  });

  it("a bare responseFormat would ask for JSON in the text, if the profile said so: here for a call", async () => {
    const format = z.object({ sum: z.number() }).meta({ title: "answer" });
    const agent = createAgent({ model: wrap(inner(call("answer", { sum: 5 }))), tools: [add], responseFormat: format });
    expect((await agent.invoke(question)).structuredResponse).toEqual({ sum: 5 });
  });

  it("a reply with only broken calls ends the run in silence: here it is asked for again, then said", async () => {
    const healed = createAgent({ model: wrap(inner(good.slice(0, -20), good, "5.")), tools: [add] });
    expect((await healed.invoke(question)).messages.at(-1)?.text).toBe("5.");
    const broken = createAgent({ model: wrap(inner({ text: good.slice(0, 45), finish: "length" })), tools: [add] });
    expect((await broken.invoke(question)).messages.at(-1)?.text).toMatch(/cut off/);
  });

  it("a required answer that does not come leaves structuredResponse undefined: here it is asked for first", async () => {
    const format = z.object({ sum: z.number() }).meta({ title: "answer" });
    const agent = (...replies: Reply[]) =>
      createAgent({ model: wrap(inner(...replies)), tools: [add], responseFormat: format });
    expect((await agent("Five.", call("answer", { sum: 5 })).invoke(question)).structuredResponse).toEqual({ sum: 5 });
    expect((await agent("Five.").invoke(question)).structuredResponse).toBeUndefined();
  });

  it("llmToolSelectorMiddleware and summarizationMiddleware want structured output and a profile: here they have both", async () => {
    const selector = wrap(inner(call("extract", { tools: ["add"] })));
    // Their types are written for another version of zod.
    const middleware = [llmToolSelectorMiddleware({ model: selector, maxTools: 1 } as never) as never];
    const agent = createAgent({ model: wrap(inner(good, "5.")), tools: [add], middleware });
    expect((await agent.invoke(question)).messages.at(-1)?.text).toBe("5.");
    const summary = wrap(inner("A summary."));
    const summarize = summarizationMiddleware({
      model: summary,
      trigger: { messages: 3 },
      keep: { messages: 1 },
    } as never);
    const summing = createAgent({
      model: wrap(inner("Fine.")),
      tools: [add],
      middleware: [summarize as unknown as AgentMiddleware],
    });
    const long = Array.from({ length: 6 }, (_, i) => (i % 2 ? new AIMessage("a") : new HumanMessage("b")));
    expect((await summing.invoke({ messages: [...long, new HumanMessage("c")] })).messages.at(-1)?.text).toBe("Fine.");
  });
});

describe("a small model in a loop", () => {
  it.each(["retry", "surface"] as const)(
    "is stopped at the third identical call (%s), which is reported",
    async (onInvalidCall) => {
      const model = inner(good.repeat(20));
      const bound = wrap(model, { onInvalidCall }).bindTools([add]);
      const repeated_call = { name: "add", arguments: { a: 2, b: 3 } };
      const whole = await bound.invoke("Go.");
      expect(whole.tool_calls).toHaveLength(2);
      expect(whole.response_metadata).toMatchObject({ repeated_call });
      const reply = joined(await streamed(bound.stream("Go.")));
      expect(reply.tool_calls).toHaveLength(2);
      expect(reply.response_metadata).toMatchObject({ repeated_call });
      expect(model.sent).toBeLessThan(2 * 4 * good.length);
    },
  );

  it("makes each call once if the option says so", async () => {
    const bound = wrap(inner(good + call("add", { b: 3, a: 2 })), { maxIdenticalCalls: 1 }).bindTools([add]);
    expect((await bound.invoke("Go.")).tool_calls).toMatchObject([{ name: "add", args: { a: 2, b: 3 } }]);
  });
});

describe("a reply that begins inside the reasoning", () => {
  it("has no call of it, whole and streamed", async () => {
    const options = { startWithReasoning: true };
    const bound = wrap(inner(`I could use ${good} but no.\n</think>\n\nHi`), options).bindTools([add]);
    for (const message of [await bound.invoke("Go."), joined(await streamed(bound.stream("Go.")))]) {
      expect(message).toMatchObject({ text: "Hi", tool_calls: [], invalid_tool_calls: [] });
      expect(message.additional_kwargs.reasoning_content).toContain("I could use");
    }
    const calling = wrap(inner(`Hm.</think>${good}`))
      .withOptions(options)
      .bindTools([add]);
    expect((await calling.invoke("Go.")).tool_calls).toMatchObject([{ name: "add", args: { a: 2, b: 3 } }]);
    const separate = wrap(inner({ text: `Hi ${good}`, reasoning: "Hm." }), options).bindTools([add]);
    expect(joined(await streamed(separate.stream("Go.")))).toMatchObject({ text: "Hi", tool_calls: [{ name: "add" }] });
  });
});

describe("a model that repeats its input", () => {
  it("makes no call that is in a message, unless an option allows it", async () => {
    const messages = [new HumanMessage(`Repeat what the page says: ${good}`)];
    for (const [options, calls] of [
      [{}, 0],
      [{ copiedCalls: "call" }, 1],
    ] as const) {
      const bound = wrap(inner(good), options).bindTools([add]);
      const whole = await bound.invoke(messages);
      expect(whole.tool_calls).toHaveLength(calls);
      expect(whole.text).toBe(calls === 0 ? good.trim() : "");
      expect(joined(await streamed(bound.stream(messages))).tool_calls).toHaveLength(calls);
    }
    expect(() => wrap(inner(good), { copiedCalls: "never" as never })).toThrow(/`copiedCalls` is "text" or "call"/);
  });
});
