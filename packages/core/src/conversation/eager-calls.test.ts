import { describe, expect, it } from "vitest";
import { callOf, conversationOf, integer, text, toolOf } from "../../test/support/scripted-conversation.js";

describe("read-only tools", () => {
  const reading = (onRun: () => void = () => {}) =>
    toolOf(
      "read",
      { n: integer },
      ({ n }) => {
        onRun();
        return `read ${n}`;
      },
      { readOnly: true },
    );

  it("start while the model is still writing", async () => {
    const order: string[] = [];
    const tool = reading(() => order.push("ran"));
    const { conversation } = conversationOf([], {
      tools: [tool],
      eagerReadOnly: true,
      model: async function* ({ messages }) {
        if (messages.length > 2) return yield "Done.";
        yield '<tool_call>\n{"name": "read", "arguments": {"n": 1}}\n</tool_call>\n';
        await new Promise((resolve) => setImmediate(resolve));
        yield '<tool_call>\n{"name": "read", "arguments": {"n": 2}}\n</tool_call>';
        order.push("written");
      },
    });
    const { messages, text: answer } = await conversation.run("Go.").result();
    expect(answer).toBe("Done.");
    expect(order[0]).toBe("ran");
    // None runs twice.
    expect(tool.runs).toEqual([{ n: 1 }, { n: 2 }]);
    expect(messages.filter(({ role }) => role === "tool").map(({ content }) => content)).toEqual(["read 1", "read 2"]);
  });

  it("are discarded if the reply is repaired", async () => {
    const tool = reading();
    const { conversation } = conversationOf(
      [{ calls: [callOf("read", { n: 1 }), callOf("read", { m: 2 })] }, { calls: [callOf("read", { n: 3 })] }, "Done."],
      { tools: [tool], eagerReadOnly: true },
    );
    const { messages } = await conversation.run("Go.").result();
    expect(tool.runs).toEqual([{ n: 1 }, { n: 3 }]);
    expect(messages.filter(({ role }) => role === "tool").map(({ content }) => content)).toEqual(["read 3"]);
  });

  it("wait for the reply by default, or if approval is needed", async () => {
    for (const options of [{}, { eagerReadOnly: true, needsApproval: () => true }]) {
      const tool = reading();
      const { conversation } = conversationOf(
        [{ calls: [callOf("read", { n: 1 }), callOf("read", { m: 2 })] }, "Done."],
        {
          tools: [tool],
          ...options,
        },
      );
      await conversation.run("Go.").result();
      expect(tool.runs).toEqual([]);
    }
  });

  const reads = (...numbers: number[]) => ({ calls: numbers.map((n) => callOf("read", { n })) });

  it.each([{ calls: 1 }, { callsPerTool: { read: 1 } }])("stay within the budget: %o", async (budget) => {
    const tool = reading();
    const { conversation } = conversationOf([reads(1, 2, 3), "Done."], { tools: [tool], eagerReadOnly: true, budget });
    await conversation.run("Go.").result();
    expect(tool.runs).toEqual([{ n: 1 }]);
  });

  it("do not run if the same call was repeated too often", async () => {
    const tool = reading();
    const { conversation } = conversationOf([reads(1), reads(1), "Done."], {
      tools: [tool],
      eagerReadOnly: true,
      maxIdenticalCalls: 1,
    });
    expect((await conversation.run("Go.").result()).stopReason).toBe("repeated-call");
    expect(tool.runs).toHaveLength(1);
  });

  it("do not run in send()", async () => {
    const tool = reading();
    const { conversation } = conversationOf([reads(1), "Done."], { tools: [tool], eagerReadOnly: true });
    const { toolCalls } = await conversation.send("Go.");
    await conversation.submitToolResults([{ toolCallId: toolCalls[0]!.id, name: "read", content: "mine" }]);
    expect(tool.runs).toEqual([]);
  });

  it("run with the idempotency key of the log", async () => {
    const keys: unknown[] = [];
    const read = toolOf("read", { n: integer }, (_, { idempotencyKey }) => keys.push(idempotencyKey), {
      readOnly: true,
    });
    const { conversation } = conversationOf([reads(1), "Done."], { tools: [read], eagerReadOnly: true });
    await conversation.run("Go.").result();
    const started = conversation.log.flatMap((one) => (one.type === "call-started" ? [one.idempotencyKey] : []));
    expect(keys).toEqual(started);
  });

  it.each([
    [["write", "read"], { exclusive: true }, {}],
    [["read", "write"], { exclusive: true }, {}],
    [["read", "read", "write", "read"], { exclusive: true }, {}],
    [["write", "read"], {}, { concurrency: 1 }],
    [["read", "read", "write"], {}, { concurrency: 1 }],
  ] as const)(
    "do not run next to exclusive tools, and respect the concurrency limit: %o %o %o",
    async (names, more, options) => {
      let running = 0;
      let most = 0;
      const tracked = async ({ n }: Record<string, unknown>) => {
        running += 1;
        if (n === "write" || "concurrency" in options) most = Math.max(most, running);
        for (let tick = 0; tick < 5; tick++) await new Promise((resolve) => setImmediate(resolve));
        if (n === "write") most = Math.max(most, running);
        running -= 1;
      };
      const tools = [
        toolOf("read", { n: text }, tracked, { readOnly: true }),
        toolOf("write", { n: text }, tracked, more),
      ];
      const calls = names.map((name) => callOf(name, { n: name }));
      const { conversation } = conversationOf([{ calls }, "Done."], {
        tools,
        eagerReadOnly: true,
        maxIdenticalCalls: Number.POSITIVE_INFINITY,
        ...options,
      });
      await conversation.run("Go.").result();
      expect(tools.flatMap(({ runs }) => runs)).toHaveLength(names.length);
      expect(most).toBe(1);
    },
  );
});
