import { describe, expect, it } from "vitest";
import { callOf, conversationOf, text, toolOf, weather } from "../../test/support/scripted-conversation.js";
import { type ConversationRecord, type ConversationStore, memoryStore, ToolConversation } from "./index.js";

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
  it("does not end a fork, which is stored with the next run", async () => {
    const { conversation } = conversationOf(["Hello.", "Bye."]);
    await conversation.run("Hi.").result();
    const store = failingAt("forked");
    const fork = conversation.fork(conversation.log.length, { store });
    await expect(fork.run("Bye.").result()).rejects.toThrow("The disk is full.");
    expect((await fork.run("Bye.").result()).text).toBe("Bye.");
    expect(fork.log.filter(({ type }) => type === "forked")).toHaveLength(1);
    expect(await store.read()).toEqual(fork.log);
  });

  it("does not end a fork whose tools have changed", async () => {
    const { conversation } = conversationOf(["Hello.", "Bye."], { tools: [weather()] });
    await conversation.run("Hi.").result();
    const store = failingAt("tools");
    const { model } = conversationOf(["Bye."]);
    const other = ToolConversation.fromJSON(conversation.toJSON(), { model, tools: [], store });
    await expect(other.run("Bye.").result()).rejects.toThrow("The disk is full.");
    expect((await other.run("Bye.").result()).text).toBe("Bye.");
    expect(other.log.filter(({ type }) => type === "tools")).toHaveLength(1);
  });

  it("ends what was started early for a reply that could not be stored", async () => {
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

  it("does not run a call again that had started early", async () => {
    expect((await aborted(true)).tool.runs).toHaveLength(1);
  });
});
