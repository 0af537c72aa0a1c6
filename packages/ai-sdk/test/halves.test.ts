import { getProtocol, type ProtocolName } from "@toolingua/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withToolCalling } from "../src/index.js";
import { add, ask, both, contentIn, now, partsOf } from "./both-halves.js";
import { call, ScriptedModel, usage } from "./scripted-model.js";

const words = fc.constantFrom("Let me see.", " ", "\n\n", "It is 5.", "<tool_call>", "</tool_call>", "```", "{", "");
const calls = fc.oneof(
  fc.record({ a: fc.integer(), b: fc.integer(), note: fc.string() }).map((args) => call("add", args)),
  fc.constantFrom(
    call("now", {}),
    call("subtract", { a: 1 }),
    call("add", { a: "two", b: 3 }),
    call("add", { b: 3 }),
    '<tool_call>\n{"name": "add", "arguments": {"a": 1, "b": 2',
    '<tool_call>\n{"name": "add", "arguments": {"a": 1, "b": 2}',
    '<tool_call>\n{"name": "add", "argum',
    "<think>Hm.</think>",
  ),
);
const reply = fc.array(fc.oneof(words, calls), { maxLength: 4 }).map((pieces) => pieces.join(""));

describe("a whole answer and a streamed one", () => {
  it.each([true, false])("agree in content, finish reason, usage and requests (liveCalls: %s)", async (liveCalls) => {
    await fc.assert(
      fc.asyncProperty(fc.array(reply, { minLength: 3, maxLength: 3 }), async (replies) => {
        const { generated, parts, finish, whole, streaming } = await both(replies, {}, { liveCalls });
        expect(contentIn(parts)).toEqual(generated.content);
        expect(finish?.finishReason).toEqual(generated.finishReason);
        // A stream whose reading ends early reports no usage, and a whole answer does.
        const isKnown = finish?.usage.inputTokens.total !== undefined;
        if (isKnown && finish.finishReason.raw !== undefined) expect(finish.usage).toEqual(generated.usage);
        expect(streaming.calls.map(({ prompt }) => prompt)).toEqual(whole.calls.map(({ prompt }) => prompt));
      }),
      { numRuns: 40 },
    );
  });

  it("agree in every protocol, and the deltas of each call join to exactly its input", async () => {
    const protocols: ProtocolName[] = [
      "xml",
      "am-xml",
      "hermes",
      "yaml",
      "mistral",
      "qwen3-coder",
      "llama3-json",
      "glm45",
    ];
    const values = fc.array(fc.record({ a: fc.integer(), b: fc.double({ noNaN: true }), note: fc.string() }), {
      minLength: 1,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...protocols), values, async (protocol, all) => {
        const made = all.map((args) => ({ name: "add", arguments: args }));
        const tools = [{ name: "add", parameters: { type: "object", properties: { note: { type: "string" } } } }];
        const text = getProtocol(protocol).renderCalls(made, { tools });
        const { generated, parts } = await both(
          [text],
          {},
          { protocol, onInvalidCall: "surface", maxIdenticalCalls: 9 },
        );
        expect(contentIn(parts)).toEqual(generated.content);
        for (const part of parts) {
          if (part.type !== "tool-call") continue;
          const deltas = parts.flatMap((each) =>
            each.type === "tool-input-delta" && each.id === part.toolCallId ? [each.delta] : [],
          );
          expect(deltas.join("")).toBe(part.input);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe("the parts of a stream", () => {
  it("begin a call with its name, stream its arguments, and end with the call", async () => {
    const note = "x".repeat(2000);
    const { parts } = await both([`Let me see.\n\n${call("add", { a: 2, b: 3, note })}\n`]);
    const types = parts.map(({ type }) => type).filter((type, i, all) => type !== all[i - 1]);
    expect(types).toEqual([
      ...["stream-start", "response-metadata", "text-start", "text-delta", "text-end"],
      ...["tool-input-start", "tool-input-delta", "tool-input-end", "tool-call", "finish"],
    ]);
    expect(parts.find(({ type }) => type === "tool-input-start")).toMatchObject({ toolName: "add" });
    expect(parts.filter(({ type }) => type === "tool-input-delta").length).toBeGreaterThan(2000);
  });

  it("buffer at most 10 characters of an argument before its first delta", async () => {
    for (const protocol of ["hermes", "xml", "qwen3-coder", "am-xml"] as const) {
      const tools = [{ name: "add", parameters: { type: "object", properties: { note: { type: "string" } } } }];
      const text = getProtocol(protocol).renderCalls(
        [{ name: "add", arguments: { note: "y".repeat(300), a: 1, b: 2 } }],
        { tools },
      );
      const begun = text.slice(0, text.indexOf("y") + 10);
      const { parts } = await both([begun], {}, { protocol, onInvalidCall: "surface" });
      const written = parts.flatMap((part) => (part.type === "tool-input-delta" ? [part.delta] : [])).join("");
      expect(written, protocol).toContain('"note":"y');
    }
  });

  it("contain no text if there is only white space around calls", async () => {
    const { generated } = await both([`\n${call("add", { a: 1, b: 2 })}\n\n${call("now", {})}\n`]);
    expect(generated.content.map(({ type }) => type)).toEqual(["tool-call", "tool-call"]);
    const spaced = await both(["  Two words. \n"]);
    expect(spaced.generated.content).toEqual([{ type: "text", text: "  Two words. \n" }]);
  });

  it("keep the white space between two texts around a call", async () => {
    const { generated } = await both([`One, \n${call("add", { a: 1, b: 2 })}\n two.${call("now", {})}\n\n`]);
    const texts = generated.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
    expect(texts).toEqual(["One,", " \ntwo."]);
  });

  it("keep the model's reasoning separate, with the provider's metadata", async () => {
    const thought = { type: "reasoning" as const, text: "Hm.", providerMetadata: { anthropic: { signature: "s" } } };
    const { generated, parts } = await both([{ content: [thought, { type: "text", text: "\n\n5." }] }]);
    expect(generated.content).toEqual([thought, { type: "text", text: "5." }]);
    expect(parts.find(({ type }) => type === "reasoning-end")).toMatchObject({
      providerMetadata: thought.providerMetadata,
    });
    const written = await both([`<think>Hm.</think>${call("now", {})}`]);
    expect(written.generated.content.map(({ type }) => type)).toEqual(["reasoning", "tool-call"]);
  });

  it("keep each part of the reasoning, with its own metadata", async () => {
    const thought = (text: string) => ({
      type: "reasoning" as const,
      text,
      providerMetadata: { anthropic: { signature: `of ${text}` } },
    });
    const search = {
      type: "tool-call" as const,
      toolCallId: "p",
      toolName: "search",
      input: "{}",
      providerExecuted: true,
    };
    for (const between of [[], [search], [{ type: "text" as const, text: "Hm." }]]) {
      const content = [thought("One."), ...between, thought("Two."), { type: "text" as const, text: "5." }];
      const { generated, parts } = await both([{ content }]);
      expect(generated.content).toEqual(content);
      expect(contentIn(parts).map(({ type }) => type)).toEqual(content.map(({ type }) => type));
      const ends = parts.flatMap((part) => (part.type === "reasoning-end" ? [part.providerMetadata] : []));
      expect(ends).toEqual([thought("One."), thought("Two.")].map(({ providerMetadata }) => providerMetadata));
    }
    // Nothing is sent before a required call: the parts are one.
    const content = [thought("One."), thought("Two."), { type: "text" as const, text: call("now", {}) }];
    const { generated } = await both([{ content }], { toolChoice: { type: "required" } });
    expect(generated.content[0]).toEqual({ ...thought("Two."), text: "One.Two." });
  });

  it("keep a part of the reasoning that has only metadata apart from the others", async () => {
    const redacted = { type: "reasoning" as const, text: "", providerMetadata: { anthropic: { redactedData: "r" } } };
    for (const text of ["5.", "<think>Mine.</think>5."]) {
      const { generated, parts } = await both([{ content: [redacted, { type: "text", text }] }]);
      const own = text === "5." ? [] : [{ type: "reasoning", text: "Mine." }];
      expect(generated.content).toEqual([redacted, ...own, { type: "text", text: "5." }]);
      const ends = parts.flatMap((part) => (part.type === "reasoning-end" ? [part.providerMetadata] : []));
      expect(ends).toEqual([redacted.providerMetadata, ...own.map(() => undefined)]);
    }
  });

  it("keep metadata that a provider sends with a piece of the reasoning", async () => {
    const signed = { anthropic: { signature: "s" } };
    const model = new ScriptedModel({ replies: [] });
    model.doStream = async () => ({
      stream: new ReadableStream({
        start(controller) {
          controller.enqueue({ type: "stream-start", warnings: [] });
          controller.enqueue({ type: "reasoning-start", id: "0", providerMetadata: { anthropic: { kind: "k" } } });
          controller.enqueue({ type: "reasoning-delta", id: "0", delta: "Hm." });
          controller.enqueue({ type: "reasoning-delta", id: "0", delta: "", providerMetadata: signed });
          controller.enqueue({ type: "reasoning-end", id: "0" });
          controller.enqueue({ type: "text-delta", id: "1", delta: "5." });
          controller.enqueue({ type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage: usage() });
          controller.close();
        },
      }),
    });
    const parts = await partsOf((await withToolCalling(model).doStream({ prompt: ask(), tools: [add] })).stream);
    expect(parts.find(({ type }) => type === "reasoning-end")).toMatchObject({
      providerMetadata: { anthropic: { kind: "k", signature: "s" } },
    });
  });

  it("pass on sources, files and calls of the provider's own tools", async () => {
    const source = { type: "source" as const, sourceType: "url" as const, id: "1", url: "https://example.com" };
    const search = { type: "provider" as const, id: "p.search" as const, name: "search", args: {} };
    const content = [
      { type: "tool-call" as const, toolCallId: "p1", toolName: "search", input: "{}", providerExecuted: true },
      { type: "tool-result" as const, toolCallId: "p1", toolName: "search", result: "cats" },
      { type: "text" as const, text: `Cats. ${call("now", {})}` },
      source,
    ];
    const { generated, finish, whole } = await both([{ content }], { tools: [add, now, search] });
    expect(whole.calls[0]?.tools).toEqual([search]);
    expect(generated.content.map(({ type }) => type)).toEqual([
      "tool-call",
      "tool-result",
      "text",
      "tool-call",
      "source",
    ]);
    expect(finish).toMatchObject({ finishReason: { unified: "tool-calls" } });
  });

  it("read calls that a server extracted from the reply as if they were in the text", async () => {
    const content = [{ type: "tool-call" as const, toolCallId: "x", toolName: "add", input: '{"a":"1","b":2}' }];
    const { generated } = await both([{ content, finish: "tool-calls" }]);
    expect(generated.content).toMatchObject([{ toolName: "add", input: '{"a":1,"b":2}' }]);
  });
});

describe("the finish reason", () => {
  it("is `tool-calls` after any call, with the provider's raw reason", async () => {
    const { generated, finish } = await both([call("now", {})]);
    expect(generated.finishReason).toEqual({ unified: "tool-calls", raw: "raw-stop" });
    expect(finish).toMatchObject({ finishReason: generated.finishReason });
  });

  it.each(["stop", "length", "content-filter"] as const)(
    "is the model's own if there is no call: %s",
    async (finish) => {
      const { generated } = await both([{ content: [{ type: "text", text: "No." }], finish }]);
      expect(generated.finishReason.unified).toBe(finish);
    },
  );

  it("stays `length` if the token limit truncated a call, so that the SDK runs nothing", async () => {
    const cut = {
      content: [{ type: "text" as const, text: call("add", { a: 1, b: 2 }).slice(0, 40) }],
      finish: "length" as const,
    };
    const { generated } = await both([cut, cut, cut]);
    expect(generated.finishReason.unified).toBe("length");
  });
});

describe("both halves", () => {
  const file = { type: "file" as const, mediaType: "image/png", data: "aGk=" };
  const source = { type: "source" as const, sourceType: "url" as const, id: "s", url: "https://example.com" };
  const said = (text: string) => ({ type: "text" as const, text });

  it("keep files and sources between the texts where they were", async () => {
    const content = [said("First:"), file, said("Second:"), file, source, said("Done.")];
    const { generated, parts } = await both([{ content }]);
    expect(generated.content).toEqual(content);
    expect(contentIn(parts)).toEqual(content);
  });

  it("end at a stop sequence that the model ignores, and a whole one knows its usage", async () => {
    const content = [said("abc STOP def"), source, { type: "reasoning" as const, text: "later" }];
    const call = { stopSequences: ["STOP"] };
    const { generated, parts, finish } = await both([{ content, finish: "content-filter" }], call);
    expect([generated.content, contentIn(parts)]).toEqual([[said("abc ")], [said("abc ")]]);
    expect([generated.finishReason, finish?.finishReason]).toEqual(Array(2).fill({ unified: "stop", raw: undefined }));
    expect(generated.usage).toMatchObject({ inputTokens: { total: 10 }, outputTokens: { total: 5 } });
  });

  it("know the usage of a reply that is cut off because it repeats a call", async () => {
    const { generated } = await both([call("now", {}).repeat(4)]);
    expect(generated.content).toHaveLength(2);
    expect(generated.usage).toMatchObject({ inputTokens: { total: 10 }, outputTokens: { total: 5 } });
  });
});
