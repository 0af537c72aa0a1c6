import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TextModelRequest } from "@toolingua/core";
import { describe, expect, it, test } from "vitest";
import { loadResults } from "../../benchmarks/timing/load.mjs";
import { withTables } from "../../benchmarks/timing/markdown.mjs";
import { isStray } from "../../benchmarks/timing/results.mjs";
import { ask } from "./ask.mjs";
import { cellOf, cross, defaultCells, factors, isFor } from "./cells.mjs";
import { errorsOf, inHalf, modelsIn } from "./compare.mjs";
import { setOf } from "./question-sets.mjs";
import { categories, halfOf, loadQuestions, sample, toJsonSchema } from "./questions.mjs";
import { differenceInterval, fewest, mcnemar, wilson } from "./statistics.mjs";
import { summarise } from "./summary.mjs";
import { tables } from "./tables.mjs";
import { reasonOf, verdictOf } from "./verdict.mjs";

const parameters = { type: "dict", properties: { x: { type: "integer" } }, required: ["x"] };
const question = {
  id: "q",
  category: "simple_python",
  half: "a",
  messages: [{ role: "user", content: "Double 4." }],
  tools: [{ name: "math.double", description: "Doubles a number", parameters: toJsonSchema(parameters) }],
  functions: [{ name: "math.double", parameters }],
  truth: [{ "math.double": { x: [4] } }],
};

/** Answers with these replies in turn, and keeps what it was asked. */
function scripted(...replies: string[]) {
  const requests: TextModelRequest[] = [];
  async function* model(request: TextModelRequest) {
    requests.push(request);
    yield replies[requests.length - 1] ?? "";
    yield { usage: { inputTokens: 10, outputTokens: 5 } };
  }
  return { model, requests };
}
const answer = (cell: string, { model }: ReturnType<typeof scripted>) =>
  ask(question, cellOf(cell), { model }, { seed: 1, maxTokens: 64 });
const call = (x: unknown) =>
  `<tool_call>\n{"name": "math.double", "arguments": {"x": ${JSON.stringify(x)}}}\n</tool_call>`;

describe("one question", () => {
  it("is right, wrong or unreadable", async () => {
    const plain = "hermes/native/off/no-retry/0";
    expect(await answer(plain, scripted(call(4)))).toMatchObject({ right: true, valid: true, failed: false });
    expect(await answer(plain, scripted(call(5)))).toMatchObject({ right: false, valid: true, failed: false });
    expect(await answer(plain, scripted(call("four")))).toMatchObject({ right: false, valid: false, failed: false });
    expect(await answer(plain, scripted("8"))).toMatchObject({ right: false, valid: false, calls: [] });
    expect(await answer(plain, scripted('<tool_call>\n{"name": "math.double", "argum'))).toMatchObject({
      failed: true,
    });
  });

  it("says after how much of the reply the first argument was known: while it is written, or at its end", async () => {
    const reply = call(4);
    const pieces = async function* () {
      yield* reply;
    };
    const asked = (cell: string) => ask(question, cellOf(cell), { model: pieces }, { seed: 1, maxTokens: 64 });
    const { firstArgument } = await asked("hermes/native/off/no-retry/0");
    expect(firstArgument.characters).toBe(reply.indexOf('{"x"') + 1);
    expect((await asked("ai-sdk-tool hermes")).firstArgument.characters).toBe(reply.length);
    expect(await answer("hermes/native/off/no-retry/0", scripted("8"))).not.toHaveProperty("firstArgument");
  });

  it("is asked again under retry, and all tokens count", async () => {
    const model = scripted(call("four"), call(4));
    const result = await answer("hermes/native/off/retry/0", model);
    expect(result).toMatchObject({ right: true, attempts: 2, tokensIn: 20, tokensOut: 10, reply: call(4) });
    expect(model.requests).toHaveLength(2);
  });

  it("is constrained by a grammar or begun for the model, and no call at all is an answer too", async () => {
    const constrained = scripted(call(4));
    expect(await answer("hermes/native/grammar/no-retry/0", constrained)).toMatchObject({ right: true });
    expect(constrained.requests[0]?.constraint?.grammar).toContain("root");
    expect(await answer("hermes/native/grammar-in-order/no-retry/0", scripted(call(4)))).toMatchObject({
      right: true,
    });
    const several = (constraint: string) => {
      const model = scripted(call(4));
      return answer(`hermes/native/${constraint}/no-retry/0`, model).then(() => model.requests[0]?.constraint?.grammar);
    };
    expect(await several("grammar-one")).not.toBe(await several("grammar"));
    const begun = scripted("Eight.");
    expect(await answer("hermes/native/prefill/no-retry/0", begun)).toMatchObject({ right: false, attempts: 1 });
    expect(begun.requests[0]?.prefill).toContain("<tool_call>");
  });

  it("comes after worked examples, tools shown in the style wanted", async () => {
    const model = scripted(call(4));
    await answer("hermes/compact/off/no-retry/3", model);
    await answer("hermes/compact/off/no-retry/numbers-1/tools-last", model);
    const [request] = model.requests;
    expect(request?.messages.at(-1)).toEqual({ role: "user", content: "Double 4." });
    expect(request?.messages[0]?.content).toContain("math.double: Doubles a number\n x int");
    expect(request?.messages.filter(({ role }) => role === "assistant").length).toBeGreaterThanOrEqual(6);
    const worded = model.requests[1]?.messages;
    expect(worded?.[0]).toEqual({ role: "user", content: "Turn the dial to 35." });
    expect(worded?.at(-1)?.content).toMatch(/math\.double: Doubles a number[\s\S]*\n\nDouble 4\.$/);
  });

  it("with many tools shows the model those that it or the words of the question select, and keeps which", async () => {
    const others = Array.from({ length: 30 }, (_, i) => ({
      name: `fence_${"abcdefghijklmnopqrstuvwxyzäöüß"[i]}`,
      description: "Paints a fence.",
    }));
    const among = { ...question, tools: [...others, ...question.tools] };
    const asked = (cell: string, { model }: ReturnType<typeof scripted>) =>
      ask(among, cellOf(cell), { model }, { seed: 1, maxTokens: 64 });
    const plain = "hermes/compact/grammar/no-retry/0";
    const all = scripted(call(4));
    expect(await asked(plain, all)).not.toHaveProperty("shown");
    expect(all.requests[0]?.messages[0]?.content).toContain("fence_ß");
    const byWords = scripted(call(4));
    expect(await asked(`${plain}/selected-by-words`, byWords)).toMatchObject({
      ...{ right: true, found: true, shown: ["math.double"], attempts: 1 },
    });
    expect(byWords.requests[0]?.messages[0]?.content).not.toContain("fence_b");
    const byModel = scripted("fence_d", call(4).replace("math.double", "fence_d"));
    expect(await asked(`${plain}/selected-by-model`, byModel)).toMatchObject({
      ...{ right: false, found: false, shown: ["fence_d"], attempts: 2 },
    });
  });

  it("is asked as a peer asks, and read as it reads", async () => {
    const model = scripted(call(4));
    expect(await answer("ai-sdk-tool hermes", model)).toMatchObject({ right: true, valid: true, attempts: 1 });
    expect(await answer("LangChain structured chat", scripted("Sure!"))).toMatchObject({ failed: true, calls: [] });
  });
});

describe("cells", () => {
  it("are named by their factors; a wrong name says what there is", () => {
    for (const name of defaultCells) expect(cellOf(name).name).toBe(name);
    expect(() => cellOf("hermes/native/of/retry/0")).toThrow(/No constraint "of".*off, lazy, prefill, grammar/);
    expect(() => cellOf("hermes")).toThrow(/protocol\/style\/constraint\/retry\/shots/);
  });

  it("are all combinations of what is given", () => {
    const first = Object.fromEntries(Object.entries(factors).map(([key, values]) => [key, values.slice(0, 1)]));
    expect(cross({ ...first, style: ["json", "compact"], shots: ["0", "3"] })).toHaveLength(4);
    const worded = cross({ ...first, protocol: ["xml"], wording: ["plain", "a-call"] });
    expect(worded).toEqual(["xml/native/off/no-retry/0", "xml/native/off/no-retry/0/a-call"]);
    for (const name of worded) expect(cellOf(name).name).toBe(name);
  });

  it("name a wording or a selection only where it is not the default", () => {
    const name = "hermes/compact/grammar/no-retry/1";
    expect(cellOf(name)).toMatchObject({ wording: "plain", selection: "all-tools" });
    expect(cellOf(`${name}/selected-by-words`)).toMatchObject({ wording: "plain", selection: "selected-by-words" });
    expect(cellOf(`${name}/a-call/selected-by-words`)).toMatchObject({ wording: "a-call" });
    expect(() => cellOf(`${name}/selected-by-luck`)).toThrow(
      /No wording or selection "selected-by-luck".*selected-by-words/,
    );
    const select = { ...Object.fromEntries(Object.entries(factors).map(([key, [first]]) => [key, [first]])) };
    expect(cross({ ...select, protocol: ["xml"], selection: ["all-tools", "selected-by-model"] })).toEqual([
      ...["xml/native/off/no-retry/0", "xml/native/off/no-retry/0/selected-by-model"],
    ]);
  });

  it("that demand a call are not for questions without one", () => {
    const irrelevant = { ...question, category: "irrelevance" };
    expect(isFor(cellOf("xml/json/grammar/no-retry/0"), irrelevant)).toBe(false);
    expect(isFor(cellOf("xml/json/off/no-retry/0"), irrelevant)).toBe(true);
  });
});

describe("questions", () => {
  it("have JSON Schema's types, whatever an argument is called", () => {
    expect(
      toJsonSchema({
        type: "dict",
        properties: { type: { type: "float" }, list: { type: "tuple", items: { type: "any" } } },
        required: ["type"],
      }),
    ).toEqual({
      type: "object",
      properties: { type: { type: "number" }, list: { type: "array", items: {} } },
      required: ["type"],
    });
  });

  it("belong to sets by what they want, since shares of different sets do not compare", () => {
    const bySet = new Map<string, string[]>();
    for (const category of categories) bySet.set(setOf(category), [...(bySet.get(setOf(category)) ?? []), category]);
    expect(Object.fromEntries(bySet)).toEqual({
      "single call": ["simple_python", "multiple", "live_simple", "live_multiple"],
      "several calls": ["parallel", "parallel_multiple", "live_parallel", "live_parallel_multiple"],
      "no call": ["irrelevance", "live_irrelevance"],
      "any call": ["live_relevance"],
      "50 tools": ["among_50"],
      "200 tools": ["among_200"],
      "several turns": ["multi_turn"],
    });
  });

  it("among many tools show each question those of its group, its own once", () => {
    const folder = mkdtempSync(join(tmpdir(), "questions-"));
    mkdirSync(join(folder, "bfcl_eval", "data", "possible_answer"), { recursive: true });
    const write = (path: string, line: (i: number) => object) =>
      writeFileSync(
        join(folder, "bfcl_eval", "data", path),
        Array.from({ length: 120 }, (_, i) => `${JSON.stringify({ id: `q${i}`, ...line(i) })}\n`).join(""),
      );
    const functions = (i: number) => [
      { name: `f${i % 90}`, description: "", parameters: { type: "dict", properties: {} } },
    ];
    write("BFCL_v4_simple_python.json", (i) => ({ question: [question.messages], function: functions(i) }));
    write("possible_answer/BFCL_v4_simple_python.json", (i) => ({ ground_truth: [{ [`f${i % 90}`]: {} }] }));
    const questions = loadQuestions("among_50", folder);
    rmSync(folder, { recursive: true });
    const groups = new Set(questions.map(({ tools }) => tools.map(({ name }) => name).join()));
    expect(groups.size).toBe(3);
    for (const { tools, truth, half, id } of questions) {
      const names = tools.map(({ name }) => name);
      expect(names).toContain(Object.keys(truth[0])[0]);
      expect(new Set(names).size).toBe(names.length);
      expect(half).toBe(halfOf(id.replace("among_50_", "")));
    }
  });

  it("are sampled the same way each time, a smaller sample inside a larger one", () => {
    const all = Array.from({ length: 100 }, (_, i) => ({ id: `q${i}` }));
    expect(sample(all, 10)).toEqual(sample([...all].reverse(), 20).slice(0, 10));
    const halves = all.map(({ id }) => halfOf(id));
    expect(halves.filter((half) => half === "a").length).toBeGreaterThan(30);
    expect(halves.filter((half) => half === "b").length).toBeGreaterThan(30);
  });
});

describe("a summary", () => {
  it("counts the turns and the calls of conversations", () => {
    const record = (id: string, turnsRight: number, calls: object[]) => ({
      ...{ model: "m", cell: "xml/json/off/no-retry/0", id, category: "multi_turn", half: "a", turns: 3, turnsRight },
      ...{
        right: turnsRight === 3,
        valid: true,
        failed: false,
        calls,
        tokensIn: 1,
        tokensOut: 1,
        attempts: 1,
        seconds: 1,
      },
    });
    const { rows } = summarise([record("1", 3, [{}, {}]), record("2", 1, [{}])]);
    expect(rows).toMatchObject([{ count: 2, right: 1, turns: 6, turnsRight: 4, calls: 1.5 }]);
  });
});

describe("statistics", () => {
  it("Wilson's interval is the textbook's", () => {
    expect(wilson(8, 10).map((share) => share.toFixed(3))).toEqual(["0.490", "0.943"]);
    expect(wilson(0, 10)[0]).toBe(0);
  });

  it("McNemar's exact test is the sign test of what differs", () => {
    expect(mcnemar(0, 0)).toBe(1);
    expect(mcnemar(5, 5)).toBe(1);
    expect(mcnemar(9, 1)).toBeCloseTo(0.0215, 4);
    expect(mcnemar(1, 9)).toBeCloseTo(0.0215, 4);
    expect(mcnemar(400, 300)).toBeLessThan(0.001);
    expect(mcnemar(1500, 1500)).toBe(1);
    expect(fewest).toBe(6);
  });

  it("Agresti and Min's interval is Wald's after two more questions, one for each side half", () => {
    // 8 won, 2 lost, 10 alike: (8 − 2) / 22 ± 1.96 √((11 / 22 − (6 / 22)²) / 22)
    const differences = [...Array(8).fill(1), ...Array(2).fill(-1), ...Array(10).fill(0)];
    expect(differenceInterval(differences).map((end) => end.toFixed(3))).toEqual(["0.000", "0.545"]);
    const [low, high] = differenceInterval([0, 0, 0]);
    expect([low < -0.2, high > 0.2]).toEqual([true, true]);
  });

  it("our cell is chosen on half a and compared on half b", () => {
    const record = (cell: string, id: string, half: string, right: boolean) => ({
      ...{ model: "m", cell, id, category: "multiple", half, right, valid: right, failed: false },
      ...{ tokensIn: 1, tokensOut: 1, attempts: 1, seconds: 1 },
    });
    const one = "xml/json/off/no-retry/0";
    const other = "xml/compact/off/no-retry/0";
    const { rows, comparisons } = summarise([
      ...[record(one, "1", "a", true), record(one, "2", "b", true), record(one, "2", "b", true)],
      ...[record(other, "1", "a", false), record(other, "2", "b", false)],
      ...[record("LangChain XML", "1", "a", false), record("LangChain XML", "2", "b", false)],
    ]);
    expect(rows.map(({ cell, count, right }) => [cell, count, right])).toContainEqual([one, 2, 2]);
    const pair = { model: "m", best: one, baseline: "LangChain XML", count: 1, won: 1, lost: 0, p: 1 };
    expect(comparisons).toEqual([
      { ...pair, category: "all" },
      { ...pair, category: "multiple" },
    ]);
  });

  it("what was wrong with each answer is told of the cell", () => {
    const record = (id: string, right: boolean) => ({
      model: "m",
      cell: "xml/json/off/no-retry/0",
      id,
      category: "multiple",
      half: "b",
      right,
    });
    const records = [record("1", true), record("2", false), record("3", false), record("4", false)];
    const kindOf = ({ id }: { id: string }) => (id === "2" ? "no call" : "wrong value");
    const [model] = modelsIn([summarise(records, kindOf)]);
    expect(errorsOf(model!.cells[0], inHalf("b"))).toBe("2 wrong value, 1 no call");
    expect(errorsOf(model!.cells[0], inHalf("a"))).toBe("");
  });

  it("answers given under different settings are not summed up", () => {
    const record = (maxTokens: number) => ({
      model: "m",
      cell: "c",
      id: "1",
      category: "multiple",
      seed: 1,
      maxTokens,
    });
    expect(() => summarise([record(192), record(256)])).toThrow("--max-tokens 192; --seed 1 --max-tokens 256");
  });
});

describe("a verdict", () => {
  const pair = (won: number, lost: number, both = 0) => ({ won, lost, both, p: mcnemar(won, lost) });
  const against = (...pairs: ReturnType<typeof pair>[]) =>
    pairs.map((one, i) => ({ cell: { name: `peer ${i + 1}` }, ...one }));

  it("says why a baseline is not shown to be beaten", () => {
    expect(reasonOf(pair(6, 0))).toBeUndefined();
    expect(reasonOf(pair(0, 0))).toBe("neither has any right");
    expect(reasonOf(pair(0, 0, 3))).toBe("both have the same 3 right");
    expect(reasonOf(pair(1, 0))).toBe("only 1 question tells them apart (1 to 0); it takes 6");
    expect(reasonOf(pair(5, 0))).toBe("only 5 questions tell them apart (5 to 0); it takes 6");
    expect(reasonOf(pair(7, 1))).toBe("7 to 1 questions may be chance (p 0.070)");
    expect(reasonOf(pair(1, 9))).toBe("it is better: 9 questions to 1");
  });

  it("names those that are not beaten", () => {
    expect(verdictOf(against(pair(6, 0), pair(9, 0))).text).toBe("beats all 2 baselines (largest p: 0.031)");
    expect(verdictOf(against(pair(9, 0), pair(7, 1), pair(5, 0))).text).toBe(
      "beats 1 of 3 baselines; peer 2: 7 to 1 questions may be chance (p 0.070); peer 3: only 5 questions tell them apart (5 to 0); it takes 6",
    );
    expect(verdictOf(against(pair(0, 0), pair(0, 0))).text).toBe("beats none of 2 baselines: neither has any right");
    expect(verdictOf([]).text).toBe("was compared with no baseline on half b yet");
  });
});

test("the README's table is that of the results", () => {
  const readme = readFileSync(new URL("README.md", import.meta.url), "utf8");
  expect(withTables(readme, tables(loadResults().accuracy))).toBe(readme);
});

test("all results are answers of commits", () => {
  expect(loadResults().accuracy.filter(isStray)).toEqual([]);
});
