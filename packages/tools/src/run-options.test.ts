import { describe, expect, expectTypeOf, it, vi } from "vitest";
import { z } from "zod";
import { BaseTool, type ToolContext, type ToolEvent, ToolSpec, tool, toolsOf, withContext } from "./index.js";

const call = { toolCallId: "1" };

describe("a shared cache", () => {
  const cache = new Map();
  class Account extends ToolSpec {
    constructor(readonly owner: string) {
      super();
    }
    @tool({ description: "The balance", cache })
    balance() {
      return `the balance of ${this.owner}`;
    }
  }

  it("never returns the data of one object to another", async () => {
    const [ann, bob] = [new Account("ann"), new Account("bob")];
    expect(await ann.toToolList()[0]?.run({})).toBe("the balance of ann");
    expect(await bob.toToolList()[0]?.run({})).toBe("the balance of bob");
    expect(await toolsOf(bob)[0]?.run({})).toBe("the balance of bob");
    class Whose extends BaseTool {
      readonly name = "whose";
      readonly description = "Whose it is";
      override readonly cache = cache;
      constructor(readonly owner: string) {
        super();
      }
      _run() {
        return this.owner;
      }
    }
    expect(await new Whose("ann").run({})).toBe("ann");
    expect(await new Whose("bob").run({})).toBe("bob");
    const tools = ["ann", "bob"].map((name) => tool("name", { description: "x", cache }, () => name));
    expect(await Promise.all(tools.map((one) => one.run({})))).toEqual(["ann", "bob"]);
  });

  it("keeps an object's results for tools that are created again", async () => {
    const run = vi.fn(() => 1);
    class Counter {
      @tool({ description: "Counts", cache: new Map() })
      count() {
        return run();
      }
    }
    const counter = new Counter();
    for (let i = 0; i < 3; i++) await toolsOf(counter)[0]?.run({});
    expect(run).toHaveBeenCalledOnce();
  });

  it("is shared if a scope says so, whoever created the tool", async () => {
    const run = vi.fn(() => "sunny");
    const make = () => tool("weather", { description: "x", cache, cacheScope: "v1" }, run);
    await make().run({});
    expect(await make().run({})).toBe("sunny");
    expect(run).toHaveBeenCalledOnce();
  });

  it("returns nothing of one context to another, unless a function names the owner", async () => {
    const whose = (_: unknown, { context }: ToolContext<{ user: string }>) => context.user;
    const plain = tool("whose", { description: "x", cache: new Map() }, whose);
    const asked = async (name: typeof plain, user: string) => withContext([name], { user })[0]?.execute({}, call);
    expect([await asked(plain, "ann"), await asked(plain, "bob")]).toEqual(["ann", "bob"]);
    const run = vi.fn(whose);
    const cacheScope = ({ user }: { user: string }) => user;
    const scoped = tool("whose", { description: "x", cache: new Map(), cacheScope }, run);
    expect([await asked(scoped, "ann"), await asked(scoped, "bob"), await asked(scoped, "ann")]).toEqual([
      "ann",
      "bob",
      "ann",
    ]);
    expect(run).toHaveBeenCalledTimes(2);
  });
});

describe("a scope of a cache", () => {
  const whose = (_: unknown, { context }: ToolContext<unknown>) => context;

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["a promise", Promise.resolve("ann")],
    ["an object", { id: 1 }],
    ["an empty text", ""],
    ["a number", 1],
  ])("that is %s is reported, and no result is shared", async (_, scope) => {
    const cacheScope = () => scope as string;
    const events: ToolEvent[] = [];
    const onEvent = (event: ToolEvent) => void events.push(event);
    const scoped = tool("whose", { description: "x", cache: new Map(), cacheScope, onEvent }, whose);
    const [one] = withContext([scoped], { user: "ann" });
    const running = one!.execute({}, call);
    await expect(running).rejects.toMatchObject({ name: "OptionsError", code: "bad-option" });
    await expect(running).rejects.toThrow(/`cacheScope` of the tool "whose" gives a string that is not empty, not /);
    expect(scoped.usageCount).toBe(0);
    expect(events.at(-1)).toMatchObject({ run: { outcome: "failed", failure: { code: "exception" } } });
  });

  it("that is empty is refused", () => {
    expect(() => tool("t", { description: "x", cache: new Map(), cacheScope: "" }, whose)).toThrow(/a string/);
  });

  it("distinguishes a number from its text", async () => {
    const plain = tool("whose", { description: "x", cache: new Map() }, whose);
    const asked = async (context: unknown) => await withContext([plain], context)[0]!.execute({}, call);
    expect([await asked(1), await asked("1"), await asked(1n), await asked(1)]).toEqual([1, "1", 1n, 1]);
  });
});

describe("a time limit", () => {
  it("makes a slow call a failure, and aborts its signal", async () => {
    let heard: AbortSignal | undefined;
    const slow = tool("slow", { description: "x", timeout: 20 }, (_, { signal }) => {
      heard = signal;
      return new Promise(() => {});
    });
    expect(await slow.execute({}, call)).toMatchObject({
      code: "timeout",
      retryable: false,
      message: 'The tool "slow" returned no result within 20 ms. It is unknown whether it took effect.',
    });
    expect(heard?.aborted).toBe(true);
    expect(slow.timeout).toBe(20);
    const stopped = AbortSignal.abort("called off");
    await expect(slow.execute({}, { ...call, signal: stopped })).rejects.toBe("called off");
    expect(await tool("quick", { description: "x", timeout: 1000 }, () => 1).run({})).toBe(1);
  });
});

describe("partialArguments", () => {
  const schema = z.object({ query: z.string(), tenant: z.string(), limit: z.number().max(10).default(3) });
  const search = (partialArguments: object) =>
    tool("search", { description: "x", schema, partialArguments }, (args) => args);

  it("are fixed: no model sees these parameters or sets them", async () => {
    const fixed = search({ tenant: "acme" });
    expect(fixed.parameters).toMatchObject({ required: ["query"] });
    expect(JSON.stringify(fixed.parameters)).not.toContain("tenant");
    expect(await fixed.execute({ query: "a" }, call)).toEqual({ query: "a", tenant: "acme", limit: 3 });
    expect(await fixed.execute({ query: "a", tenant: "evil" }, call)).toMatchObject({ tenant: "acme" });
  });

  it("may be omitted by code", async () => {
    const fixed = tool(
      "search",
      { description: "x", schema, partialArguments: { tenant: "acme" } },
      ({ query, tenant }) => {
        expectTypeOf(tenant).toEqualTypeOf<string>();
        return `${query} of ${tenant}`;
      },
    );
    expect(await fixed.run({ query: "a" })).toBe("a of acme");
    expect(await fixed.run({ query: "a", tenant: "other" })).toBe("a of acme");
    // @ts-expect-error: the query is not fixed.
    await expect(fixed.run({})).rejects.toMatchObject({ code: "invalid-arguments" });
  });

  it.each([[[]], [null], ["a"]])("are not left out with arguments that are no object: %j", async (args) => {
    const run = vi.fn();
    const loose = { description: "x", schema: { properties: { tenant: {} } }, partialArguments: { tenant: "acme" } };
    const failure = await tool("t", loose, run).execute(args as never, call);
    expect(failure).toMatchObject({ code: "invalid-arguments", message: expect.stringContaining("is not an object") });
    expect(run).not.toHaveBeenCalled();
  });

  it("must be parameters, and match", async () => {
    expect(() => search({ tenent: "acme" })).toThrow(/no parameter "tenent".*Did you mean "tenant"/);
    await expect(search({ limit: 11 }).execute({ query: "a", tenant: "b" }, call)).rejects.toMatchObject({
      code: "bad-partial-arguments",
    });
    const byJsonSchema = { properties: { "a/b": { type: "object", properties: { n: { type: "number" } } } } };
    const fixed = (partialArguments: object) =>
      tool("t", { description: "x", schema: byJsonSchema, partialArguments }, (args) => args);
    expect(() => fixed({ "a/b": { n: "1" } })).toThrow(
      expect.objectContaining({ code: "bad-partial-arguments", message: expect.stringContaining('"a/b"') }),
    );
    expect(await fixed({ "a/b": { n: 1 } }).run({})).toEqual({ "a/b": { n: 1 } });
    const failure = await search({ tenant: "secret" }).execute({ query: 1 }, call);
    expect(failure).toMatchObject({ code: "invalid-arguments" });
    expect(JSON.stringify(failure)).not.toContain("secret");
  });
});

describe("onResult", () => {
  it("receives each result, and may replace it, after which the result's schema reads it", async () => {
    const seen = vi.fn();
    const watched = tool("t", { description: "x", onResult: seen }, () => "raw");
    expect(await watched.run({})).toBe("raw");
    expect(seen).toHaveBeenCalledWith("raw", {}, { toolCallId: "" });
    const short = tool(
      "t",
      { description: "x", resultSchema: z.string().max(3), onResult: (text) => String(text).slice(0, 3) },
      () => "longer",
    );
    expect(await short.run({})).toBe("lon");
  });
});

describe("the context of a call", () => {
  interface App {
    user: string;
  }
  const hello = tool(
    "hello",
    { description: "Greets the user", resultAsAnswer: true },
    (_, { context }: ToolContext<App>) => `Hello ${context.user}`,
  );

  it("reaches the function, and no model", async () => {
    const [mine] = withContext([hello], { user: "Ann" });
    expect(await mine?.execute({}, call)).toBe("Hello Ann");
    expect(mine).toMatchObject({ name: "hello", resultAsAnswer: true, parameters: { properties: {} } });
    expect(JSON.stringify(mine)).not.toContain("Ann");
    expect(await hello.run({}, { context: { user: "Bob" } })).toBe("Hello Bob");
    class Greeter extends ToolSpec {
      @tool({ description: "Greets" })
      hello(_: unknown, { context }: ToolContext<App>) {
        return context.user;
      }
    }
    expect(await withContext(new Greeter(), { user: "Eve" })[0]?.execute({}, call)).toBe("Eve");
  });

  it("contains the caller's fields, including the idempotency key", async () => {
    const seen = vi.fn();
    const told = { toolCallId: "1", idempotencyKey: "k", conversationId: "c" };
    await tool("t", { description: "x" }, seen).execute({}, told);
    expect(seen).toHaveBeenCalledWith({}, told);
  });
});

describe("requires", () => {
  it("prevents a tool from running without its environment variables", async () => {
    const run = vi.fn(() => 1);
    const requires = ["PATH", { env: "TOOLINGUA_NOT_SET", description: "key of the archive" }];
    const archive = tool("archive", { description: "x", requires }, run);
    expect(archive.missingRequirements).toEqual([requires[1]]);
    expect(await archive.execute({}, call)).toMatchObject({
      code: "missing-requirement",
      retryable: false,
      message: expect.stringContaining("TOOLINGUA_NOT_SET (key of the archive) is not set"),
    });
    vi.stubEnv("TOOLINGUA_NOT_SET", "1");
    expect(await archive.execute({}, call)).toBe(1);
    vi.unstubAllEnvs();
  });
});

describe("events", () => {
  it("record every run: done, cached, failed and aborted", async () => {
    const events: ToolEvent[] = [];
    const schema = z.object({ n: z.number() });
    const onEvent = (event: ToolEvent) => {
      events.push(event);
      throw new Error("the listener's own");
    };
    const options = { description: "x", schema, cache: new Map(), onEvent };
    const half = tool("half", options, ({ n }) => (n % 2 === 0 ? n / 2 : new Error("odd")));
    await half.run({ n: 4 });
    await half.run({ n: 4 });
    await half.execute({ n: 3 }, { toolCallId: "c" });
    await half.execute({ n: 3 }, { toolCallId: "d", signal: AbortSignal.abort("stop") }).catch(() => {});
    const stopping = new AbortController();
    const stopped = tool("stopped", { description: "x", onEvent }, () => {
      stopping.abort("stop");
      throw new Error("late");
    });
    await stopped.execute({}, { toolCallId: "e", signal: stopping.signal }).catch(() => {});
    // As JavaScript may pass it.
    const partialArguments = JSON.parse('{"n":"x"}');
    const wrong = tool("wrong", { ...options, partialArguments }, () => 1);
    await expect(wrong.run({})).rejects.toMatchObject({ code: "bad-partial-arguments" });
    const runs = events.flatMap((event) => (event.type === "end" ? [event.run] : []));
    expect(runs).toMatchObject([
      { tool: "half", arguments: { n: 4 }, outcome: "done", result: 2, startedAt: expect.any(Date) },
      { outcome: "cached", result: 2 },
      { outcome: "failed", toolCallId: "c", failure: { code: "reported" } },
      { outcome: "aborted", toolCallId: "d", reason: "stop" },
      { outcome: "aborted", toolCallId: "e", reason: "stop" },
      { outcome: "failed", failure: { cause: { code: "bad-partial-arguments" } } },
    ]);
    expect(runs.every(({ durationMs }) => durationMs >= 0)).toBe(true);
    expect(events.filter(({ type }) => type === "start")).toHaveLength(6);
  });
});
