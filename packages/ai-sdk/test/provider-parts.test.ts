import type { LanguageModelV3Content, LanguageModelV3Message } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { type ToolCallingOptions, withToolCalling } from "../src/index.js";
import { add, ask, both, contentIn, partsOf } from "./both-halves.js";
import { call, ScriptedModel } from "./scripted-model.js";

// What a provider adds to a reply, also in version 4 of the SDK's models, whose parts the types of version 3 lack.

const good = call("add", { a: 2, b: 3 });
const said = (text: string, about: object = {}): LanguageModelV3Content => ({ type: "text", text, ...about });
const thought = (text: string, about: object = {}): LanguageModelV3Content => ({ type: "reasoning", text, ...about });
const later = (part: object) => part as LanguageModelV3Content;
const file = { type: "file" as const, mediaType: "image/png", data: "aGk=" };
const search = { type: "tool-call" as const, toolCallId: "p", toolName: "search", input: "{}", providerExecuted: true };

describe("what a provider adds to a reply", () => {
  it("does not split the text if it only keeps the connection alive", async () => {
    const inner = new ScriptedModel({ replies: [`Let me see. ${good}`], pings: true });
    const { stream } = await withToolCalling(inner, { protocol: "hermes" }).doStream({ prompt: ask(), tools: [add] });
    expect(contentIn(await partsOf(stream)).map(({ type }) => type)).toEqual(["text", "tool-call"]);
  });

  it("stays in its place, whatever its type: whole and streamed", async () => {
    const compacted = later({ type: "custom", kind: "openai.compaction", providerMetadata: { openai: { id: "c" } } });
    const drawn = later({ type: "reasoning-file", mediaType: "image/png", data: { type: "data", data: "aGk=" } });
    const content = [thought("Hm."), drawn, said("First."), compacted, said("Second.")];
    const { generated, parts } = await both([{ content }]);
    expect(generated.content).toEqual(content);
    expect(contentIn(parts)).toEqual(content);
  });

  it("stays with the text that it is about", async () => {
    const cited = (text: string, id: string) =>
      said(text, { citations: [{ citedText: id }], providerMetadata: { openai: { itemId: id } } });
    for (const content of [
      [cited("It is warm.\n", "1")],
      [said("As they say,"), cited(" it is warm", "1"), said(" and"), cited(" dry.", "2")],
    ]) {
      const { generated, parts } = await both([{ content }]);
      expect(generated.content).toEqual(content);
      expect(contentIn(parts)).toEqual(content);
    }
    const { generated, parts } = await both([{ content: [cited(`Let me see.${good}`, "1"), said("Done.")] }]);
    expect(generated.content).toMatchObject([{ text: "Let me see." }, { type: "tool-call" }, { text: "Done." }]);
    expect(generated.content[2]).toEqual(said("Done."));
    expect(contentIn(parts)).toEqual(generated.content);
  });

  it("to reasoning that is not shown is not taken for another's", async () => {
    const signed = { providerMetadata: { anthropic: { signature: "s" } } };
    const first = { content: [thought("I know.", signed), said("It is 5.")] };
    const second = { content: [thought("Then I call."), said(good)] };
    const { generated, parts } = await both([first, second], { toolChoice: { type: "required" } });
    expect(generated.content[0]).toEqual(thought("Then I call."));
    expect(contentIn(parts)).toEqual(generated.content);
  });

  it("to a reply that was asked for again is not said of the next one", async () => {
    const signed = { providerMetadata: { anthropic: { signature: "s" } } };
    const first = { content: [thought("I know.", signed), said("It is 5.", signed)] };
    const second = { content: [said(`<think>Then I call.</think>\nNow: ${good}`)] };
    const { generated, parts } = await both([first, second], { toolChoice: { type: "required" } });
    expect(generated.content).toMatchObject([thought("Then I call."), said("Now:"), { type: "tool-call" }]);
    expect(JSON.stringify(generated.content)).not.toContain("signature");
    expect(contentIn(parts)).toEqual(generated.content);
  });

  it("of warnings comes once, however often the model is asked", async () => {
    const warnings = [{ type: "unsupported" as const, feature: "topK" }];
    for (const text of ["", "I will subtract them: "]) {
      const replies = [call("subtract", {}), good].map((written) => ({ content: [said(text + written)], warnings }));
      const { generated, parts, whole } = await both(replies);
      expect(whole.calls).toHaveLength(2);
      expect(generated.warnings).toEqual(warnings);
      expect(parts[0]).toEqual({ type: "stream-start", warnings });
    }
  });
});

describe("a reply without text", () => {
  const request = later({ type: "tool-approval-request", approvalId: "a", toolCallId: "p" });
  const found = { type: "tool-result" as const, toolCallId: "p", toolName: "search", result: "cats" };

  it.each([
    ["a file", [file]],
    ["a call that the provider runs", [search, found]],
    ["a request to approve one", [search, request]],
  ])("is not empty if it has %s", async (_, content) => {
    const { generated, parts, whole, streaming } = await both([{ content }, "And?"]);
    expect([whole.calls.length, streaming.calls.length]).toEqual([1, 1]);
    expect(generated.content).toEqual(content);
    expect(contentIn(parts)).toEqual(content);
  });

  it("is empty if it has only sources", async () => {
    const source = { type: "source" as const, sourceType: "url" as const, id: "1", url: "https://example.com" };
    const { generated } = await both([{ content: [source] }, "It is 5."]);
    expect(generated.content).toEqual([source, said("It is 5.")]);
  });

  it("keeps the finish reason of a provider that waits for an approval", async () => {
    const { generated, finish } = await both([{ content: [search, request], finish: "tool-calls" }]);
    expect(generated.finishReason.unified).toBe("tool-calls");
    expect(finish?.finishReason).toEqual(generated.finishReason);
  });
});

it("the finish reason says so if the provider's stream was interrupted", async () => {
  const finish = "interrupted" as "error";
  const { generated } = await both([{ content: [said(good)], finish }]);
  expect(generated.finishReason.unified).toBe("interrupted");
});

describe("a conversation", () => {
  const ofAssistant = (...content: object[]): LanguageModelV3Message => ({
    role: "assistant",
    content: content as Extract<LanguageModelV3Message, { role: "assistant" }>["content"],
  });
  const sent = async (prompt: LanguageModelV3Message[], tools: object[], options: ToolCallingOptions = {}) => {
    const inner = new ScriptedModel({ replies: ["Fine."] });
    const asked = { prompt, tools: tools as (typeof add)[] };
    await withToolCalling(inner, { protocol: "hermes", ...options }).doGenerate(asked);
    return inner.calls[0]?.prompt ?? [];
  };

  it("has no files of the reasoning, which is not sent either", async () => {
    const drawn = { type: "reasoning-file", mediaType: "image/png", data: { type: "data", data: "aGk=" } };
    const prompt = await sent([...ask(), ofAssistant(drawn, said("5.")), ...ask("And?")], [add]);
    expect(prompt[2]).toEqual(ofAssistant(said("5.")));
  });

  it("that has only tools which the provider defines goes to the model unchanged, with their calls", async () => {
    const bash = { type: "provider", id: "anthropic.bash", name: "bash", args: {} };
    const ran = { toolCallId: "b", toolName: "bash" };
    const output = { type: "text" as const, value: "a.txt" };
    const prompt: LanguageModelV3Message[] = [
      ...ask(),
      ofAssistant({ type: "tool-call", ...ran, input: { command: "ls" } }),
      { role: "tool", content: [{ type: "tool-result", ...ran, output }] },
    ];
    expect(await sent(prompt, [bash])).toBe(prompt);
    expect(await sent(prompt, [])).not.toBe(prompt);
  });
});
