import { describe, expect, it } from "vitest";
import { add, call, eventsOf, say, scripted, turnOf } from "../../test/support/scripted-turn.js";
import { type ProtocolName, protocols } from "../protocols/index.js";
import { collectReply } from "../reply/index.js";
import type { TextModel } from "../types.js";

describe("a turn", () => {
  it("streams text as the model writes it and ends with the whole reply", async () => {
    const { model, requests } = scripted([
      "Two and ",
      "three is ",
      "five.",
      { usage: { inputTokens: 9, outputTokens: 4 }, finish: "stop" },
    ]);
    const turn = turnOf(model, { maxTokens: 50, temperature: 0, seed: 1, stop: ["###"] });
    const events = await eventsOf(turn);
    expect(events.filter((event) => event.type === "text").length).toBeGreaterThan(1);
    expect(await turn.result()).toEqual({
      text: "Two and three is five.",
      reasoning: "",
      toolCalls: [],
      invalidToolCalls: [],
      raw: "Two and three is five.",
      usage: { inputTokens: 9, outputTokens: 4 },
      finish: "stop",
      attempts: 1,
      request: requests[0]!.messages,
    });
    expect(requests[0]).toMatchObject({ maxTokens: 50, temperature: 0, seed: 1, stop: ["<tool_response>", "###"] });
  });

  it("reports its usage as estimated if a part of it is", async () => {
    const bad = call({ a: "x", b: 3 });
    const good = call({ a: 2, b: 3 });
    const { model } = scripted(
      [bad, { usage: { inputTokens: 9, outputTokens: 4, estimated: true } }],
      [good, { usage: { inputTokens: 20, outputTokens: 5 } }],
    );
    const { usage } = await turnOf(model, { onInvalidCall: "retry" }).result();
    expect(usage).toEqual({ inputTokens: 29, outputTokens: 9, estimated: true });
  });

  it("adds up what its usage says of caches and reasoning", async () => {
    const cached = { inputTokens: 20, outputTokens: 5, cacheReadTokens: 12, cacheWriteTokens: 3 };
    const { model } = scripted(
      [call({ a: "x", b: 3 }), { usage: { inputTokens: 9, outputTokens: 4, cacheReadTokens: 1, reasoningTokens: 2 } }],
      [call({ a: "x", b: 3 }), { usage: cached }],
      [call({ a: 2, b: 3 }), { usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: Number.NaN } }],
    );
    const { usage } = await turnOf(model, { onInvalidCall: "retry" }).result();
    const parts = { cacheReadTokens: 13, cacheWriteTokens: 3, reasoningTokens: 2 };
    expect(usage).toEqual({ inputTokens: 30, outputTokens: 10, ...parts });
  });

  it.each(Object.keys(protocols) as ProtocolName[])("reads calls in %s", async (protocol) => {
    const { at, parallel } = protocols[protocol].syntax;
    const calls = [
      { name: "add", arguments: { a: 2, b: 3 } },
      { name: "say", arguments: { text: "five < six" } },
    ].slice(0, parallel ? 2 : 1);
    const words = at === "reply" ? "" : "Let me see.";
    const reply = `${words}\n${protocols[protocol].renderCalls(calls, { tools: [add, say] })}`;
    const turn = turnOf(scripted(reply).model, { protocol });
    const result = await turn.result();
    expect(result.toolCalls).toMatchObject(calls);
    expect(result.text).toBe(words);
    expect(result.raw).toBe(reply);
  });

  it("emits the events that its result combines", async () => {
    const turn = turnOf(scripted(`One moment.${call({ a: 1, b: 2 })}`).model);
    const { text, reasoning, toolCalls, invalidToolCalls } = await turn.result().then(() => turn.result());
    const again = collectReply(await eventsOf(turnOf(scripted(`One moment.${call({ a: 1, b: 2 })}`).model)));
    expect({ text, reasoning, invalidToolCalls, calls: toolCalls.length }).toEqual({
      text: again.text,
      reasoning: again.reasoning,
      invalidToolCalls: again.invalidToolCalls,
      calls: 1,
    });
  });

  it("asks the model once, whether it is read, awaited or both", async () => {
    const { model, requests } = scripted("Hi");
    const turn = turnOf(model);
    expect(requests).toHaveLength(0);
    await Promise.all([eventsOf(turn), turn.result()]);
    await turn.result();
    expect(requests).toHaveLength(1);
  });

  it("emits the reasoning that a model reports separately, as it arrives", async () => {
    const turn = turnOf(scripted([{ reasoning: "Hm, " }, { reasoning: "five." }, "It is 5."]).model);
    expect((await eventsOf(turn)).slice(0, 2)).toEqual([
      { type: "reasoning", text: "Hm, " },
      { type: "reasoning", text: "five." },
    ]);
    expect(await turn.result()).toMatchObject({ reasoning: "Hm, five.", text: "It is 5.", raw: "It is 5." });
  });

  it("uses the caller's ids", async () => {
    const { toolCalls } = await turnOf(scripted(call({ a: 1, b: 2 })).model, { generateId: () => "id-1" }).result();
    expect(toolCalls[0]?.id).toBe("id-1");
  });

  it.each([42, "", undefined, null])(
    "refuses the id %j of the caller, of a call and of arguments alone",
    async (id) => {
      const generateId = (() => id) as () => string;
      const toolChoice = { name: "add" };
      for (const reply of [call({ a: 1, b: 2 }), '{"a": 1, "b": 2}']) {
        const turn = turnOf(scripted(reply).model, { generateId, toolChoice });
        await expect(turn.result()).rejects.toThrow("`generateId` must return a text for the id of a call, not ");
      }
    },
  );

  it("makes no call if there are no tools or none may be called", async () => {
    for (const options of [{ tools: [] }, { toolChoice: "none" as const }]) {
      const result = await turnOf(scripted(call({ a: 1, b: 2 })).model, options).result();
      expect(result.toolCalls).toEqual([]);
    }
  });

  it("stops the model after the first call if only one is wanted", async () => {
    const { model, closed, sent } = scripted([call({ a: 1, b: 2 }), "\n", call({ a: 3, b: 4 }), "and so on"]);
    const result = await turnOf(model, { parallel: false }).result();
    expect(result.toolCalls.map((one) => one.arguments)).toEqual([{ a: 1, b: 2 }]);
    expect(closed()).toBe(1);
    expect(sent()).toBe(1);
  });
});

describe("a model that ignores stop sequences", () => {
  // Calls that are the whole reply are known at its end.
  const marked = (Object.keys(protocols) as ProtocolName[]).filter((name) => protocols[name].syntax.at !== "reply");
  it.each(marked)("is stopped if it makes up results in %s", async (protocol) => {
    const { renderCalls, renderResults, syntax } = protocols[protocol];
    const written = renderCalls([{ name: "add", arguments: { a: 2, b: 3 } }], { tools: [add] });
    // Longer than what a parser may wait for before it knows a line's marker.
    const content = "six ".repeat(20);
    const madeUp = renderResults([{ toolCallId: "1", name: "add", content }], { tools: [add] });
    const { model, closed, sent } = scripted([written, `\n${madeUp}`, "\nIt is six.", "Anything else?"]);
    const result = await turnOf(model, { protocol }).result();
    expect(result.toolCalls).toHaveLength(1);
    expect(result.text).toBe("");
    // Without a marker at its end, a call is known to end only by what comes next.
    const isClosed = typeof syntax.call.at(-1) === "string";
    expect([closed(), sent()]).toEqual([1, syntax.parallel || !isClosed ? 2 : 1]);
  });
});

describe("escaped text", () => {
  it("is restored in arguments, deltas and answers", async () => {
    const asked = [{ role: "user" as const, content: "Say <tool_call> and <|im_end|>" }];
    const { model, requests } = scripted(
      `I say <\u2060|im_end|>.${call({ text: "<\u2060tool_call> and <\u2060|im_end|>" }, "say")}`,
    );
    const turn = turnOf(model, { messages: asked });
    const events = await eventsOf(turn);
    const result = await turn.result();
    expect(requests[0]?.messages.at(-1)?.content).toBe("Say <\u2060tool_call> and <\u2060|im_end|>");
    expect(result.text).toBe("I say <|im_end|>.");
    expect(result.toolCalls[0]?.arguments).toEqual({ text: "<tool_call> and <|im_end|>" });
    const deltas = events.map((event) => (event.type === "call-delta" ? event.argumentsDelta : "")).join("");
    expect(JSON.parse(deltas)).toEqual(result.toolCalls[0]?.arguments);
  });

  it("is recognised in JSON by its escape too, in any chunks", async () => {
    const reply =
      '<tool_call>\n{"name": "say", "arguments": {"text": "a \\\\u2060 <\\u2060|x|> \\u003c\\u2060s>"}}\n</tool_call>';
    const model: TextModel = async function* () {
      yield* reply;
    };
    const turn = turnOf(model, { messages: [{ role: "user", content: "Say <|x|> and <s>" }] });
    const deltas = (await eventsOf(turn))
      .map((event) => (event.type === "call-delta" ? event.argumentsDelta : ""))
      .join("");
    const { toolCalls } = await turn.result();
    expect(toolCalls[0]?.arguments).toEqual({ text: "a \\u2060 <|x|> <s>" });
    expect(JSON.parse(deltas)).toEqual(toolCalls[0]?.arguments);
  });

  it("is not looked for where the model was shown none: its own word joiner stays", async () => {
    const text = "<\u2060|im_end|>";
    const { model } = scripted(`I say ${text}.${call({ text }, "say")}`);
    const result = await turnOf(model, { messages: [{ role: "user", content: "Say it" }] }).result();
    expect([result.text, result.toolCalls[0]?.arguments]).toEqual([`I say ${text}.`, { text }]);
  });
});

describe("failures and aborts", () => {
  it("pass on the model's error unchanged", async () => {
    const boom = new Error("boom");
    const model: TextModel = async function* () {
      yield "Hi";
      throw boom;
    };
    const turn = turnOf(model);
    await expect(eventsOf(turn)).rejects.toBe(boom);
    await expect(turn.result()).rejects.toBe(boom);
  });

  it("end the turn before the model is asked", async () => {
    const { model, requests } = scripted("Hi");
    await expect(turnOf(model, { signal: AbortSignal.abort(new Error("no")) }).result()).rejects.toThrow("no");
    expect(requests).toHaveLength(0);
  });

  it("end a silent model that ignores the signal", async () => {
    const abort = new AbortController();
    const model: TextModel = async function* () {
      yield "Hi";
      await new Promise(() => {});
    };
    const turn = turnOf(model, { signal: abort.signal });
    const reading = eventsOf(turn);
    setTimeout(() => abort.abort(new Error("enough")), 5);
    await expect(reading).rejects.toThrow("enough");
  });

  it("close the model when the reader stops, and leave no result", async () => {
    const { model, closed } = scripted(["one ", "two ", "three"]);
    const turn = turnOf(model);
    for await (const _ of turn) break;
    expect(closed()).toBe(1);
    await expect(turn.result()).rejects.toMatchObject({ code: "turn-stopped" });
  });
});
