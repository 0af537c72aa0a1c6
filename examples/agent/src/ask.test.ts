import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeTinyModel } from "@toolingua/llama-cpp";
import { EmbeddedChatModel } from "@toolingua/llama-cpp/langchain";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AgentEvent, ask } from "./ask.js";

// The whole agent on the toy model: real weights, made on the spot, that know nothing. The grammar makes its calls good.

const folder = mkdtempSync(join(tmpdir(), "toolingua-ask-"));
const modelPath = join(folder, "toy.gguf");
let model: EmbeddedChatModel;

beforeAll(async () => {
  await writeTinyModel(modelPath, { contextSize: 8192 });
  model = new EmbeddedChatModel({ modelPath, temperature: 0.7, seed: 1, maxTokens: 200 });
});
afterAll(async () => {
  await model.dispose();
  rmSync(folder, { recursive: true });
});

describe("the example agent", () => {
  test("sends a prompt, reads a call from the reply, runs the tool and returns its result", async () => {
    const events: AgentEvent[] = [];
    const options = { protocol: "hermes", retry: true, constrain: true } as const;
    for await (const event of ask(model, "What time is it in Tokyo?", options)) events.push(event);

    const kinds = events.map((event) => event.type).filter((kind, at, all) => kind !== all[at - 1]);
    expect(kinds.slice(0, 4)).toEqual(["request", "reply", "call", "result"]);
    const [request, reply, call, result] = events;
    expect(request).toMatchObject({
      type: "request",
      messages: expect.arrayContaining([{ role: "system", content: expect.stringContaining("get_time") }]),
    });
    expect(reply).toMatchObject({ text: expect.stringContaining("<tool_call>") });
    expect(["get_time", "calculate", "read_file"]).toContain(call?.type === "call" && call.name);
    const second = events.filter((event) => event.type === "request")[1];
    expect(second?.messages.at(-1)?.content).toContain("<tool_response>");
    expect(result?.type === "result" && result.text).toBeTruthy();
  });

  test("ends on a command to quit", async () => {
    const signal = AbortSignal.abort();
    const run = async () => {
      for await (const _ of ask(model, "Hello", { protocol: "hermes", retry: true, constrain: true, signal }));
    };
    await expect(run()).rejects.toThrow();
  });
});
