import { Readable } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import { callOf, conversationOf, integer, text, toolOf, weather } from "../../test/support/scripted-conversation.js";
import type { ConversationOptions, ConversationTool } from "./index.js";

const calls = (count: number, name = "work") => Array.from({ length: count }, (_, n) => callOf(name, { n }));

/** A tool that waits until it is let go, and what it saw. */
function gated(more: Partial<ConversationTool> = {}, name = "work") {
  let running = 0;
  let most = 0;
  const gates: (() => void)[] = [];
  const tool = toolOf(
    name,
    { n: integer },
    async ({ n }) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => gates.push(resolve));
      running -= 1;
      return `result ${n}`;
    },
    more,
  );
  /** Lets all go, the last one first, until nothing waits. */
  const letGo = async () => {
    for (let idle = 0; idle < 20; idle++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (gates.length > 0) idle = 0;
      gates.pop()?.();
    }
  };
  return { tool, letGo, most: () => most };
}

async function runGated(gate: ReturnType<typeof gated>, options: Partial<ConversationOptions>, count = 6) {
  const { conversation, last } = conversationOf([{ calls: calls(count) }, "Done."], { tools: [gate.tool], ...options });
  const result = conversation.run("Go.").result();
  await gate.letGo();
  return { result: await result, last, conversation };
}

const refuse = (): never => {
  throw new Error("no");
};

describe("calls of one reply", () => {
  it("run in parallel, with results in the order of the calls", async () => {
    const gate = gated();
    const { result } = await runGated(gate, {});
    expect(gate.most()).toBe(6);
    const contents = result.messages.flatMap((message) => (message.role === "tool" ? [message.content] : []));
    expect(contents).toEqual([0, 1, 2, 3, 4, 5].map((n) => `result ${n}`));
  });

  it.each([1, 2, 4])("run at most %i at a time", async (concurrency) => {
    const gate = gated();
    const { result } = await runGated(gate, { concurrency });
    expect(gate.most()).toBe(concurrency);
    expect(result.text).toBe("Done.");
  });

  it("run alone if the tool is exclusive", async () => {
    const order: string[] = [];
    const tick = () => new Promise((resolve) => setImmediate(resolve));
    const tracked = (name: string, more: Partial<ConversationTool>) =>
      toolOf(
        name,
        { n: integer },
        async ({ n }) => {
          order.push(`+${name}${n}`);
          await tick();
          await tick();
          order.push(`-${name}${n}`);
        },
        more,
      );
    const { conversation } = conversationOf(
      [{ calls: [...calls(2, "free"), ...calls(1, "alone"), ...calls(2, "free2")] }, "Done."],
      { tools: [tracked("free", {}), tracked("alone", { exclusive: true }), tracked("free2", {})] },
    );
    await conversation.run("Go.").result();
    expect(order.slice(0, 2)).toEqual(["+free0", "+free1"]);
    expect(order.slice(4, 6)).toEqual(["+alone0", "-alone0"]);
    expect(order.slice(6, 8)).toEqual(["+free20", "+free21"]);
  });

  it("complete even if one of them fails", async () => {
    const failing = toolOf("fail", {}, () => {
      throw new Error("the key is broken");
    });
    const { conversation, last } = conversationOf(
      [{ calls: [callOf("fail", {}), callOf("weather", { city: "Oslo" })] }, "Partly."],
      { tools: [failing, weather()] },
    );
    expect((await conversation.run("Go.").result()).text).toBe("Partly.");
    expect(last()).toContain("the key is broken");
    expect(last()).toContain("Fine in Oslo.");
  });

  it("end after their tool's timeout", async () => {
    vi.useFakeTimers();
    try {
      let aborted = false;
      const slow = toolOf(
        "slow",
        {},
        (_, { signal }) => {
          signal?.addEventListener("abort", () => {
            aborted = true;
          });
          return new Promise(() => {});
        },
        { timeout: 5000 },
      );
      const { conversation, last } = conversationOf([{ calls: [callOf("slow", {})] }, "Too slow."], { tools: [slow] });
      const result = conversation.run("Go.").result();
      await vi.advanceTimersByTimeAsync(5001);
      expect((await result).text).toBe("Too slow.");
      expect(aborted).toBe(true);
      expect(last()).toContain("within 5000 ms");
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([Number.POSITIVE_INFINITY, 2 ** 31, 5e9])(
    "accept a timeout longer than the longest timer: %d ms",
    async (timeout) => {
      vi.useFakeTimers();
      try {
        const slow = (ms: number) =>
          toolOf("slow", {}, () => new Promise((resolve) => setTimeout(resolve, ms, "done")), { timeout });
        const running = (tool: ConversationTool) =>
          conversationOf([{ calls: [callOf("slow", {})] }, "Well."], { tools: [tool] })
            .conversation.run("Go.")
            .result();
        const done = running(slow(100));
        await vi.advanceTimersByTimeAsync(100);
        expect((await done).messages.find(({ role }) => role === "tool")).toMatchObject({ content: "done" });
        if (timeout === Number.POSITIVE_INFINITY) return;
        const late = running({ ...slow(0), execute: () => new Promise(() => {}) });
        await vi.advanceTimersByTimeAsync(timeout);
        expect((await late).messages.find(({ role }) => role === "tool")?.content).toContain(`within ${timeout} ms`);
      } finally {
        vi.useRealTimers();
      }
    },
  );

  it("all have a result when the run is aborted", async () => {
    const controller = new AbortController();
    const started = toolOf("started", {}, () => {
      queueMicrotask(() => controller.abort());
      return new Promise(() => {});
    });
    const waits = weather({ needsApproval: true });
    const { conversation, requests } = conversationOf(
      [{ calls: [callOf("weather", { city: "Rome" }), callOf("started", {}), callOf("started", {})] }, "Well."],
      { tools: [started, waits], concurrency: 1 },
    );
    const result = await conversation.run("Go.", { signal: controller.signal }).result();
    expect(result).toMatchObject({ stopReason: "aborted", pending: [] });
    const results = result.messages.filter(({ role }) => role === "tool");
    expect(results.map(({ content }) => content)).toEqual([
      "The user stopped the run before this call was made.",
      "The user stopped this call while it ran; nobody knows whether it took effect.",
      "The user stopped the run before this call was made.",
    ]);
    expect((await conversation.run("Go on.").result()).text).toBe("Well.");
    expect(requests).toHaveLength(2);
  });

  it("do not delay a reader who stops", async () => {
    const { conversation } = conversationOf([{ calls: [callOf("never", {})] }], {
      tools: [toolOf("never", {}, () => new Promise(() => {}))],
    });
    const run = conversation.run("Go.");
    for await (const event of run) if (event.type === "tool-start") break;
    expect((await run.result()).stopReason).toBe("aborted");
  });

  it("do not delay a reader who stops after asking for the result", async () => {
    const { conversation } = conversationOf([{ calls: [callOf("never", {})] }], {
      tools: [toolOf("never", {}, () => new Promise(() => {}))],
    });
    const run = conversation.run("Go.");
    const result = run.result();
    for await (const event of run) if (event.type === "tool-start") break;
    expect((await result).stopReason).toBe("aborted");
  });

  it.each([
    ["message", "day 32"],
    ["full", "RangeError [E_DAY]: day 32\nCaused by Error: no such day"],
    ["hidden", 'The tool "fail" failed.'],
    [(error: unknown) => `So: ${(error as Error).message}`, "So: day 32"],
    [
      () => {
        throw new Error("twice");
      },
      'The tool "fail" failed.',
    ],
  ] as const)("show as much of an error as the option says: %s", async (errorDetail, content) => {
    const error = Object.assign(new RangeError("day 32", { cause: new Error("no such day") }), { code: "E_DAY" });
    for (const fails of [() => error, () => Promise.reject(error)]) {
      const { conversation } = conversationOf([{ calls: [callOf("fail", {})] }, "Well."], {
        tools: [toolOf("fail", {}, fails)],
        errorDetail,
      });
      const { messages } = await conversation.run("Go.").result();
      expect(messages.find(({ role }) => role === "tool")).toMatchObject({ content, isError: true });
    }
  });

  const thrower = (make: () => unknown) => () => {
    throw make();
  };
  const circular = () => {
    const value: Record<string, unknown> = { name: "loop", list: [1n] };
    value.self = value;
    return value;
  };
  const revoked = () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  };
  const unnamed = 'The tool "odd" failed.';

  it.each<[string, () => unknown, string]>([
    ["an error without a message", () => Object.assign(new Error("x"), { message: undefined }), unnamed],
    ["an error whose message is data", () => Object.assign(new Error("x"), { message: { day: 32 } }), '{"day":32}'],
    ["data", () => ({ code: 409, why: "taken" }), '{"code":409,"why":"taken"}'],
    ["what looks like an error", () => ({ code: 409, message: "taken" }), "taken"],
    ["an object without a prototype", () => Object.create(null), "{}"],
    ["an object inside itself", circular, '{"name":"loop","list":[1],"self":"[Circular]"}'],
    ["what cannot be read", revoked, unnamed],
    [
      "a getter that throws",
      () => Object.defineProperty(new Error("x"), "message", { get: thrower(() => "again") }),
      unnamed,
    ],
    ["nothing", () => undefined, unnamed],
    ["a symbol", () => Symbol("taken"), "Symbol(taken)"],
    ["a large integer", () => 12n, "12"],
  ])("may throw any value without ending the run: %s", async (_, make, content) => {
    for (const errorDetail of ["message", "full", "hidden"] as const) {
      const { conversation } = conversationOf([{ calls: [callOf("odd", {})] }, "Well."], {
        tools: [toolOf("odd", {}, thrower(make))],
        errorDetail,
      });
      const { messages, stopReason } = await conversation.run("Go.").result();
      expect(stopReason).toBe("answer");
      const result = messages.find(({ role }) => role === "tool");
      expect(result).toMatchObject({ isError: true });
      if (errorDetail === "message") expect(result?.content).toBe(content);
    }
  });

  it("keep the default error text if the application's function returns none", async () => {
    const { conversation } = conversationOf([{ calls: [callOf("odd", {})] }, "Well."], {
      tools: [
        toolOf(
          "odd",
          {},
          thrower(() => new Error("x")),
        ),
      ],
      errorDetail: (() => ({ no: "text" })) as never,
    });
    const { messages } = await conversation.run("Go.").result();
    expect(messages.find(({ role }) => role === "tool")?.content).toBe(unnamed);
  });

  it.each<[string, () => unknown]>([
    [
      "an async generator",
      async function* () {
        yield "working";
      },
    ],
    ["a generator", [1].values.bind([1])],
    ["a stream", () => new ReadableStream()],
  ])("fail if the tool returns %s, which is none of its results", async (_, execute) => {
    const seen: unknown[] = [];
    const { conversation } = conversationOf([{ calls: [callOf("odd", {})] }, "Well."], {
      tools: [toolOf("odd", {}, execute)],
      errorDetail: (error) => {
        seen.push(error);
        return (error as Error).message;
      },
    });
    const { messages } = await conversation.run("Go.").result();
    const message = 'The tool "odd" returned a generator or a stream. Its `execute` must return one value.';
    expect(messages.find(({ role }) => role === "tool")).toMatchObject({ content: message, isError: true });
    expect(seen).toEqual([expect.objectContaining({ name: "ToolDefinitionError", code: "many-results", tool: "odd" })]);
  });

  it.each<[string, (closed: () => void) => unknown]>([
    ["a response", (closed) => new Response(new ReadableStream({ cancel: closed }))],
    [
      "a generator that has begun",
      (closed) => {
        const steps = (function* () {
          try {
            yield 1;
          } finally {
            closed();
          }
        })();
        steps.next();
        return steps;
      },
    ],
    ["a stream of the web", (closed) => new ReadableStream({ cancel: closed })],
    ["a stream of Node.js", (closed) => new Readable({ destroy: closed })],
    [
      "a stream that cannot be closed",
      (closed) => ({
        ...new ReadableStream(),
        [Symbol.iterator]: 0,
        pipe: 0,
        destroy() {
          closed();
          throw new Error("no");
        },
      }),
    ],
  ])("close %s, which a tool returned", async (_, opened) => {
    let isClosed = false;
    const execute = () => opened(() => (isClosed = true));
    const { conversation } = conversationOf([{ calls: [callOf("odd", {})] }, "Well."], {
      tools: [toolOf("odd", {}, execute)],
    });
    expect(await conversation.run("Go.")).toMatchObject({ text: "Well." });
    expect(isClosed).toBe(true);
  });

  it.each<[string, () => object]>([
    ["a proxy that nobody may look into", () => new Proxy({}, { has: refuse })],
    [
      "a generator that hides how it is closed",
      () => ({
        ...{ [Symbol.iterator]: 0, next: 0 },
        get return() {
          return refuse();
        },
      }),
    ],
  ])("leave nothing unhandled if a tool returned %s", async (_, returned) => {
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    const { conversation } = conversationOf([{ calls: [callOf("odd", {})] }, "Well."], {
      tools: [toolOf("odd", {}, returned)],
    });
    expect(await conversation.run("Go.")).toMatchObject({ text: "Well." });
    await new Promise((later) => setTimeout(later, 5));
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it("close a stream that a tool returned after its time", async () => {
    const closed = new Promise<boolean>((resolve) => {
      const execute = async () => {
        await new Promise((later) => setTimeout(later, 30));
        return new ReadableStream({ cancel: () => resolve(true) });
      };
      const tool = { ...toolOf("odd", {}, execute), timeout: 1 };
      const { conversation } = conversationOf([{ calls: [callOf("odd", {})] }, "Well."], { tools: [tool] });
      conversation
        .run("Go.")
        .result()
        .catch(() => resolve(false));
    });
    expect(await closed).toBe(true);
  });

  it("may return an object with data, such as a page, even if it can be iterated", async () => {
    class Page {
      data = [1];
      async *[Symbol.asyncIterator]() {
        yield 1;
      }
    }
    const { conversation } = conversationOf([{ calls: [callOf("page", {})] }, "Well."], {
      tools: [toolOf("page", {}, () => new Page())],
    });
    const { messages } = await conversation.run("Go.").result();
    expect(messages.find(({ role }) => role === "tool")?.content).toBe('{"data":[1]}');
  });

  it("may return values that JSON cannot represent", async () => {
    const within = (map: Map<string, unknown>) => map.set("self", map);
    const twice = { n: 1 };
    for (const [value, content] of [
      [circular(), '{"name":"loop","list":[1],"self":"[Circular]"}'],
      [{ total: 9007199254740993n }, '{"total":"9007199254740993"}'],
      [{ a: twice, b: [twice, 2n] }, '{"a":{"n":1},"b":[{"n":1},2]}'],
      [new Map([["a", new Set([twice, 2n])]]), '{"a":[{"n":1},2]}'],
      [new Map([[1, "one"]]), '[[1,"one"]]'],
      [
        { page: new Response("…"), later: Promise.resolve(1), like: /a+/ },
        '{"page":"[Response]","later":"[Promise]","like":"/a+/"}',
      ],
      [{ at: new Date(0), none: {} }, '{"at":"1970-01-01T00:00:00.000Z","none":{}}'],
      [within(new Map()), '{"self":"[Circular]"}'],
      [Buffer.from("Blåbær"), "Blåbær"],
      [
        { file: Buffer.from("a"), raw: new Uint8Array([98]), png: new Uint8Array([137, 80]) },
        '{"file":"a","raw":"b","png":"[2 bytes]"}',
      ],
      [{ vector: new Float64Array([1, 0.5]) }, '{"vector":[1,0.5]}'],
      [
        [{ status: "rejected", reason: new RangeError("no such day") }],
        '[{"status":"rejected","reason":"RangeError: no such day"}]',
      ],
    ] as const) {
      const { conversation } = conversationOf([{ calls: [callOf("odd", {})] }, "Well."], {
        tools: [toolOf("odd", {}, () => value)],
      });
      const { messages } = await conversation.run("Go.").result();
      const result = messages.find(({ role }) => role === "tool");
      expect(result).toMatchObject({ content });
      expect(result).not.toHaveProperty("isError");
    }
  });

  it("get their own copy of the arguments, and their id, name and key", async () => {
    let key: string | undefined;
    const greedy = toolOf("eat", { city: text }, (args, context) => {
      key = context.idempotencyKey;
      args.city = "gone";
      return { eaten: 1, at: undefined };
    });
    const { conversation } = conversationOf([{ calls: [callOf("eat", { city: "Oslo" })] }, "Well."], {
      tools: [greedy],
    });
    const { messages } = await conversation.run("Go.").result();
    expect(messages[1]).toMatchObject({ toolCalls: [{ arguments: { city: "Oslo" } }] });
    expect(messages[2]).toMatchObject({ content: '{"eaten":1}' });
    expect(key).toContain(conversation.id);
  });
});
