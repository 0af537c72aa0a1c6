import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { tool } from "@langchain/core/tools";
import { BaseTracer, type Run } from "@langchain/core/tracers/base";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { withToolCalling } from "../src/index.js";
import { NativeModel } from "./native-model.js";
import { call, ScriptedTextModel } from "./scripted-text-model.js";

/** Known by LangChain as LangSmith's tracer is, by its name; keeps the runs as they began and as they ended. */
class Tracer extends BaseTracer {
  readonly name: string = "langchain_tracer";
  readonly begun: Run[] = [];
  readonly ended: Run[] = [];

  override onRunCreate(run: Run): void {
    this.begun.push(run);
  }
  override onRunUpdate(run: Run): void {
    if (run.end_time !== undefined) this.ended.push(run);
  }
  protected async persistRun(): Promise<void> {}

  /** LangChain asks for it where a run is a context for others. */
  getRunTreeWithTracingConfig(): undefined {}

  ends(name: string) {
    return this.ended.filter((run) => run.name === name).map((run) => ({ error: run.error, text: textOf(run) }));
  }
}

const textOf = (run: Run) => run.outputs?.generations?.[0]?.[0]?.text as string | undefined;

const ping = tool(() => "pong", { name: "ping", description: "Pings", schema: z.object({}) });
const one = call("ping", {});
const wrap = (model: Parameters<typeof withToolCalling>[0], native: "auto" | "never" = "never") =>
  withToolCalling(model, { protocol: "hermes", native }).bindTools([ping]);

describe("a run of the wrapped model that is not read to its end", () => {
  it.each(["invoke", "stream"])("ends with the text so far, at the first call if one is wanted: %s", async (how) => {
    const tracer = new Tracer();
    const model = new ScriptedTextModel({ replies: [`Wait. ${one}${one}`] });
    const bound = wrap(model).withConfig({ parallel_tool_calls: false, callbacks: [tracer] });
    if (how === "invoke") await bound.invoke("Ping?");
    else for await (const _ of await bound.stream("Ping?"));
    expect(tracer.ends("ScriptedTextModel")).toEqual([{ error: undefined, text: `Wait. ${one}` }]);
    expect(tracer.begun).toHaveLength(2);
    expect(tracer.ended).toHaveLength(2);
  });

  it("ends if the model makes up a result", async () => {
    const tracer = new Tracer();
    const model = new ScriptedTextModel({
      replies: [`${one}\n<tool_response>\nmade up\n</tool_response>\nAll is well.`],
    });
    await wrap(model).invoke("Ping?", { callbacks: [tracer] });
    expect(tracer.ends("ScriptedTextModel")).toEqual([
      { error: undefined, text: expect.stringMatching(/^<tool_call>[\s\S]*<tool_response>$/) },
    ]);
  });

  it.each(["prompted", "native"])("ends if the caller leaves the stream: %s", async (how) => {
    const tracer = new Tracer();
    const model =
      how === "native"
        ? new NativeModel({ turns: [{ text: "One, two, three." }] })
        : new ScriptedTextModel({ replies: ["One, two, three."], chunk: 3 });
    for await (const _ of await wrap(model, "auto").stream("Count.", { callbacks: [tracer] })) break;
    expect(tracer.ends(model.getName())).toMatchObject([{ error: undefined, text: expect.stringMatching(/^One/) }]);
  });

  it("ends under fallbacks and bindings, with the runs around it", async () => {
    const tracer = new Tracer();
    const model = new ScriptedTextModel({ replies: [`${one}${one}`] });
    const spare = new ScriptedTextModel({ replies: [one] });
    const bound = wrap(model.withConfig({ tags: ["x"] }).withFallbacks([spare]));
    for await (const _ of await bound.stream("Ping?", { callbacks: [tracer], parallel_tool_calls: false }));
    expect(tracer.ended.map((run) => run.id).sort()).toEqual(tracer.begun.map((run) => run.id).sort());
    expect(tracer.ends("ScriptedTextModel")).toEqual([{ error: undefined, text: one }]);
  });

  it("is reported once to the model's own handlers too", async () => {
    class Ends extends BaseCallbackHandler {
      name = "ends";
      texts: (string | undefined)[] = [];
      override handleLLMEnd(output: { generations: { text: string }[][] }) {
        this.texts.push(output.generations[0]?.[0]?.text);
      }
    }
    const handler = new Ends();
    const replies = [`${one}${one}`, "Pong."];
    const bound = wrap(new ScriptedTextModel({ replies, callbacks: [handler] }));
    await bound.invoke("Ping?", { parallel_tool_calls: false });
    await bound.invoke("And?");
    expect(handler.texts).toEqual([one, "Pong."]);
  });
});
