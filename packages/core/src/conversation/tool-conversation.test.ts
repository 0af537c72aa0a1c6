import { describe, expect, it } from "vitest";
import {
  add,
  callOf,
  conversationOf,
  scriptedModel,
  text,
  toolOf,
  weather,
  written,
} from "../../test/support/scripted-conversation.js";
import { type ConversationEvent, ConversationStateError, memoryStore, ToolConversation } from "./index.js";

async function eventsOf(run: AsyncIterable<ConversationEvent>) {
  const events: ConversationEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}

/** Removes the escaping of quotes in a result that is JSON. */
const plain = (content: string) => content.replaceAll('\\"', '"');

describe("a run", () => {
  it("asks the model, runs its calls and gives it the results until it answers", async () => {
    const adding = add();
    const { conversation, requests, last } = conversationOf(
      [{ calls: [callOf("add", { a: 2, b: 3 })] }, { calls: [callOf("add", { a: 5, b: 4 })] }, "It is 9."],
      { tools: [adding], instructions: "Be brief." },
    );
    const result = await conversation.run("2 + 3 + 4?").result();
    expect(result).toMatchObject({ text: "It is 9.", stopReason: "answer", pending: [] });
    // Each result is used in the next turn.
    expect(adding.runs).toEqual([
      { a: 2, b: 3 },
      { a: 5, b: 4 },
    ]);
    expect(requests).toHaveLength(3);
    expect(last()).toContain("9");
    expect(result.messages.map(({ role }) => role)).toEqual([
      ...["system", "user", "assistant", "tool", "assistant", "tool", "assistant"],
    ]);
    expect(conversation.log.map(({ type }) => type)).toEqual([
      ...["begin", "user", "reply", "call-started", "call-settled", "reply", "call-started", "call-settled"],
      ...["reply", "end"],
    ]);
  });

  it("runs no call of the reasoning that the model's template opened", async () => {
    const adding = add();
    const unused = written({ calls: [callOf("add", { a: 6, b: 6 })] }).join("");
    const { conversation } = conversationOf(
      [{ text: `Or ${unused}?</think>`, calls: [callOf("add", { a: 2, b: 3 })] }, `${unused}?</think>It is 5.`],
      { tools: [adding], startWithReasoning: true },
    );
    expect(await conversation.run("2 + 3?").result()).toMatchObject({ text: "It is 5.", stopReason: "answer" });
    expect(adding.runs).toEqual([{ a: 2, b: 3 }]);
  });

  it("streams what happens", async () => {
    const { conversation } = conversationOf(
      [{ text: "Let me see.", calls: [callOf("weather", { city: "Oslo" })] }, "Fine."],
      {
        tools: [weather()],
      },
    );
    const run = conversation.run("Weather?");
    const events = await eventsOf(run);
    const types = events.map(({ type }) => type).filter((type, i, all) => type !== all[i - 1]);
    expect(types).toEqual([
      ...[
        "text",
        "call-start",
        "call-delta",
        "call-end",
        "turn-end",
        "tool-start",
        "tool-end",
        "text",
        "turn-end",
        "end",
      ],
    ]);
    expect(events.at(-1)).toEqual({ type: "end", result: await run.result() });
    expect(events.find(({ type }) => type === "tool-end")).toMatchObject({
      call: { name: "weather" },
      result: { content: "Fine in Oslo." },
    });
  });

  it("adds up the tokens since the user's message", async () => {
    const usage = { inputTokens: 10, outputTokens: 2, cacheReadTokens: 4 };
    const call = '<tool_call>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n</tool_call>';
    const { conversation } = conversationOf(
      [
        [call, { usage }],
        ["Fine.", { usage }],
        ["Bye.", { usage }],
      ],
      {
        tools: [weather()],
      },
    );
    expect((await conversation.run("Weather?").result()).usage).toEqual({
      inputTokens: 20,
      outputTokens: 4,
      cacheReadTokens: 8,
    });
    expect((await conversation.run("Bye.").result()).usage).toEqual(usage);
  });

  it("keeps the prefix of the prompt from turn to turn", async () => {
    const { conversation, requests } = conversationOf(
      [{ calls: [callOf("weather", { city: "Oslo" })] }, "Fine.", "Yes."],
      {
        tools: [weather()],
        instructions: "Be brief.",
      },
    );
    await conversation.run("Weather?").result();
    await conversation.run("Really?").result();
    for (const [i, { messages }] of requests.slice(1).entries()) {
      const before = requests[i]!.messages;
      expect(messages.slice(0, before.length)).toEqual(before);
    }
  });

  it("ends with a tool result that is the answer", async () => {
    const answer = toolOf("answer", { text }, ({ text: said }) => said, { resultAsAnswer: true });
    const { conversation, requests } = conversationOf([{ calls: [callOf("answer", { text: "Five." })] }], {
      tools: [answer],
      toolChoice: "required",
    });
    expect(await conversation.run("2 + 3?").result()).toMatchObject({ text: "Five.", stopReason: "stop-tool" });
    expect(requests).toHaveLength(1);
  });

  it("forces a required tool only once", async () => {
    const { conversation, requests } = conversationOf([{ calls: [callOf("weather", { city: "Oslo" })] }, "Fine."], {
      tools: [weather()],
      toolChoice: "required",
      prefill: false,
    });
    expect(await conversation.run("Weather?").result()).toMatchObject({ text: "Fine.", stopReason: "answer" });
    expect(requests[0]!.messages.at(-1)!.content).toContain("Answer this with a tool call.");
  });

  it("reports the error that the model threw", async () => {
    const { conversation } = conversationOf([], {
      // biome-ignore lint/correctness/useYield: it fails before
      model: async function* () {
        throw new Error("no route to host");
      },
    });
    const run = conversation.run("Hello?");
    const result = await run.result();
    expect(result).toMatchObject({ stopReason: "error", error: { message: "no route to host" } });
  });

  it("returns the text of an interrupted model, but keeps it out of the history", async () => {
    for (const how of ["error", "aborted"] as const) {
      const controller = new AbortController();
      const { conversation } = conversationOf([], {
        model: async function* () {
          yield "It is ";
          if (how === "error") throw new Error("cut off");
          controller.abort();
          await new Promise(() => {});
        },
      });
      const result = await conversation.run("2 + 3?", { signal: controller.signal }).result();
      expect(result).toMatchObject({ stopReason: how, text: "It is" });
      expect(result.messages).toHaveLength(1);
    }
  });

  it("continues after an error as if it had not happened", async () => {
    let down = true;
    const { conversation } = conversationOf([], {
      model: async function* () {
        if (down) throw new Error("down");
        yield "Hello.";
      },
    });
    expect((await conversation.run("Hello?").result()).stopReason).toBe("error");
    down = false;
    expect(await conversation.run().result()).toMatchObject({ text: "Hello.", stopReason: "answer" });
    expect(conversation.messages).toHaveLength(2);
  });

  it("is refused without a message, or during another run", async () => {
    const { conversation } = conversationOf(["Hello."]);
    await expect(conversation.run().result()).rejects.toMatchObject({ code: "nothing-to-do" });
    const first = conversation.run("Hello?").result();
    await expect(conversation.run("You there?").result()).rejects.toMatchObject({ code: "busy" });
    await first;
  });

  it("continues given messages", async () => {
    const { conversation, requests } = conversationOf(["Five."], { messages: [{ role: "user", content: "2 + 3?" }] });
    expect((await conversation.run().result()).text).toBe("Five.");
    expect(requests[0]!.messages).toEqual([{ role: "user", content: "2 + 3?" }]);
  });

  it("gives calls unique ids, even if the generator repeats them", async () => {
    const calls = [callOf("weather", { city: "Oslo" })];
    const { conversation } = conversationOf([{ calls }, { calls: [callOf("weather", { city: "Rome" })] }, "Fine."], {
      tools: [weather()],
      generateId: () => "call_1",
    });
    const { messages } = await conversation.run("Weather?").result();
    const ids = messages.flatMap((message) => (message.role === "tool" ? [message.toolCallId] : []));
    expect(new Set(ids).size).toBe(2);
  });
});

describe("wrong calls", () => {
  it("in invalid JSON are requested again", async () => {
    const tool = weather();
    const { conversation, requests, last } = conversationOf(
      [
        '<tool_call>\n{"name": "weather", "arguments": {"city": [}}\n</tool_call>',
        { calls: [callOf("weather", { city: "Oslo" })] },
        "Fine.",
      ],
      { tools: [tool] },
    );
    const run = conversation.run("Weather?");
    const events = await eventsOf(run);
    expect((await run.result()).text).toBe("Fine.");
    expect(tool.runs).toEqual([{ city: "Oslo" }]);
    expect(events.find(({ type }) => type === "retry")).toMatchObject({ calls: [{ error: { code: "malformed" } }] });
    expect(requests).toHaveLength(3);
    // What was wrong is not kept.
    expect(last()).not.toContain("[}");
  });

  it.each(["retry", "surface"] as const)("of an unknown tool are refused, under %s", async (onInvalidCall) => {
    const { conversation, requests } = conversationOf([{ calls: [callOf("wether", { city: "Oslo" })] }, "I cannot."], {
      tools: [weather()],
      onInvalidCall,
    });
    expect(await conversation.run("Weather?").result()).toMatchObject({ text: "I cannot.", stopReason: "answer" });
    expect(plain(requests[1]!.messages.at(-1)!.content)).toContain(
      'There is no tool named "wether". Did you mean "weather"?',
    );
  });

  it.each(["retry", "surface"] as const)(
    "with mismatched arguments show the schema, under %s",
    async (onInvalidCall) => {
      const tool = add();
      const { conversation, requests } = conversationOf(
        [{ calls: [callOf("add", { a: "two", b: 3 })] }, { calls: [callOf("add", { a: 2, b: 3 })] }, "Five."],
        { tools: [tool], onInvalidCall },
      );
      expect(await conversation.run("2 + 3?").result()).toMatchObject({ text: "Five." });
      expect(plain(requests[1]!.messages.at(-1)!.content)).toContain('{"type":"integer"}');
      expect(tool.runs).toEqual([{ a: 2, b: 3 }]);
    },
  );

  it("do not stop the others, under surface", async () => {
    const tool = weather();
    const { conversation, last } = conversationOf(
      [{ calls: [callOf("weather", { town: "Oslo" }), callOf("weather", { city: "Rome" })] }, "Fine."],
      { tools: [tool], onInvalidCall: "surface" },
    );
    await conversation.run("Weather?").result();
    expect(tool.runs).toEqual([{ city: "Rome" }]);
    expect(last()).toContain("Fine in Rome.");
    expect(last()).toContain("is missing");
  });

  it.each(["retry", "surface"] as const)("end the run if they repeat, under %s", async (onInvalidCall) => {
    const bad = { calls: [callOf("add", { a: 1 })] };
    const { conversation, requests } = conversationOf(Array(9).fill(bad), { tools: [add()], onInvalidCall });
    const result = await conversation.run("2 + 3?").result();
    const invalidToolCalls = [{ name: "add", error: { code: "invalid-arguments" } }];
    expect(result).toMatchObject({ stopReason: "invalid-replies", pending: [], invalidToolCalls });
    expect(requests).toHaveLength(3);
    expect((await conversation.run("Never mind.").result()).stopReason).toBe("invalid-replies");
  });

  it("without a readable name are answered too", async () => {
    const broken = "<tool_call>\n{{{{\n</tool_call>";
    const { conversation, requests } = conversationOf([broken, "Sorry."], { tools: [add()], onInvalidCall: "surface" });
    expect(await conversation.run("2 + 3?").result()).toMatchObject({ text: "Sorry.", stopReason: "answer" });
    expect(requests[1]!.messages.at(-1)!.role).toBe("user");
  });
});

describe("one turn", () => {
  it("returns the calls and accepts their results", async () => {
    const { conversation, last } = conversationOf(
      [{ calls: [callOf("weather", { city: "Oslo" }), callOf("weather", { city: "Rome" })] }, "Fine in both."],
      { tools: [{ name: "weather" }] },
    );
    const turn = await conversation.send("Weather?");
    expect(turn).toMatchObject({ stopReason: "needs-results", toolCalls: [{ name: "weather" }, { name: "weather" }] });
    const [oslo, rome] = turn.toolCalls.map(({ id, name }) => ({ toolCallId: id, name, content: `Result ${id}` }));
    await expect(conversation.send("And?")).rejects.toMatchObject({ code: "open-calls" });
    await expect(conversation.submitToolResults([oslo!])).rejects.toMatchObject({ code: "missing-results" });
    await expect(conversation.submitToolResults([{ ...oslo!, toolCallId: "x" }])).rejects.toMatchObject({
      code: "unknown-call",
    });
    expect(await conversation.submitToolResults([rome!, oslo!])).toMatchObject({
      text: "Fine in both.",
      stopReason: "answer",
    });
    // In the order of the calls, not of the results.
    expect(last().indexOf(oslo!.content)).toBeLessThan(last().indexOf(rome!.content));
    await expect(conversation.submitToolResults([])).rejects.toBeInstanceOf(ConversationStateError);
  });

  it("can be followed by a run, which executes the calls", async () => {
    const tool = weather();
    const { conversation } = conversationOf([{ calls: [callOf("weather", { city: "Oslo" })] }, "Fine."], {
      tools: [tool],
    });
    await conversation.send("Weather?");
    expect(tool.runs).toEqual([]);
    expect((await conversation.run().result()).text).toBe("Fine.");
    expect(tool.runs).toEqual([{ city: "Oslo" }]);
  });

  it("is the next step of a run that needs the client's results", async () => {
    const tool = weather();
    const { conversation } = conversationOf(
      [{ calls: [callOf("ask_user", {}), callOf("weather", { city: "Oslo" })] }, "Fine."],
      { tools: [tool, { name: "ask_user" }] },
    );
    const { stopReason, pending } = await conversation.run("Weather?").result();
    expect(stopReason).toBe("needs-results");
    expect(pending).toMatchObject([{ why: "result", call: { name: "ask_user" } }]);
    expect(tool.runs).toHaveLength(1);
    const toolCallId = pending[0]!.call.id;
    expect((await conversation.submitToolResults([{ toolCallId, name: "ask_user", content: "Oslo" }])).text).toBe(
      "Fine.",
    );
  });
});

describe("a conversation as data", () => {
  const script = [{ calls: [callOf("weather", { city: "Oslo" })] }, "Fine.", "Bye."];

  it("continues in another process", async () => {
    const { conversation } = conversationOf(script, { tools: [weather({ needsApproval: true })] });
    const { pending } = await conversation.run("Weather?").result();
    const state = JSON.parse(JSON.stringify(conversation));
    const tool = weather({ needsApproval: true });
    const other = conversationOf(["Fine."], {});
    const again = ToolConversation.fromJSON(state, { model: other.model, tools: [tool], protocol: "hermes" });
    await again.decide(pending[0]!.call.id, { type: "approve" });
    expect(await again.run().result()).toMatchObject({ text: "Fine.", stopReason: "answer" });
    expect(again.id).toBe(conversation.id);
  });

  it.each([
    [{}, "bad-log"],
    [{ version: 1, log: [] }, "bad-log"],
    [{ version: 1, log: [{ type: "user", content: "Hi", at: 0 }] }, "bad-log"],
    [{ version: 9, log: [{}] }, "unknown-version"],
    [{ version: 1, log: [{ at: 0, type: "begin", version: 9, id: "x", messages: [], tools: {} }] }, "unknown-version"],
  ])("is checked: %j", (state, code) => {
    const { model } = conversationOf([]);
    expect(() => ToolConversation.fromJSON(state as never, { model })).toThrow(expect.objectContaining({ code }));
  });

  it("is refused by a store that another writer has appended to", async () => {
    const store = memoryStore();
    const one = conversationOf(["Hi.", "Hi again."], { store });
    await one.conversation.run("Hello.").result();
    const two = await ToolConversation.resume({ model: one.model, store, protocol: "hermes" });
    await two.run("Hello again.").result();
    const before = one.conversation.log.length;
    await expect(one.conversation.run("And I?").result()).rejects.toMatchObject({ code: "conflict", expected: before });
    expect(one.conversation.log).toHaveLength(before);
  });

  it("is forked at any record, with its own id", async () => {
    const { conversation } = conversationOf(script, { tools: [weather()] });
    await conversation.run("Weather?").result();
    const { length } = conversation.log;
    for (let count = 1; count <= length; count++) {
      const fork = conversation.fork(count);
      expect(fork.log).toEqual(conversation.log.slice(0, count));
      expect(fork.id).not.toBe(conversation.id);
    }
    const store = memoryStore();
    const fork = conversation.fork(length, { store });
    expect((await fork.run("Bye.").result()).text).toBe("Bye.");
    expect(await store.read()).toEqual(fork.log);
    expect(conversation.log).toHaveLength(length);
    expect(() => conversation.fork(0)).toThrow(expect.objectContaining({ code: "bad-option" }));
  });

  it("keeps the id of a fork that is saved as JSON before it runs", async () => {
    const keys: unknown[] = [];
    const tool = weather();
    const execute: typeof tool.execute = (_, { idempotencyKey }) => keys.push(idempotencyKey);
    const options = { tools: [{ ...tool, execute }] };
    const { conversation } = conversationOf(script, options);
    await conversation.run("Weather?").result();
    const reply = conversation.log.findIndex(({ type }) => type === "reply");
    const fork = conversation.fork(reply + 1);
    const { model } = scriptedModel("Fine.");
    const state = JSON.parse(JSON.stringify(fork)) as ReturnType<typeof fork.toJSON>;
    const again = ToolConversation.fromJSON(state, { model, protocol: "hermes", ...options });
    expect(again.id).toBe(fork.id);
    await again.run().result();
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toHaveLength(2);
    expect(again.log.filter(({ type }) => type === "forked")).toHaveLength(1);
  });

  it("checks open calls against new tools: the model sees that the new schema refuses one", async () => {
    const store = memoryStore();
    const first = conversationOf(script, { tools: [weather({ needsApproval: true })], store });
    await first.conversation.run("Weather?").result();
    const renamed = toolOf("weather", { place: text }, () => "Fine.");
    const { model, requests } = conversationOf([{ calls: [callOf("weather", { place: "Oslo" })] }, "Fine."]);
    const again = await ToolConversation.resume({ model, store, tools: [renamed], protocol: "hermes" });
    expect(await again.run().result()).toMatchObject({ text: "Fine.", pending: [] });
    expect(requests[0]!.messages.at(-1)!.content).toContain("place");
    expect(renamed.runs).toEqual([{ place: "Oslo" }]);
    expect(again.log.some(({ type }) => type === "tools")).toBe(true);
  });

  it("keeps an open call that matches the new schema, and refuses one whose tool was removed", async () => {
    for (const kept of [true, false]) {
      const store = memoryStore();
      const first = conversationOf(script, { tools: [weather({ needsApproval: true })], store });
      const { pending } = await first.conversation.run("Weather?").result();
      const wider = toolOf("weather", { city: text }, () => "Fine.", { parameters: { type: "object" } });
      const { model, last } = conversationOf(["Fine."]);
      const tools = kept ? [wider] : [add()];
      const again = await ToolConversation.resume({ model, store, tools, protocol: "hermes" });
      if (kept) await again.decide(pending[0]!.call.id, { type: "approve" });
      expect(await again.run().result()).toMatchObject({ text: "Fine." });
      if (kept) expect(wider.runs).toEqual([{ city: "Oslo" }]);
      else expect(plain(last())).toContain('There is no tool named "weather"');
    }
  });
});
