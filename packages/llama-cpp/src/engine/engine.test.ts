import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LlamaCppError } from "../errors.js";
import { writeTinyModel } from "../tiny-model/index.js";
import { type GenerateRequest, LlamaCppEngine } from "./engine.js";

let folder: string;
let random: LlamaCppEngine;
let bigram: LlamaCppEngine;
const path = (name: string) => join(folder, name);
const code = (expected: string) => expect.objectContaining({ name: "LlamaCppError", code: expected });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolingua-engine-"));
  await writeTinyModel(path("random.gguf"), { kind: "random", partialCharacters: true });
  await writeTinyModel(path("bigram.gguf"), { kind: "bigram" });
  [random, bigram] = await Promise.all([
    LlamaCppEngine.load({ modelPath: path("random.gguf"), threads: 1 }),
    LlamaCppEngine.load({ modelPath: path("bigram.gguf"), threads: 1 }),
  ]);
});
afterAll(async () => {
  await Promise.all([random?.dispose(), bigram?.dispose()]);
  await rm(folder, { recursive: true });
});

const hello = [{ role: "user" as const, content: "hello" }];

describe("generate", () => {
  it("returns the same reply for the same seed, and another for another", async () => {
    const reply = async (seed: number) =>
      (await random.generate({ messages: hello, temperature: 1, topK: 0, topP: 1, seed, maxTokens: 40 })).text;
    expect(await reply(1)).toBe(await reply(1));
    expect(await reply(1)).not.toBe(await reply(2));
  });

  it("reports the seed that it chose", async () => {
    const sample = { messages: hello, temperature: 1, maxTokens: 30 };
    const { text, seed } = await random.generate(sample);
    expect((await random.generate({ ...sample, seed })).text).toBe(text);
  });

  it("ends with length at the limit, and counts the tokens", async () => {
    const { finish, usage } = await random.generate({ messages: hello, maxTokens: 7 });
    expect(finish).toBe("length");
    expect(usage.outputTokens).toBe(7);
    expect(usage.inputTokens).toBeGreaterThan(5);
  });

  it("constrains every reply to the grammar, with any seed", async () => {
    const grammar = 'root ::= "<tool_call>{\\"city\\":\\"" [A-Z] [a-z]{2,9} "\\"}</tool_call>"';
    for (let seed = 0; seed < 25; seed++) {
      const { text, finish } = await random.generate({ messages: hello, grammar, temperature: 1, seed });
      expect(text).toMatch(/^<tool_call>\{"city":"[A-Z][a-z]{2,9}"\}<\/tool_call>$/);
      expect(finish).toBe("stop");
    }
  });

  it("continues a prefill without repeating it", async () => {
    const grammar = 'root ::= "ab" "</tool_call>"';
    const { text } = await random.generate({ messages: hello, prefill: "<tool_call>", grammar });
    expect(text).toBe("ab</tool_call>");
    expect(random.renderPrompt(hello, "<tool_call>")).toMatch(/<\|im_start\|>assistant\n<tool_call>$/);
  });

  it("emits control and user-defined tokens as text, and ends at an end-of-turn token", async () => {
    const grammar = 'root ::= "<tool_call>" "<|im_start|>" "x"';
    const { text, finish } = await random.generate({ messages: hello, grammar });
    expect(text).toBe("<tool_call><|im_start|>x");
    expect(finish).toBe("stop");
    expect(text).not.toContain("<|im_end|>");
  });

  it("ends the reply before a stop sequence, wherever its tokens begin and end", async () => {
    const grammar = 'root ::= "one two three" "</tool_call>" "four"';
    for (const stop of [" three", "e</tool", "</tool_call>", "o"]) {
      const pieces: string[] = [];
      const { text, finish } = await random.generate({
        messages: hello,
        grammar,
        stop: ["never", stop],
        onText: (piece) => pieces.push(piece),
      });
      const whole = "one two three</tool_call>four";
      expect(text).toBe(whole.slice(0, whole.indexOf(stop)));
      expect(pieces.join("")).toBe(text);
      expect(finish).toBe("stop");
    }
  });

  it("never splits a character between two chunks", async () => {
    // This model writes tokens that are parts of characters; pieces are whole characters, or invalid like its output.
    const grammar = 'root ::= "北京🙂é" [ж]{5}';
    const pieces: string[] = [];
    const { text } = await random.generate({ messages: hello, grammar, onText: (piece) => pieces.push(piece) });
    expect(text).toBe("北京🙂éжжжжж");
    for (const piece of pieces) {
      expect(piece).not.toContain("\uFFFD");
      expect(piece).not.toMatch(/\p{Surrogate}/u); // half a pair
    }
  });

  it("evaluates only the new part of a continued conversation", async () => {
    const messages = [
      { role: "system" as const, content: "Speak of the weather, the river and the mill. ".repeat(20) },
      { role: "user" as const, content: "hello" },
    ];
    const first = await bigram.generate({ messages, maxTokens: 20 });
    const second = await bigram.generate({
      messages: [...messages, { role: "assistant", content: first.text }, { role: "user", content: "and then?" }],
      maxTokens: 5,
    });
    expect(second.timings.cachedTokens).toBeGreaterThanOrEqual(first.usage.inputTokens);
  });

  it("shows no trace of the previous conversation", async () => {
    // The random model, unlike the bigram model, depends on its whole context.
    const first = await random.generate({ messages: hello, maxTokens: 20 });
    const longer = [{ role: "user" as const, content: "hello, and a long story of a mill ".repeat(20) }];
    await random.generate({ messages: longer, maxTokens: 20 });
    expect((await random.generate({ messages: hello, maxTokens: 20 })).text).toBe(first.text);
  });

  it("answers the hundredth call, and concurrent calls, like the first", async () => {
    const call = (seed: number) => random.generate({ messages: hello, temperature: 1, seed, maxTokens: 6 });
    const alone = await call(0);
    const together = await Promise.all(Array.from({ length: 100 }, (_, seed) => call(seed)));
    expect(together[0]!.text).toBe(alone.text);
    expect(together).toHaveLength(100);
  });

  it("runs several sequences side by side", async () => {
    const engine = await LlamaCppEngine.load({ modelPath: path("random.gguf"), sequences: 3, contextSize: 512 });
    const replies = await Promise.all(
      [1, 2, 3, 1].map((seed) => engine.generate({ messages: hello, temperature: 1, seed, maxTokens: 20 })),
    );
    expect(replies[3]!.text).toBe(replies[0]!.text);
    expect(engine.contextSize).toBe(512);
    await engine.dispose();
  });
});

describe("stream", () => {
  it("streams what generate returns", async () => {
    const request = { messages: hello, temperature: 1, seed: 3, maxTokens: 50 };
    const stream = random.stream(request);
    let text = "";
    for await (const piece of stream) text += piece;
    const whole = await random.generate(request);
    expect(text).toBe(whole.text);
    expect(await stream.result).toMatchObject({ text, usage: whole.usage, finish: "length" });
  });

  it("allows calls of the engine during the loop", async () => {
    let calls = 0;
    for await (const _ of random.stream({ messages: hello, maxTokens: 5 })) {
      await random.generate({ messages: hello, maxTokens: 2 });
      calls++;
    }
    expect(calls).toBeGreaterThan(0);
  });

  it("stops generating when the loop is left", async () => {
    const stream = random.stream({ messages: hello, maxTokens: 4000 });
    for await (const _ of stream) break;
    await expect(stream.result).rejects.toMatchObject({ name: "AbortError" });
    expect((await random.generate({ messages: hello, maxTokens: 3 })).usage.outputTokens).toBe(3);
  });

  it("throws the error of generate in the loop", async () => {
    const read = async () => {
      for await (const _ of random.stream({ prompt: "x", grammar: "root ::= (" }));
    };
    await expect(read()).rejects.toEqual(code("grammar-refused"));
  });
});

describe("an aborted call", () => {
  const reason = new Error("enough");
  const usable = async () => expect((await random.generate({ messages: hello, maxTokens: 3 })).finish).toBe("length");

  it("throws the reason at once if the signal is already aborted", async () => {
    await expect(random.generate({ messages: hello, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await usable();
  });

  it("ends during the evaluation of the prompt", async () => {
    const controller = new AbortController();
    const prompt = "a b c d ".repeat(400);
    const call = random.generate({ prompt, signal: controller.signal });
    setImmediate(() => controller.abort(reason));
    await expect(call).rejects.toBe(reason);
    await usable();
  });

  it("ends during the reply", async () => {
    const controller = new AbortController();
    const call = random.generate({
      messages: hello,
      maxTokens: 4000,
      signal: controller.signal,
      onText: () => controller.abort(reason),
    });
    await expect(call).rejects.toBe(reason);
    await usable();
  });

  it("leaves the queue if it was waiting", async () => {
    const controller = new AbortController();
    const running = random.generate({ messages: hello, maxTokens: 200 });
    const waiting = random.generate({ messages: hello, signal: controller.signal });
    setImmediate(() => controller.abort(reason));
    await expect(waiting).rejects.toBe(reason);
    expect((await running).usage.outputTokens).toBe(200);
  });
});

describe("errors", () => {
  const load = (modelPath: string, more = {}) => LlamaCppEngine.load({ modelPath, ...more });

  it("name a file that is missing, not a GGUF, or truncated", async () => {
    await expect(load(path("missing.gguf"))).rejects.toEqual(code("model-not-found"));
    await writeFile(path("text.gguf"), "hello");
    await expect(load(path("text.gguf"))).rejects.toEqual(code("not-a-model"));
    await writeFile(path("empty.gguf"), "");
    await expect(load(path("empty.gguf"))).rejects.toEqual(code("not-a-model"));
    await writeFile(path("cut.gguf"), (await readFile(path("random.gguf"))).subarray(0, 300_000));
    await expect(load(path("cut.gguf"))).rejects.toEqual(code("not-a-model"));
  });

  it("report the size of the prompt and of the context", async () => {
    const engine = await load(path("random.gguf"), { contextSize: 256 });
    await expect(engine.generate({ prompt: "x ".repeat(300) })).rejects.toThrow(
      /\d+ tokens, and the context allows 256/,
    );
    const { usage, finish } = await engine.generate({ prompt: "x ".repeat(100), maxTokens: 10_000 });
    expect(usage.inputTokens + usage.outputTokens).toBe(256);
    expect(finish).toBe("length");
    await engine.dispose();
  });

  it("include llama.cpp's reason for refusing a grammar", async () => {
    await expect(random.generate({ prompt: "x", grammar: 'root ::= root "a"' })).rejects.toThrow(/left recursion/);
    await expect(random.generate({ prompt: "x", grammar: 'x ::= "a"' })).rejects.toThrow(/'root'/);
    await expect(random.generate({ prompt: "x", grammar: "root ::= (" })).rejects.toEqual(code("grammar-refused"));
  });

  it("report that a model without a chat template needs one", async () => {
    await writeTinyModel(path("base.gguf"), { kind: "random", chatTemplate: null });
    const base = await load(path("base.gguf"));
    await expect(base.generate({ messages: hello })).rejects.toEqual(code("no-chat-template"));
    expect((await base.generate({ prompt: "once", maxTokens: 2 })).usage.outputTokens).toBe(2);
    await base.dispose();
    const chat = await load(path("base.gguf"), { chatTemplate: "{{ messages[0].content }}:" });
    expect(chat.renderPrompt(hello)).toBe("hello:");
    await chat.dispose();
  });

  it("come from an engine that was disposed of, and from its queued calls", async () => {
    const engine = await load(path("random.gguf"));
    const running = engine.generate({ messages: hello, maxTokens: 50 });
    const waiting = engine.generate({ messages: hello, maxTokens: 50 });
    waiting.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 5));
    const disposal = engine.dispose();
    await expect(waiting).rejects.toEqual(code("disposed"));
    expect((await running).usage.outputTokens).toBe(50);
    await disposal;
    await engine.dispose();
    await expect(engine.generate({ messages: hello })).rejects.toBeInstanceOf(LlamaCppError);
  });

  it("refuse a limit that leaves no token", async () => {
    const badOption = { name: "OptionsError", code: "bad-option" };
    await expect(random.generate({ prompt: "x", maxTokens: 0 })).rejects.toMatchObject(badOption);
    await expect(load(path("random.gguf"), { threads: 0 })).rejects.toMatchObject(badOption);
  });

  const image = { mediaType: "image/png", data: "AAAA" };
  it.each<[unknown, RegExp | string]>([
    [undefined, "must be an object, not undefined"],
    [{}, "either `messages` or a `prompt`, and this one has neither"],
    [{ messages: hello, prompt: "x" }, "this one has both"],
    [{ messages: "hello" }, /`messages` is a list of messages .*, not "hello"/],
    [{ messages: [{ role: "tool", content: "5" }] }, "`messages` is a list of messages"],
    [{ messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }] }, "`messages` is a list of messages"],
    [{ messages: [{ role: "user", content: "hi", images: [image] }] }, "Message 0 has images"],
    [{ prompt: 5 }, "`prompt` is a string, not 5"],
    [{ prompt: "x", maxtokens: 8 }, 'Did you mean "maxTokens"?'],
    [{ prompt: "x", maxTokens: "8" }, '`maxTokens` is a whole number from 1, not "8"'],
    [{ prompt: "x", temperature: "hot" }, '`temperature` is a number from 0, not "hot"'],
    [{ prompt: "x", temperature: -1 }, "`temperature` is a number from 0, not -1"],
    [{ prompt: "x", topP: 2 }, "`topP` is a number from 0 to 1, not 2"],
    [{ prompt: "x", topK: -1 }, "`topK` is a whole number from 0, not -1"],
    [{ prompt: "x", seed: 1.5 }, "`seed` is a whole number"],
    [{ prompt: "x", stop: "x" }, '`stop` is a list of strings, not "x"'],
    [{ prompt: "x", grammar: 5 }, "`grammar` is a string, not 5"],
    [{ prompt: "x", signal: 5 }, "`signal` is an AbortSignal, not 5"],
  ])("name what is wrong in the request %o, whole and streamed", async (request, words) => {
    const refused = expect.objectContaining({ code: expect.stringMatching(/^(?:bad-option|unsupported-message)$/) });
    const given = request as GenerateRequest;
    await expect(random.generate(given)).rejects.toThrow(words);
    await expect(random.generate(given)).rejects.toEqual(refused);
    await expect(random.stream(given).result).rejects.toThrow(words);
  });

  it("of the caller's own callback are passed on, and the engine stays usable", async () => {
    const bug = new TypeError("a bug");
    const onText = () => {
      throw bug;
    };
    await expect(random.generate({ messages: hello, onText })).rejects.toBe(bug);
    expect((await random.generate({ messages: hello, maxTokens: 2 })).usage.outputTokens).toBe(2);
  });
});
