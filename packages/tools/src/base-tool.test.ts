import { type Tool, ToolDefinitionError, type ToolExecutionContext } from "@toolingua/core";
import { describe, expect, expectTypeOf, it, vi } from "vitest";
import { z } from "zod";
import { type ArgumentsOf, BaseTool, type ToolCache, type ToolEvent, ToolFailure, tool } from "./index.js";

const pair = z.object({ a: z.number(), b: z.number().default(1) });

class Add extends BaseTool<typeof pair, number> {
  readonly name = "add";
  readonly description = "Adds two numbers";
  override readonly argsSchema = pair;
  _run({ a, b }: ArgumentsOf<typeof pair>) {
    return a + b;
  }
}

const context: ToolExecutionContext = { toolCallId: "1" };
const failureOf = async (running: Promise<unknown>): Promise<ToolFailure> => {
  const failure: unknown = await running.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(ToolFailure);
  return failure as ToolFailure;
};
const later = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("a tool as a class", () => {
  it("is a Tool of the core, with its parameters as JSON Schema", () => {
    const add: Tool = new Add();
    expect(add).toMatchObject({ name: "add", description: "Adds two numbers" });
    expect(add.parameters).toMatchObject({ type: "object", required: ["a"] });
  });

  it("reads its arguments by the schema: defaults are filled in, unknown keys are dropped", async () => {
    const seen = vi.fn();
    const args = { a: 2, c: 3 };
    await tool("add", { description: "Adds", schema: pair }, seen).run(args);
    expect(seen).toHaveBeenCalledWith({ a: 2, b: 1 }, { toolCallId: "" });
    expect(args).toEqual({ a: 2, c: 3 });
  });

  it("passes the call's id and signal to the function", async () => {
    const { signal } = new AbortController();
    const seen = vi.fn();
    await tool("add", { description: "Adds" }, seen).execute({}, { toolCallId: "x", signal });
    expect(seen.mock.calls[0]?.[1]).toEqual({ toolCallId: "x", signal });
  });

  it("has typed arguments and a typed result", async () => {
    expectTypeOf(new Add().run).parameter(0).toEqualTypeOf<{ a: number; b?: number | undefined }>();
    expectTypeOf(await new Add().run({ a: 1 })).toEqualTypeOf<number>();
  });

  it("reads the result by its schema", async () => {
    const options = { description: "x", resultSchema: z.object({ n: z.number() }) };
    expect(await tool("t", options, () => ({ n: 1, m: 2 })).run({})).toEqual({ n: 1 });
    const failure = await failureOf(tool("t", options, () => ({ n: "one" })).run({}));
    expect(failure).toMatchObject({ code: "invalid-result", retryable: false });
    expect(failure.message).toMatch(/\/n: .*number/);
  });

  it("does not run if the call was cancelled, and an abort is not a failure", async () => {
    const run = vi.fn();
    const stopped = AbortSignal.abort(new Error("stop"));
    const quick = tool("t", { description: "x" }, run);
    await expect(quick.execute({}, { toolCallId: "1", signal: stopped })).rejects.toThrow("stop");
    expect(run).not.toHaveBeenCalled();
    const controller = new AbortController();
    const slow = tool("t", { description: "x" }, () => {
      controller.abort(new Error("enough"));
      controller.signal.throwIfAborted();
    });
    await expect(slow.execute({}, { toolCallId: "1", signal: controller.signal })).rejects.toThrow("enough");
    const late = new AbortController();
    const careless = tool("t", { description: "x" }, () => {
      late.abort("called off");
      throw new Error("the connection was closed");
    });
    await expect(careless.execute({}, { toolCallId: "1", signal: late.signal })).rejects.toBe("called off");
    const deaf = tool("deaf", { description: "Never ends" }, () => new Promise(() => {}));
    const ended = new AbortController();
    const waited = deaf.execute({}, { toolCallId: "1", signal: ended.signal });
    ended.abort("enough");
    await expect(waited).rejects.toBe("enough");
  });

  it.each([
    ["missing-name", { name: "", description: "x" }],
    ["bad-name", { name: "get weather", description: "x" }],
    ["missing-description", { name: "t", description: " " }],
    ["bad-usage-limit", { name: "t", description: "x", maxUsageCount: 0 }],
    ["bad-usage-limit", { name: "t", description: "x", maxUsageCount: 1.5 }],
  ])("reports %s at first use", async (code, fields) => {
    class Wrong extends BaseTool {
      readonly name = fields.name;
      readonly description = fields.description;
      override readonly maxUsageCount = "maxUsageCount" in fields ? fields.maxUsageCount : undefined;
      _run() {}
    }
    const wrong = new Wrong();
    expect(() => wrong.parameters).toThrow(ToolDefinitionError);
    await expect(wrong.run({})).rejects.toMatchObject({ code });
  });

  it("reports a class without `_run`", async () => {
    class Idle extends (BaseTool as unknown as new () => { run(args: object): Promise<unknown> }) {
      readonly name = "t";
      readonly description = "x";
    }
    await expect(new Idle().run({})).rejects.toMatchObject({
      name: "ToolDefinitionError",
      code: "missing-run",
      message: expect.stringContaining("`_run`"),
    });
  });
});

describe("a class with an option in another spelling", () => {
  it("is reported with the right one", () => {
    class Ported extends BaseTool {
      readonly name = "ported";
      readonly description = "As in Python";
      readonly result_as_answer = true;
      _run() {}
    }
    expect(() => new Ported().parameters).toThrow(
      expect.objectContaining({
        code: "unknown-field",
        message: expect.stringContaining('"result_as_answer", which is not an option. Did you mean "resultAsAnswer"?'),
      }),
    );
    class Own extends BaseTool {
      readonly name = "own";
      readonly description = "As in Python";
      _run() {}
      cache_function() {}
    }
    expect(() => new Own().parameters).toThrow(/Did you mean "cacheFunction"/);
  });
});

describe("the usage limit", () => {
  it("runs one of 50 parallel calls if it is 1", async () => {
    const run = vi.fn(later);
    const once = tool("once", { description: "x", maxUsageCount: 1 }, run);
    const results = await Promise.all(Array.from({ length: 50 }, () => once.execute({}, context)));
    expect(run).toHaveBeenCalledTimes(1);
    expect(once.usageCount).toBe(1);
    const failures = results.filter((result) => result instanceof ToolFailure);
    expect(failures).toHaveLength(49);
    expect(failures[0]).toMatchObject({ code: "usage-limit", retryable: false });
  });

  it("applies to parallel calls with a slow schema and a slow cache too", async () => {
    const run = vi.fn(later);
    const slow: ToolCache = { get: () => later().then(() => undefined), set: later };
    const schema = z.object({ n: z.number().refine(() => later().then(() => true)) });
    const thrice = tool("thrice", { description: "x", schema, maxUsageCount: 3, cache: slow }, run);
    await Promise.all(Array.from({ length: 50 }, (_, n) => thrice.execute({ n }, context)));
    expect(run).toHaveBeenCalledTimes(3);
  });

  it("counts runs: not refused arguments or cached results, but failures", async () => {
    const fails = tool("t", { description: "x", schema: pair, cache: new Map() }, ({ a }) => {
      if (a < 0) throw new Error("negative");
      return a;
    });
    await failureOf(fails.run({ a: "1" } as never));
    expect(fails.usageCount).toBe(0);
    await fails.run({ a: 1 });
    await fails.run({ a: 1 });
    expect(fails.usageCount).toBe(1);
    await failureOf(fails.run({ a: -1 }));
    expect(fails.usageCount).toBe(2);
  });

  it("applies before the cache, and ends with a reset", async () => {
    const once = tool("t", { description: "x", maxUsageCount: 1, cache: new Map() }, () => "done");
    await once.run({});
    expect((await failureOf(once.run({}))).message).toContain('"t" could be used once');
    once.resetUsageCount();
    expect(once.usageCount).toBe(0);
    expect(await once.run({})).toBe("done");
    expect(once.usageCount).toBe(0);
  });
});

describe("the cache", () => {
  it("returns the stored result for the same arguments, in any order", async () => {
    const run = vi.fn(({ a, b }: { a: number; b: number }) => a - b);
    const cached = tool("t", { description: "x", schema: pair, cacheFunction: () => true }, run);
    expect(await cached.run({ a: 3, b: 2 })).toBe(1);
    expect(await cached.run({ b: 2, a: 3 })).toBe(1);
    expect(await cached.run({ a: 2, b: 3 })).toBe(-1);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it("stores nothing by default, and only what cacheFunction allows", async () => {
    const run = vi.fn(({ n }: { n: number }) => n);
    const schema = z.object({ n: z.number() });
    const plain = tool("t", { description: "x", schema }, run);
    await plain.run({ n: 1 });
    await plain.run({ n: 1 });
    expect(run).toHaveBeenCalledTimes(2);
    const even = tool("t", { description: "x", schema, cacheFunction: ({ n }) => n % 2 === 0 }, run);
    for (const n of [1, 1, 2, 2]) await even.run({ n });
    expect(run).toHaveBeenCalledTimes(5);
  });

  it("never stores a failed call", async () => {
    const cache = new Map();
    const outcomes = [() => Promise.reject(new Error("down")), () => new Error("still"), () => 1, () => "up"];
    const run = vi.fn(() => outcomes.shift()?.());
    const flaky = tool("t", { description: "x", cache, resultSchema: z.string() }, run);
    for (let i = 0; i < 3; i++) {
      await failureOf(flaky.run({}));
      expect(cache.size).toBe(0);
    }
    expect(await flaky.run({})).toBe("up");
    expect(await flaky.run({})).toBe("up");
    expect(run).toHaveBeenCalledTimes(4);
  });

  it("separates nothing and undefined, and tools that share a store", async () => {
    const cache = new Map();
    const run = vi.fn();
    const [one, other] = ["one", "other"].map((name) => tool(name, { description: "x", cache }, run));
    await one?.run({});
    await one?.run({});
    await other?.run({});
    expect(run).toHaveBeenCalledTimes(2);
  });

  it("is skipped if the store fails", async () => {
    const events: ToolEvent[] = [];
    const error = new Error("no connection");
    const down = () => Promise.reject(error);
    const options = {
      description: "x",
      cache: { get: down, set: down },
      onEvent: (event: ToolEvent) => events.push(event),
    };
    expect(await tool("t", options, () => 1).run({})).toBe(1);
    const failed = { type: "cache-failed", tool: "t", toolCallId: "", error };
    expect(events.filter(({ type }) => type === "cache-failed")).toEqual([failed, failed]);
  });

  it.each(['{"value":2}', 5, true])("is skipped if the store gives %j in place of what was set", async (given) => {
    const events: ToolEvent[] = [];
    const cache = { get: () => given as never, set: () => {} };
    const onEvent = (event: ToolEvent) => events.push(event);
    expect(await tool("t", { description: "x", cache, onEvent }, () => 1).run({})).toBe(1);
    expect(events).toContainEqual(
      expect.objectContaining({ type: "cache-failed", error: expect.objectContaining({ name: "TypeError" }) }),
    );
  });

  it("does not hold up an abort, and the function does not run after it", async () => {
    const run = vi.fn();
    let answer = (_: undefined) => {};
    const get = () => new Promise<undefined>((resolve) => (answer = resolve));
    const slow = tool("t", { description: "x", cache: { get, set: () => {} } }, run);
    const reason = new Error("stop");
    const stop = new AbortController();
    setTimeout(() => stop.abort(reason), 10);
    await expect(slow.run({}, { signal: stop.signal })).rejects.toBe(reason);
    answer(undefined);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(run).not.toHaveBeenCalled();
    expect(slow.usageCount).toBe(0);
  });

  it("of the tool itself keeps the 1,000 results that were used last", async () => {
    const run = vi.fn(({ n }: { n: number }) => n);
    const schema = z.object({ n: z.number() });
    const own = tool("t", { description: "x", schema, cacheFunction: () => true }, run);
    for (let n = 0; n < 1000; n++) await own.run({ n });
    await own.run({ n: 0 });
    await own.run({ n: 1000 });
    run.mockClear();
    await own.run({ n: 0 });
    await own.run({ n: 1000 });
    expect(run).not.toHaveBeenCalled();
    await own.run({ n: 1 });
    expect(run).toHaveBeenCalledTimes(1);
  });

  it("is not asked for arguments whose key would be ambiguous", async () => {
    const run = vi.fn();
    const cached = tool("t", { description: "x", cache: new Map() }, run);
    const circle: Record<string, unknown> = {};
    circle.again = circle;
    for (const args of [{ m: new Map([[1, 2]]) }, { m: new Map([[1, 3]]) }, { m: 1n }, circle]) {
      await cached.execute(args, context);
    }
    expect(run).toHaveBeenCalledTimes(4);
  });
});

describe("a failure", () => {
  it.each([
    [Object.create(null), "{}"],
    [{ code: 42 }, '{"code":42}'],
    [{ big: 1n }, "an object that is not JSON"],
    [undefined, "undefined"],
    [Symbol("odd"), "Symbol(odd)"],
    ["a text", "a text"],
  ])("is any thrown value: %#", async (thrown, said) => {
    const odd = tool("t", { description: "x" }, () => {
      throw thrown;
    });
    expect(await odd.execute({}, context)).toMatchObject({ message: `The tool "t" failed: ${said}`, cause: thrown });
  });

  const failing = (failurePolicy?: "report" | "throw") =>
    tool("t", { description: "x", failurePolicy }, () => {
      throw new Error("no luck");
    });

  it.each([
    ["a message that throws", Object.defineProperty(new Error("x"), "message", { get: () => JSON.parse("{") })],
    ["a message that is no text", Object.assign(new Error("x"), { message: { a: 1 } })],
    ["a proxy that throws", new Proxy({}, { get: () => JSON.parse("{"), getPrototypeOf: () => JSON.parse("{") })],
  ])("may be %s", async (_, thrown) => {
    const failing = tool("t", { description: "x" }, () => Promise.reject(thrown));
    expect(await failing.execute({}, context)).toMatchObject({ name: "ToolFailure", code: "exception" });
  });

  it("is returned for the model, and thrown to code", async () => {
    expect(await failing().execute({}, context)).toMatchObject({
      code: "exception",
      tool: "t",
      message: 'The tool "t" failed: no luck',
      cause: new Error("no luck"),
    });
    expect((await failureOf(failing().run({}))).code).toBe("exception");
    expect(JSON.stringify(await failing().execute({}, context))).toBe('{"error":"The tool \\"t\\" failed: no luck"}');
  });

  it("is thrown under the policy throw", async () => {
    await expect(failing("throw").execute({}, context)).rejects.toBeInstanceOf(ToolFailure);
  });

  it("of the arguments reports what is wrong, where, and the correct form", async () => {
    const run = vi.fn();
    const schemas = [pair, { type: "object", properties: { a: { type: "number" } }, required: ["a"] }];
    for (const schema of schemas) {
      const failure = await failureOf(tool("t", { description: "x", schema }, run).run({ a: "one" } as never));
      expect(failure).toMatchObject({ code: "invalid-arguments", retryable: true });
      expect(failure.message).toMatch(/^The call to "t" was not run.*"a": "one" {2}\/\/ ← .*number/s);
    }
    expect(run).not.toHaveBeenCalled();
  });

  it("of the arguments is also an error of a transform", async () => {
    const run = vi.fn();
    const schema = z.object({ json: z.string().transform((text): unknown => JSON.parse(text)) });
    const read = tool("t", { description: "x", schema }, run);
    expect(await read.execute({ json: "{" }, context)).toMatchObject({ code: "invalid-arguments" });
    expect(run).not.toHaveBeenCalled();
  });

  it("that the function creates itself is kept unchanged", async () => {
    const own = new ToolFailure("reported", "t", "Try again in an hour.", { retryable: true });
    expect(await tool("t", { description: "x" }, () => Promise.reject(own)).execute({}, context)).toBe(own);
    expect(await tool("t", { description: "x" }, () => own).execute({}, context)).toBe(own);
  });
});
