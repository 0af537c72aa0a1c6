import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { HumanMessage } from "@langchain/core/messages";
import { RunnableLambda } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import { LangChainTracer } from "@langchain/core/tracers/tracer_langchain";
import { createAgent } from "langchain";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { itTraces } from "../../core/test/support/trace-suite.js";
import { withToolCalling } from "../src/index.js";
import { call, ScriptedTextModel } from "./scripted-text-model.js";

interface Recorded {
  id: string;
  name: string;
  run_type: string;
  parent_run_id?: string;
  inputs?: unknown;
  outputs?: unknown;
  extra?: { invocation_params?: Record<string, unknown>; metadata?: Record<string, unknown> };
}

/** LangSmith's own tracer, with a client that keeps what it is sent. */
function recorder() {
  const runs = new Map<string, Recorded>();
  const client = {
    createRun: async (run: Recorded) => void runs.set(run.id, { ...run }),
    updateRun: async (id: string, run: Partial<Recorded>) =>
      void runs.set(id, { ...runs.get(id), ...run, id } as Recorded),
  };
  const tracer = new LangChainTracer({ client: client as never, projectName: "test" });
  return { tracer, runs: () => [...runs.values()] };
}

class Tokens extends BaseCallbackHandler {
  name = "tokens";
  tokens: string[] = [];
  starts = 0;
  override handleChatModelStart() {
    this.starts++;
  }
  override handleLLMNewToken(token: string) {
    this.tokens.push(token);
  }
}

const ping = tool(() => "pong", { name: "ping", description: "Pings", schema: z.object({}) });
const inner = () => new ScriptedTextModel({ replies: [`Wait. ${call("ping", {})}`, "Pong."] });
const wrap = (model = inner()) => withToolCalling(model, { protocol: "hermes" });
const question = { messages: [new HumanMessage("Ping?")] };

describe("a trace", () => {
  it.each(["invoke", "messages"])("shows the wrapped model's run under the wrapper's, in an agent: %s", async (how) => {
    const { tracer, runs } = recorder();
    const agent = createAgent({ model: wrap(), tools: [ping] });
    const config = { callbacks: [tracer] };
    if (how === "invoke") await agent.invoke(question, config);
    else for await (const _ of await agent.stream(question, { ...config, streamMode: "messages" }));
    const outer = runs().filter((run) => run.name === "ToolCallingChatModel");
    const wrapped = runs().filter((run) => run.name === "ScriptedTextModel");
    expect(outer).toHaveLength(2);
    expect(wrapped.map((run) => run.parent_run_id)).toEqual(outer.map((run) => run.id));
    expect(outer[0]?.extra?.invocation_params?.tools).toMatchObject([{ type: "function", function: { name: "ping" } }]);
  });
});

describe("a retry after a wrong call", () => {
  it("is a separate run in the trace, with the feedback, and counts towards the wrapper's usage", async () => {
    const { tracer, runs } = recorder();
    const replies = [call("pong", {}), call("ping", {})];
    const model = wrap(new ScriptedTextModel({ replies, usage: true }));
    const message = await model.bindTools([ping]).invoke("Ping?", { callbacks: [tracer] });
    const outer = runs().filter((run) => run.name === "ToolCallingChatModel");
    const attempts = runs().filter((run) => run.name === "ScriptedTextModel");
    expect(outer).toHaveLength(1);
    expect(attempts.map((run) => run.parent_run_id)).toEqual([outer[0]?.id, outer[0]?.id]);
    expect(JSON.stringify(attempts[1]?.inputs)).toContain("Did you mean");
    const sum = replies.reduce((total, reply) => total + reply.length, 0);
    expect(message.usage_metadata).toMatchObject({ output_tokens: sum });
    expect(JSON.stringify(outer[0]?.outputs)).toContain(`"output_tokens":${sum}`);
  });
});

describe("a callback handler", () => {
  it("of the caller sees the wrapper's run and its tokens, never the wrapped model's", async () => {
    const handler = new Tokens();
    const bound = wrap().bindTools([ping]);
    for await (const _ of await bound.stream("Ping?", { callbacks: [handler] }));
    expect(handler.starts).toBe(1);
    expect(handler.tokens.join("")).toBe("Wait.");
  });

  it("of the wrapped model still sees its run", async () => {
    const handler = new Tokens();
    const model = new ScriptedTextModel({ replies: [call("ping", {})], callbacks: [handler] });
    await wrap(model).bindTools([ping]).invoke("Ping?");
    expect(handler.starts).toBe(1);
    expect(handler.tokens.join("")).toBe(call("ping", {}));
  });

  it("of LangChain's settings sees the wrapped model's run too", async () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    const model = new ScriptedTextModel({ replies: [call("ping", {})], verbose: true });
    await wrap(model).bindTools([ping]).invoke("Ping?");
    expect(log.mock.calls.join("\n")).toContain("ScriptedTextModel");
    log.mockRestore();
  });
});

describe("the run of the wrapped model", () => {
  /** Calls a runnable of its own before it answers, as a model does that looks something up. */
  class Nested extends ScriptedTextModel {
    override async *_streamResponseChunks(...args: Parameters<ScriptedTextModel["_streamResponseChunks"]>) {
      await RunnableLambda.from(() => "looked up").invoke("x");
      yield* super._streamResponseChunks(...args);
    }
  }

  it("is hidden from the caller's handlers, in every way of streaming", async () => {
    class Chains extends BaseCallbackHandler {
      name = "chains";
      starts = 0;
      override handleChainStart() {
        this.starts++;
      }
    }
    const handler = new Chains();
    const model = wrap(new Nested({ replies: ["Hello."] }));
    const chain = RunnableLambda.from(() => model.invoke("Hi."));
    await chain.invoke("x", { callbacks: [handler] });
    const streaming = RunnableLambda.from(async () => {
      let text = "";
      for await (const chunk of await model.stream("Hi.")) text += chunk.text;
      return text;
    });
    expect(await streaming.invoke("x", { callbacks: [handler] })).toBe("Hello.");
    expect(handler.starts).toBe(2);
  });
});

describe("a listener", () => {
  itTraces((replies, onTrace) => {
    const model = withToolCalling(new ScriptedTextModel({ replies }), { protocol: "hermes", onTrace });
    return createAgent({ model, tools: [ping] }).invoke(question);
  });

  it("onTrace receives the usage of the wrapped model, with caches and reasoning", async () => {
    const usage_metadata = {
      ...{ input_tokens: 10, output_tokens: 5, total_tokens: 15 },
      input_token_details: { cache_read: 2, cache_creation: 1 },
      output_token_details: { reasoning: 3 },
    };
    const spent: unknown[] = [];
    const inner = new ScriptedTextModel({ replies: ["Hi."], usage: usage_metadata });
    const model = withToolCalling(inner, {
      protocol: "hermes",
      onTrace: (event) => event.type === "end" && spent.push(event.usage),
    });
    const message = await model.invoke("Hello");
    expect(message.usage_metadata).toMatchObject(usage_metadata);
    const counts = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 2, cacheWriteTokens: 1, reasoningTokens: 3 };
    expect(spent).toEqual([counts]);
  });

  it("onTrace is a function, and combines with other options", () => {
    const onTrace = () => {};
    expect(() => withToolCalling(inner(), { onTrace }).withOptions({ style: "json" })).not.toThrow();
    expect(() => withToolCalling(inner(), { onTrace: true as never })).toThrow("`onTrace` is a function, not true.");
  });
});
