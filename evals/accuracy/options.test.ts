import { expect, it } from "vitest";
import { cellOf } from "./cells.mjs";
import { estimate, estimateText } from "./estimate.mjs";
import { readOptions } from "./options.mjs";

const read = (line: string) => readOptions(line.split(" ").filter((word) => word !== ""));

it("both models are asked five questions of three categories, for a quarter of an hour", () => {
  const { models, minutes, shard, hours, cells, again } = read("--seed 1");
  expect(models).toHaveLength(2);
  expect([minutes, shard, hours, again]).toEqual([14, { index: 1, count: 1 }, undefined, undefined]);
  expect(cells().length).toBeGreaterThan(4);
});

it("a run of a given size has no end but its own", () => {
  expect(read("--limit 0").minutes).toBe(Number.POSITIVE_INFINITY);
  expect(read("--limit 0 --minutes 3").minutes).toBe(3);
  expect(read("--hours 2").minutes).toBe(Number.POSITIVE_INFINITY);
});

it("half, limit and shard choose questions, one category after the other in turn", () => {
  const all = read("--category multi_turn --limit 0").questions();
  expect(all).toHaveLength(50);
  const halves = ["a", "b"].map((half) => read(`--category multi_turn --limit 0 --half ${half}`).questions().length);
  expect(halves[0] + halves[1]).toBe(50);
  const shards = [1, 2, 3].flatMap((i) => read(`--category multi_turn --limit 0 --shard ${i}/3`).questions());
  expect(new Set(shards.map(({ id }: { id: string }) => id)).size).toBe(50);
  expect(read("--category multi_turn --limit 4").questions()).toEqual(all.slice(0, 4));
});

it("a search takes all questions, or at most as many as the limit says", () => {
  const most = (line: string) => read(line).questionsBy(undefined, Number.POSITIVE_INFINITY)[0].length;
  expect(most("--hours 1 --category multi_turn")).toBe(50);
  expect(most("--hours 1 --category multi_turn --limit 12")).toBe(12);
});

it("what makes no sense is refused, with what would", () => {
  expect(() => read("--hours 1 --half a")).toThrow("--hours with --half: a search chooses on half a");
  expect(() => read("--hours 1 --shard 1/2")).toThrow("Share the questions out with --queue");
  expect(() => read("--hours 1 --minutes 5")).toThrow("--hours says how long");
  expect(() => read("--queue redis://localhost --shard 1/2")).toThrow("shares the questions out by itself");
  expect(() => read("--worker")).toThrow("--queue redis://");
  expect(() => read("--limit many")).toThrow("--limit many: give a whole number from 0");
  expect(() => read("--shard 3/2")).toThrow("--shard 3/2: give I/N");
  expect(() => read("--half c")).toThrow("there are a, b");
  expect(() => read("--category easy")).toThrow("--category easy: there are simple_python");
  expect(() => read("--out ../full.a")).toThrow("--out ../full.a: give letters, digits, - and _.");
  expect(() => read("--base-url localhost --model m")).toThrow("--base-url localhost: give a whole address");
  expect(() => read("--base-url http://localhost:1/v1")).toThrow("say with --model");
  expect(() => read("--base-url http://localhost:1/v1 --model m --backend tgi")).toThrow("there are llama.cpp, vllm");
  expect(() => read("--base-url http://localhost:1/v1 --model m --server")).toThrow("--base-url asks one that runs");
  expect(() => read("--price cheap")).toThrow("--price cheap: give what a million tokens");
  expect(() => read("--hours 0")).toThrow("--hours 0: give a number above 0");
});

it("an endpoint is given by its address, and what it can follows from what it is", () => {
  const [model] = read("--base-url http://localhost:8080/v1 --model qwen2.5-7b --backend vllm").models;
  expect(model).toMatchObject({ name: "qwen2.5-7b", can: { grammar: true, lazy: false, native: true } });
});

it("what a run costs is said before", () => {
  const tools = [{ name: "double", parameters: { type: "object" } }];
  const question = { tools, messages: [{ role: "user", content: "x".repeat(3960) }] };
  const cells = ["hermes/compact/off/no-retry/0", "json-schema/required/0"].map(cellOf);
  const cost = estimate(
    cells.map((cell) => ({ cell, question })),
    { maxTokens: 100 },
  );
  expect(cost).toMatchObject({ questions: 2, tokensOut: 200 });
  expect(cost.tokensIn).toBeGreaterThan(1980);
  expect(cost.tokensIn).toBeLessThan(2100);
  const text = estimateText("m", { questions: 2, tokensIn: 2000, tokensOut: 1_000_000 }, { in: 1, out: 2 });
  expect(text).toBe(
    "m: 2 questions, some 2,000 tokens of prompts, at most 1,000,000 of replies; 2.00 at most, at 1 and 2 a million",
  );
});
