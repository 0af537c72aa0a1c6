import { describe, expect, it, vi } from "vitest";
import { callOf, conversationOf, text, toolOf, weather } from "../../test/support/scripted-conversation.js";
import {
  type ConversationRecord,
  type ConversationStore,
  ConversationStoreError,
  memoryStore,
  ToolConversation,
} from "./index.js";

/** A store that does something before it appends; what that throws, the append throws, and nothing is stored. */
function storeWith(before: (records: readonly ConversationRecord[]) => unknown): ConversationStore {
  const inner = memoryStore();
  return {
    read: (from) => inner.read(from),
    append: async (records, expectedCount) => {
      await before(records);
      await inner.append(records, expectedCount);
    },
  };
}

/** A store that fails at the first record of a type, once. */
function failingAt(type: ConversationRecord["type"]): ConversationStore {
  let hasFailed = false;
  return storeWith((records) => {
    if (hasFailed || !records.some((record) => record.type === type)) return;
    hasFailed = true;
    throw new Error("The disk is full.");
  });
}

const asks = { calls: [callOf("weather", { city: "Oslo" })] };

describe("a store that fails once", () => {
  it("does not prevent a fork, which is stored with the next run", async () => {
    const { conversation } = conversationOf(["Hello.", "Bye."]);
    await conversation.run("Hi.").result();
    const store = failingAt("forked");
    const fork = conversation.fork(conversation.log.length, { store });
    await expect(fork.run("Bye.").result()).rejects.toThrow("The disk is full.");
    expect((await fork.run("Bye.").result()).text).toBe("Bye.");
    expect(fork.log.filter(({ type }) => type === "forked")).toHaveLength(1);
    expect(await store.read()).toEqual(fork.log);
  });

  it("does not prevent a fork whose tools have changed", async () => {
    const { conversation } = conversationOf(["Hello.", "Bye."], { tools: [weather()] });
    await conversation.run("Hi.").result();
    const store = failingAt("tools");
    const { model } = conversationOf(["Bye."]);
    const other = ToolConversation.fromJSON(conversation.toJSON(), { model, tools: [], store });
    await expect(other.run("Bye.").result()).rejects.toThrow("The disk is full.");
    expect((await other.run("Bye.").result()).text).toBe("Bye.");
    expect(other.log.filter(({ type }) => type === "tools")).toHaveLength(1);
  });

  it("aborts the calls that started early for a reply that could not be stored", async () => {
    let signal: AbortSignal | undefined;
    const execute = (_: object, context: { signal?: AbortSignal }) => {
      signal = context.signal;
      return new Promise(() => {});
    };
    const tool = toolOf("weather", { city: text }, execute, { readOnly: true });
    const { conversation } = conversationOf([asks, "Done."], {
      tools: [tool],
      eagerReadOnly: true,
      store: failingAt("reply"),
    });
    await expect(conversation.run("Go.").result()).rejects.toThrow("The disk is full.");
    expect(tool.runs).toHaveLength(1);
    expect(signal?.aborted).toBe(true);
  });
});

describe("an abort while the store is slow", () => {
  const aborted = async (readOnly: boolean) => {
    const stop = new AbortController();
    const store = storeWith((records) => {
      if (records.some(({ type }) => type === "call-started")) stop.abort();
    });
    const tool = weather({ readOnly });
    const options = { tools: [tool], store, eagerReadOnly: true };
    const { conversation } = conversationOf([asks, "Done."], options);
    const { stopReason } = await conversation.run("Go.", { signal: stop.signal }).result();
    expect(stopReason).toBe("aborted");
    return { tool, conversation };
  };

  it("starts no call", async () => {
    const { tool, conversation } = await aborted(false);
    expect(tool.runs).toEqual([]);
    const settled = conversation.log.filter((record) => record.type === "call-settled");
    expect(settled).toMatchObject([{ how: "cancelled", result: { content: expect.stringContaining("before this") } }]);
    expect((await conversation.run().result()).text).toBe("Done.");
  });

  it("does not run a call again that started early", async () => {
    expect((await aborted(true)).tool.runs).toHaveLength(1);
  });
});

describe("a store that does not answer", () => {
  /** Its answers wait from the first record of a type on, until `answer` is called. */
  function silentFrom(type: ConversationRecord["type"]) {
    let answer = () => {};
    const answers = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let isSilent = false;
    const store = storeWith((records) => {
      isSilent ||= records.some((record) => record.type === type);
      return isSilent ? answers : undefined;
    });
    return { store, answer };
  }
  const types = ["user", "reply", "call-started", "call-settled", "end"] as const;

  /** The error that a run ends with, and its conversation. */
  async function endOf(type: (typeof types)[number], how: "abort" | "time", tools = [weather()]) {
    vi.useFakeTimers();
    try {
      const { store, answer } = silentFrom(type);
      const budget = how === "time" ? { seconds: 30 } : {};
      const { conversation } = conversationOf([asks, "Done."], { tools, store, budget });
      const stop = new AbortController();
      const run = conversation.run("Go.", { signal: stop.signal });
      const events: string[] = [];
      const ended = (async () => {
        for await (const event of run) events.push(event.type);
      })().catch((error: unknown) => error);
      await vi.advanceTimersByTimeAsync(20_000);
      if (how === "abort") stop.abort();
      await vi.advanceTimersByTimeAsync(40_000);
      return { error: await ended, events, conversation, store, answer };
    } finally {
      vi.useRealTimers();
    }
  }

  it.each(types.flatMap((type) => (["abort", "time"] as const).map((how) => [type, how] as const)))(
    "ends the run with an error, and reports nothing as stored: %s, %s",
    async (type, how) => {
      const { error, events, conversation, store, answer } = await endOf(type, how);
      expect(error).toBeInstanceOf(ConversationStoreError);
      expect(error).toMatchObject({ code: "no-answer", waitedMs: 5000 });
      expect((error as Error).message).toContain("The store has not answered");
      expect(events).not.toContain("end");
      expect(conversation.log.map((record) => record.type)).not.toContain(type);
      // The store answers in the end: the log has the same records, and the conversation continues.
      answer();
      const result = await conversation.run(type === "user" ? "Go." : undefined).result();
      expect(["answer", "needs-approval"]).toContain(result.stopReason);
      expect(await store.read()).toEqual(conversation.log);
    },
  );

  it("starts no call that is not stored for certain", async () => {
    const tool = weather();
    await endOf("call-started", "abort", [tool]);
    expect(tool.runs).toEqual([]);
  });

  it("is waited for if it is only slow", async () => {
    vi.useFakeTimers();
    try {
      const stop = new AbortController();
      const store = storeWith(() => new Promise((resolve) => setTimeout(resolve, 2000)));
      const { conversation } = conversationOf([asks, "Done."], { tools: [weather()], store });
      const result = conversation.run("Go.", { signal: stop.signal }).result();
      await vi.advanceTimersByTimeAsync(3000);
      stop.abort();
      await vi.advanceTimersByTimeAsync(20_000);
      expect((await result).stopReason).toBe("aborted");
      expect(await store.read()).toEqual(conversation.log);
    } finally {
      vi.useRealTimers();
    }
  });

  it("ends an aborted turn too", async () => {
    vi.useFakeTimers();
    try {
      const { store } = silentFrom("user");
      const stop = new AbortController();
      const { conversation } = conversationOf(["Hello."], { store });
      const sent = conversation.send("Hi.", { signal: stop.signal }).catch((error: unknown) => error);
      stop.abort();
      await vi.advanceTimersByTimeAsync(5001);
      expect(await sent).toBeInstanceOf(ConversationStoreError);
    } finally {
      vi.useRealTimers();
    }
  });
});
