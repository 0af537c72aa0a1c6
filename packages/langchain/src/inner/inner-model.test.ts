import { generateWithTools, type TextModelChunk } from "@toolingua/core";
import { describe, expect, it } from "vitest";
import { ScriptedTextModel } from "../../test/scripted-text-model.js";
import { Media } from "../messages/media.js";
import { InnerModel } from "./inner-model.js";

const make = (replies: ConstructorParameters<typeof ScriptedTextModel>[0]["replies"]) =>
  new InnerModel({
    model: new ScriptedTextModel({ replies, usage: true, chunk: 3 }),
    ...{ options: {}, runManager: undefined, whole: false, media: new Media(undefined), backend: undefined },
  });
const messages = [{ role: "user" as const, content: "Hi" }];

describe("the wrapped model as a text model", () => {
  it("emits its reasoning as it arrives, before its text", async () => {
    const chunks: TextModelChunk[] = [];
    for await (const chunk of make([{ text: "Hello", reasoning: "Hm." }]).generate({ messages })) chunks.push(chunk);
    expect(chunks).toEqual([
      { reasoning: "Hm." },
      "Hel",
      "lo",
      { usage: { inputTokens: 2, outputTokens: 5 }, finish: "stop" },
    ]);
  });

  it("reports the tokens of each request once, and the sum in its own usage", async () => {
    const inner = make(["No.", "Never."]);
    const options = { model: inner.generate, messages, tools: [{ name: "ping" }], toolChoice: "required" as const };
    const turn = generateWithTools({ ...options, maxInvalidCallRetries: 1, prefill: false });
    await expect(turn.result()).rejects.toThrow(/required/);
    expect(inner.usage?.output_tokens).toBe(9);
    const free = generateWithTools({ ...options, toolChoice: "auto" });
    const { usage } = await free.result();
    expect(usage?.outputTokens).toBe(6);
    expect(inner.usage?.output_tokens).toBe(15);
  });
});
