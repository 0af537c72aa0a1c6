import { describe, expect, it } from "vitest";
import { protocols } from "../protocols/index.js";
import { collectReply } from "../reply/index.js";
import type { ReplyEvent, TextModel, TextModelChunk, TextModelRequest, ToolDefinition } from "../types.js";
import { InvalidToolCallError, ToolChoiceError } from "./errors.js";
import { type GenerateOptions, generateWithTools } from "./generate-with-tools.js";

const add: ToolDefinition = {
  name: "add",
  description: "Add two integers",
  parameters: {
    type: "object",
    properties: { a: { type: "integer" }, b: { type: "integer" } },
    required: ["a", "b"],
  },
};
const say: ToolDefinition = {
  name: "say",
  parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
};
const messages = [{ role: "user" as const, content: "2 + 3?" }];
const call = (args: unknown, name = "add") => `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`;

/** A model that gives these replies, one a request, in pieces; it keeps what it was asked and whether it was closed. */
function scripted(...replies: (string | TextModelChunk[])[]) {
  const requests: TextModelRequest[] = [];
  let closed = 0;
  let sent = 0;
  const model: TextModel = async function* (request) {
    const reply = replies[requests.length] ?? "";
    requests.push(request);
    try {
      for (const chunk of typeof reply === "string" ? (reply.match(/[\s\S]{1,7}/g) ?? []) : reply) {
        sent += 1;
        yield chunk;
      }
    } finally {
      closed += 1;
    }
  };
  return { model, requests, closed: () => closed, sent: () => sent };
}

const turnOf = (model: TextModel, options: Partial<GenerateOptions> = {}) =>
  generateWithTools({ model, messages, tools: [add, say], protocol: "hermes", ...options });

async function eventsOf(turn: AsyncIterable<ReplyEvent>): Promise<ReplyEvent[]> {
  const events: ReplyEvent[] = [];
  for await (const event of turn) events.push(event);
  return events;
}

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

  it.each(Object.keys(protocols) as (keyof typeof protocols)[])("reads calls in %s", async (protocol) => {
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

  it("has the events that its result sums up", async () => {
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

  it("asks the model once, whether read, awaited or both", async () => {
    const { model, requests } = scripted("Hi");
    const turn = turnOf(model);
    expect(requests).toHaveLength(0);
    await Promise.all([eventsOf(turn), turn.result()]);
    await turn.result();
    expect(requests).toHaveLength(1);
  });

  it("has the reasoning that a model reports apart from its text, as it comes", async () => {
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

  it("makes no call when there are no tools or none may be called", async () => {
    for (const options of [{ tools: [] }, { toolChoice: "none" as const }]) {
      const result = await turnOf(scripted(call({ a: 1, b: 2 })).model, options).result();
      expect(result.toolCalls).toEqual([]);
    }
  });

  it("stops the model after the first call when only one is wanted", async () => {
    const { model, closed, sent } = scripted([call({ a: 1, b: 2 }), "\n", call({ a: 3, b: 4 }), "and so on"]);
    const result = await turnOf(model, { parallel: false }).result();
    expect(result.toolCalls.map((one) => one.arguments)).toEqual([{ a: 1, b: 2 }]);
    expect(closed()).toBe(1);
    expect(sent()).toBe(1);
  });
});

describe("a model that pays no heed to stop sequences", () => {
  it.each(Object.keys(protocols) as (keyof typeof protocols)[])(
    "is stopped where it makes up results in %s",
    async (protocol) => {
      const { renderCalls, renderResults, syntax } = protocols[protocol];
      // Calls that are the whole reply are known at its end.
      if (syntax.at === "reply") return;
      const written = renderCalls([{ name: "add", arguments: { a: 2, b: 3 } }], { tools: [add] });
      const madeUp = renderResults([{ toolCallId: "1", name: "add", content: "six" }], { tools: [add] });
      const { model, closed, sent } = scripted([written, `\n${madeUp}`, "\nIt is six.", "Anything else?"]);
      const result = await turnOf(model, { protocol }).result();
      expect(result.toolCalls).toHaveLength(1);
      expect(result.text).toBe("");
      expect([closed(), sent()]).toEqual([1, syntax.parallel ? 2 : 1]);
    },
  );
});

describe("an invalid call", () => {
  const bad = call({ a: 2 });

  it("is surfaced beside the good ones", async () => {
    const result = await turnOf(scripted(`${bad}\n${call({ a: 1, b: 2 })}`).model).result();
    expect(result.invalidToolCalls).toMatchObject([{ name: "add", error: { code: "invalid-arguments" } }]);
    expect(result.toolCalls).toHaveLength(1);
    expect(result.attempts).toBe(1);
  });

  it("is sent back with what was wrong, under retry, and the calls wait for the good reply", async () => {
    const { model, requests } = scripted(
      ["Adding.\n", bad, { usage: { inputTokens: 10, outputTokens: 5 } }],
      [call({ a: 2, b: 3 }), { usage: { inputTokens: 30, outputTokens: 6 } }],
    );
    const turn = turnOf(model, { onInvalidCall: "retry" });
    const events = await eventsOf(turn);
    expect(events.map((event) => event.type).filter((type) => type !== "call-delta")).toEqual([
      "text",
      "call-start",
      "call-end",
    ]);
    const result = await turn.result();
    expect(result).toMatchObject({
      text: "Adding.",
      attempts: 2,
      usage: { inputTokens: 40, outputTokens: 11 },
      toolCalls: [{ arguments: { a: 2, b: 3 } }],
    });
    const [first, second] = requests;
    expect(second!.messages.slice(0, first!.messages.length)).toEqual(first!.messages);
    const [reply, feedback] = second!.messages.slice(first!.messages.length);
    expect(reply).toEqual({ role: "assistant", content: `Adding.\n${bad}` });
    expect(feedback?.role).toBe("user");
    expect(feedback?.content).toContain("b");
    expect(result.request).toEqual(second!.messages);
  });

  it.each([
    ["the same words", "Adding.\n", "Adding.\n", "Adding."],
    ["the same words and more", "It is", "It is five, I think.\n", "It is five, I think."],
    ["part of the words", "Adding. Wait for it.\n", "Adding.\n", "Adding. Wait for it."],
    ["other words", "Adding.\n", "Again, then:\n", "Adding.\n\nAgain, then:"],
    ["words that begin alike", "Adding two.\n", "Adding 2 and 3:\n", "Adding two.\n\nAdding 2 and 3:"],
    ["no words", "Adding.\n", "", "Adding."],
  ])("does not make the model's words come twice when it is tried again with %s", async (_, first, second, text) => {
    for (const cut of [1, 3, 100]) {
      const pieces = (reply: string) => reply.match(new RegExp(`[\\s\\S]{1,${cut}}`, "g")) ?? [];
      const { model } = scripted(pieces(first + bad), pieces(second + call({ a: 2, b: 3 })));
      const turn = turnOf(model, { onInvalidCall: "retry" });
      const events = await eventsOf(turn);
      const result = await turn.result();
      expect(result).toMatchObject({ text, attempts: 2, toolCalls: [{ arguments: { a: 2, b: 3 } }] });
      expect(collectReply(events).text).toBe(text);
    }
  });

  it("is surfaced when every retry failed", async () => {
    const { model, requests } = scripted(bad, bad, bad, bad);
    const result = await turnOf(model, { onInvalidCall: "retry" }).result();
    expect(requests).toHaveLength(3);
    expect(result.invalidToolCalls).toHaveLength(1);
    expect((await turnOf(scripted(bad).model, { onInvalidCall: "retry", maxRetries: 0 }).result()).attempts).toBe(1);
  });

  it("ends the turn under throw, and the model with it", async () => {
    const { model, closed } = scripted([bad, "more", "and more"]);
    const turn = turnOf(model, { onInvalidCall: "throw" });
    await expect(eventsOf(turn)).rejects.toBeInstanceOf(InvalidToolCallError);
    await expect(turn.result()).rejects.toMatchObject({ code: "invalid-arguments", call: { name: "add" } });
    expect(closed()).toBe(1);
  });

  it("streams a plain answer live under retry", async () => {
    const events = await eventsOf(turnOf(scripted(["It is ", "five."]).model, { onInvalidCall: "retry" }));
    expect(events.length).toBeGreaterThan(1);
  });
});

describe("a required call", () => {
  it("is begun by the prefill, which the model does not repeat", async () => {
    const { model, requests } = scripted(' {"a": 2, "b": 3}}\n</tool_call>');
    const result = await turnOf(model, { toolChoice: { name: "add" } }).result();
    expect(requests[0]?.prefill).toBe('<tool_call>\n{"name": "add", "arguments":');
    expect(result.toolCalls).toMatchObject([{ name: "add", arguments: { a: 2, b: 3 } }]);
    expect(result.attempts).toBe(1);
  });

  it.each(Object.keys(protocols) as (keyof typeof protocols)[])(
    "is read from a model that heeds the prefill, or not, in %s",
    async (protocol) => {
      const whole = protocols[protocol].renderCalls([{ name: "add", arguments: { a: 2, b: 3 } }], { tools: [add] });
      for (const toolChoice of ["required", { name: "add" }] as const) {
        const heeds: TextModel = async function* ({ prefill = "" }) {
          yield* whole.slice(prefill.length);
        };
        const repeats: TextModel = async function* () {
          yield* `\n${whole}`;
        };
        const talks: TextModel = async function* () {
          yield* `Sure, I will add these:\n${whole}`;
        };
        const marked = protocols[protocol].syntax.at !== "reply";
        for (const model of marked ? [heeds, repeats, talks] : [heeds, repeats]) {
          const result = await turnOf(model, { protocol, toolChoice }).result();
          expect(result.toolCalls).toMatchObject([{ name: "add", arguments: { a: 2, b: 3 } }]);
          expect(result.invalidToolCalls).toEqual([]);
          expect(result.attempts).toBe(1);
        }
      }
    },
  );

  it("streams once it is begun", async () => {
    let writing = true;
    const model: TextModel = async function* () {
      yield "Well.";
      yield '<tool_call>\n{"name": "say", "arguments": {"text": "a long enough text that some of it can be sent at once, and more than that';
      yield " and the end.";
      writing = false;
      yield '"}}\n</tool_call>';
    };
    const turn = turnOf(model, { toolChoice: "required", prefill: false });
    const seen: [string, boolean][] = [];
    for await (const event of turn) seen.push([event.type, writing]);
    expect(seen).toContainEqual(["call-delta", true]);
    expect(seen[0]).toEqual(["text", true]);
  });

  it("is asked for once more when it was not made, and what was said instead is not sent", async () => {
    const { model, requests } = scripted("It is five.", call({ a: 2, b: 3 }));
    const turn = turnOf(model, { toolChoice: "required" });
    const events = await eventsOf(turn);
    expect(events.some((event) => event.type === "text")).toBe(false);
    expect((await turn.result()).attempts).toBe(2);
    expect(requests[1]?.messages.slice(-2)).toEqual([
      { role: "assistant", content: "It is five." },
      { role: "user", content: "Answer this with a tool call." },
    ]);
  });

  it("does not take another tool's call for the named one", async () => {
    const { model } = scripted(call({ text: "hm" }, "say"), call({ a: 2, b: 3 }));
    const result = await turnOf(model, { toolChoice: { name: "add" } }).result();
    expect(result.toolCalls.map((one) => one.name)).toEqual(["add"]);
    expect(result.attempts).toBe(2);
  });

  it("leaves out other tools' calls, good or bad, where one is named and several may come", async () => {
    const { model, requests } = scripted(
      [call({ text: "hm" }, "say"), call({ a: 2, b: 3 }), call({}, "say"), call({ a: 1, b: 1 })].join("\n"),
    );
    for (const onInvalidCall of ["surface", "retry", "throw"] as const) {
      const turn = turnOf(model, { toolChoice: { name: "add" }, parallel: true, onInvalidCall });
      requests.length = 0;
      const events = await eventsOf(turn);
      expect(events.flatMap((event) => (event.type === "call-start" ? event.index : []))).toEqual([0, 1]);
      expect(collectReply(events).toolCalls.map((one) => one.arguments)).toEqual([
        { a: 2, b: 3 },
        { a: 1, b: 1 },
      ]);
      expect(await turn.result()).toMatchObject({ attempts: 1, invalidToolCalls: [] });
    }
  });

  it("fails the turn when it is never made", async () => {
    const { model, requests } = scripted("Five.", "");
    const failure = turnOf(model, { toolChoice: "required" }).result();
    await expect(failure).rejects.toBeInstanceOf(ToolChoiceError);
    await expect(failure).rejects.toMatchObject({ code: "tool-choice-unmet", raw: "" });
    expect(requests).toHaveLength(2);
  });

  it("asks again after an empty reply without sending an empty message", async () => {
    const { model, requests } = scripted("", call({ a: 2, b: 3 }));
    await turnOf(model, { toolChoice: "required", prefill: false }).result();
    expect(requests[1]?.messages.map((message) => message.role)).toEqual(["system", "user"]);
  });

  it("is held to a grammar by a model that takes one", async () => {
    const { model, requests } = scripted(call({ a: 2, b: 3 }));
    await turnOf(model, { toolChoice: "required", constraint: "required" }).result();
    expect(requests[0]?.constraint?.type).toBe("gbnf");
    expect(requests[0]?.prefill).toBeUndefined();
  });
});

describe("a constraint", () => {
  it("may be held closer: to the order of keys, to shorter texts", async () => {
    const asked = async (grammar: GenerateOptions["grammar"], constraint: "required" | "fallback") => {
      const { model, requests } = scripted("Hm.", "Hm.");
      const turn = turnOf(model, { toolChoice: "required", constraint, grammar });
      await turn.result().catch(() => undefined);
      return requests.findLast((request) => request.constraint)?.constraint?.grammar;
    };
    for (const constraint of ["required", "fallback"] as const) {
      const [any, ordered] = [await asked(undefined, constraint), await asked({ maxUnordered: 0 }, constraint)];
      expect(ordered).toContain("root ::=");
      expect(ordered?.length).toBeLessThan(any?.length ?? 0);
    }
  });

  it("reaches a server as the fields of its request, for calls that may come and for those that must", async () => {
    const { model, requests } = scripted(call({ a: 2, b: 3 }), call({ a: 2, b: 3 }));
    const held = { constraint: "auto", backend: "llama.cpp" } as const;
    await turnOf(model, held).result();
    expect(requests[0]?.fields).toMatchObject({ grammar_lazy: true, grammar_triggers: [{ value: "<tool_call>" }] });
    await turnOf(model, { ...held, toolChoice: "required" }).result();
    expect(Object.keys(requests[1]?.fields ?? {})).toEqual(["grammar"]);
    expect(requests[1]?.prefill).toBeUndefined();
    expect(requests.map(({ constraint }) => constraint)).toEqual([undefined, undefined]);
  });

  it("is none where the format has none, and an error only where it is required and a call must come", async () => {
    const { model, requests } = scripted(call({ a: 2, b: 3 }), call({ a: 2, b: 3 }));
    const held = { constraint: "required", backend: "ollama" } as const;
    await turnOf(model, held).result();
    await turnOf(model, { constraint: "auto", backend: "ollama", toolChoice: "required" }).result();
    expect(requests.map(({ fields }) => fields)).toEqual([undefined, undefined]);
    const failing = turnOf(model, { ...held, toolChoice: "required" }).result();
    await expect(failing).rejects.toMatchObject({ code: "unsupported" });
    expect(requests).toHaveLength(2);
  });

  it("leaves a place for the answer in a format that is JSON as a whole", async () => {
    const { model, requests } = scripted('{"final_answer": {"content": "5"}}');
    const held = { constraint: "auto", backend: "ollama", protocol: "json-action" } as const;
    await turnOf(model, held).result();
    expect(requests[0]?.fields).toMatchObject({ format: { anyOf: [{}, {}] } });
  });

  it("as a fallback holds only the repair, to a call if one was tried", async () => {
    const { model, requests } = scripted(call({ a: 2 }), call({ a: 2, b: 3 }));
    const held = { constraint: "fallback", onInvalidCall: "retry" } as const;
    const { toolCalls } = await turnOf(model, held).result();
    expect(toolCalls).toMatchObject([{ arguments: { a: 2, b: 3 } }]);
    expect(requests[0]).not.toHaveProperty("constraint");
    expect(requests[1]?.constraint).toEqual({ type: "gbnf", grammar: expect.stringContaining("root ::=") });
    const other = scripted(call({ a: 2, b: 3 }, "sub"), "Five.");
    await turnOf(other.model, held).result();
    expect(other.requests[1]?.constraint?.triggers).toEqual([{ type: "word", value: "<tool_call>" }]);
  });
});

describe("escaped text", () => {
  it("comes back whole in arguments, deltas and answers", async () => {
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

  it("is known in JSON by its escape too, however the reply is cut", async () => {
    const reply =
      '<tool_call>\n{"name": "say", "arguments": {"text": "a \\\\u2060 <\\u2060|x|> \\u003c\\u2060s>"}}\n</tool_call>';
    const model: TextModel = async function* () {
      yield* reply;
    };
    const turn = turnOf(model);
    const deltas = (await eventsOf(turn))
      .map((event) => (event.type === "call-delta" ? event.argumentsDelta : ""))
      .join("");
    const { toolCalls } = await turn.result();
    expect(toolCalls[0]?.arguments).toEqual({ text: "a \\u2060 <|x|> <s>" });
    expect(JSON.parse(deltas)).toEqual(toolCalls[0]?.arguments);
  });
});

describe("failures and aborts", () => {
  it("pass on what the model throws, as it is", async () => {
    const boom = new Error("boom");
    const model: TextModel = async function* () {
      yield "Hi";
      throw boom;
    };
    const turn = turnOf(model);
    await expect(eventsOf(turn)).rejects.toBe(boom);
    await expect(turn.result()).rejects.toBe(boom);
  });

  it("abort before the model is asked", async () => {
    const { model, requests } = scripted("Hi");
    await expect(turnOf(model, { signal: AbortSignal.abort(new Error("no")) }).result()).rejects.toThrow("no");
    expect(requests).toHaveLength(0);
  });

  it("abort a model that is silent and pays no heed", async () => {
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
