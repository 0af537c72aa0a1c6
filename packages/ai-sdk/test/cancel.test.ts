import type { LanguageModelV3, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { withToolCalling } from "../src/index.js";
import { add, ask, partsOf } from "./both-halves.js";
import { call, ScriptedModel } from "./scripted-model.js";

const asked = { prompt: ask(), tools: [add] };
const long = new Array(500).fill("word").join(" ");

describe("a reader of a stream", () => {
  it("that does not read yet stops the model from reading ahead, although the request is sent", async () => {
    const inner = new ScriptedModel({ replies: [long] });
    const { stream, request, response } = await withToolCalling(inner).doStream(asked);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(inner.calls).toHaveLength(1);
    expect(inner.read).toBe(0);
    expect({ request, response }).toEqual({ request: { body: "sent" }, response: { headers: { served: "yes" } } });
    await stream.cancel();
    expect(inner.cancelled).toBe(true);
    expect(inner.read).toBe(0);
  });

  it("that stops in the middle reads nothing ahead, and ends the request", async () => {
    const inner = new ScriptedModel({ replies: [long] });
    const { stream } = await withToolCalling(inner).doStream(asked);
    const reader = stream.getReader();
    let text = "";
    while (text.length < 20) {
      const { value } = await reader.read();
      if (value?.type === "text-delta") text += value.delta;
    }
    expect(inner.read).toBeLessThan(40);
    await reader.cancel();
    expect(inner.cancelled).toBe(true);
    expect(inner.read).toBeLessThan(40);
    expect(inner.calls).toHaveLength(1);
  });

  it("that stops while the model is silent does not wait for it", async () => {
    let cancelled = false;
    const silent: LanguageModelV3 = {
      specificationVersion: "v3",
      provider: "silent.chat",
      modelId: "silent",
      supportedUrls: {},
      doGenerate: () => Promise.reject(new Error("not asked")),
      doStream: async () => ({
        stream: new ReadableStream<LanguageModelV3StreamPart>({
          pull: () => new Promise(() => {}),
          cancel: () => {
            cancelled = true;
          },
        }),
      }),
    };
    const { stream } = await withToolCalling(silent).doStream(asked);
    const reader = stream.getReader();
    const pending = reader.read();
    await reader.cancel();
    expect(await pending).toMatchObject({ done: true });
    expect(cancelled).toBe(true);
  });

  it("that stops while the model is asked again ends that request too, even if the model ignores its signal", async () => {
    const inner = new ScriptedModel({ replies: [call("unknown", {}), long] });
    const doStream = inner.doStream.bind(inner);
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    inner.doStream = async (options) => {
      const result = await doStream(options);
      if (inner.calls.length > 1) await answered;
      return result;
    };
    const { stream } = await withToolCalling(inner, { protocol: "hermes" }).doStream(asked);
    const reader = stream.getReader();
    const rest = (async () => {
      while (!(await reader.read()).done);
    })();
    await expect.poll(() => inner.calls.length).toBe(2);
    await reader.cancel();
    await rest;
    expect(inner.calls[1]?.abortSignal?.aborted).toBe(true);
    expect(inner.cancelled).toBe(false);
    answer();
    await expect.poll(() => inner.cancelled).toBe(true);
    expect(inner.calls).toHaveLength(2);
  });
});

describe("an error", () => {
  it("before the answer rejects, so that the SDK can send the request again", async () => {
    const error = new Error("connection refused");
    const model = withToolCalling(new ScriptedModel({ replies: [error, error] }));
    await expect(model.doStream(asked)).rejects.toBe(error);
    await expect(model.doGenerate(asked)).rejects.toBe(error);
  });

  it("in the answer is a part of the stream, and an open call is dropped", async () => {
    const error = new Error("overloaded");
    const begun = call("add", { a: 1, b: 2, note: "abc" }).slice(0, 50);
    const failing = new ScriptedModel({ replies: [begun] });
    const doStream = failing.doStream.bind(failing);
    failing.doStream = async (options) => {
      const { stream } = await doStream(options);
      const broken = new TransformStream<LanguageModelV3StreamPart, LanguageModelV3StreamPart>({
        transform: (part, controller) => controller.enqueue(part.type === "finish" ? { type: "error", error } : part),
      });
      return { stream: stream.pipeThrough(broken) };
    };
    const parts = await partsOf((await withToolCalling(failing, { protocol: "hermes" }).doStream(asked)).stream);
    expect(parts.some(({ type }) => type === "tool-input-start")).toBe(true);
    expect(parts.some(({ type }) => type === "tool-call")).toBe(false);
    expect(parts.slice(-2)).toMatchObject([
      { type: "error", error },
      { type: "finish", finishReason: { unified: "error" } },
    ]);
  });

  it("is the signal's reason after an abort, also in the middle of a stream", async () => {
    const controller = new AbortController();
    const inner = new ScriptedModel({ replies: [long] });
    const { stream } = await withToolCalling(inner).doStream({ ...asked, abortSignal: controller.signal });
    const reader = stream.getReader();
    await reader.read();
    controller.abort(new Error("enough"));
    const rest = (async () => {
      while (!(await reader.read()).done);
    })();
    await expect(rest).rejects.toThrow("enough");
    expect(inner.cancelled).toBe(true);
    await expect(withToolCalling(inner).doGenerate({ ...asked, abortSignal: controller.signal })).rejects.toThrow(
      "enough",
    );
  });
});

describe("a stream of the model that ends without a finish", () => {
  const finishOf = async (text: string) => {
    const inner = new ScriptedModel({ replies: [text] });
    const answer = inner.doStream.bind(inner);
    const withoutFinish = () =>
      new TransformStream<LanguageModelV3StreamPart, LanguageModelV3StreamPart>({
        transform: (part, out) => (part.type === "finish" ? undefined : out.enqueue(part)),
      });
    inner.doStream = async (options) => {
      const { stream, ...about } = await answer(options);
      return { ...about, stream: stream.pipeThrough(withoutFinish()) };
    };
    const parts = await partsOf((await withToolCalling(inner, { protocol: "hermes" }).doStream(asked)).stream);
    return parts.find((part) => part.type === "finish")?.finishReason.unified;
  };

  it("is not taken for a complete answer, as with every other model", async () => {
    expect(await finishOf("It is")).toBe("other");
    expect(await finishOf(call("add", { a: 1, b: 2 }))).toBe("tool-calls");
  });
});
