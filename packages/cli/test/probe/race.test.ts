import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { intervalError, race, type Standing } from "../../src/probe/race.js";
import { wilson } from "../../src/probe/statistics.js";
import { randomOf, rateOf, type SimulatedCandidate, simulate } from "./simulation.js";

const rightOf = ({ answers }: Standing<unknown>) => answers.filter(Boolean).length;

/** 200 models whose rates are known, each with that many candidates. */
function models(count: number, rates: (random: () => number, id: number) => number): SimulatedCandidate[][] {
  const random = randomOf(17);
  return Array.from({ length: 200 }, () =>
    Array.from({ length: count }, (_, id) => {
      const rate = rates(random, id);
      // The kinds of questions are not equally hard.
      const spread = Math.min(rate, 1 - rate) * random();
      return { id, rates: [rate + spread, rate - spread, rate, rate] };
    }),
  );
}

const any = (random: () => number) => random();
const close = (random: () => number) => 0.7 + 0.2 * random();
const oneGood = (random: () => number, id: number) => (id === 3 ? 0.9 : 0.15 + 0.3 * random());
const allGood = () => 0.97;

describe.each([
  ["any rates", 9, 20, any, 0],
  ["any rates, questions hard for all alike", 9, 20, any, 0.8],
  ["rates close to each other", 9, 20, close, 0],
  ["one that is good", 9, 20, oneGood, 0],
  ["all very good", 5, 20, allGood, 0],
  ["any rates and many questions", 7, 48, any, 0.5],
  ["two candidates and few questions", 2, 8, any, 0],
] as const)("200 simulated models: %s", (_, candidates, count, rates, together) => {
  const plan = { count, block: 4, stopEarly: true };
  const probes = models(candidates, rates).map(async (model, seed) => ({
    model,
    standings: await simulate(model, { seed, together, ...plan }),
  }));

  test("95 % of the intervals contain the rate, including those of stopped candidates", async () => {
    const all = (await Promise.all(probes)).flatMap(({ standings }) => standings);
    const covered = (list: typeof all) =>
      list.filter((standing) => {
        const asked = standing.answers.length;
        const { low, high } = wilson(rightOf(standing), asked, intervalError(plan, asked));
        const rate = rateOf(standing.candidate);
        return low <= rate && rate <= high;
      }).length / list.length;
    expect(covered(all)).toBeGreaterThanOrEqual(0.95);
  });

  test("the best is reported as worse in at most 5 of 100", async () => {
    const done = await Promise.all(probes);
    const wrong = done.filter(({ model, standings }) => {
      const highest = Math.max(...model.map(rateOf));
      return standings.some(({ candidate, stopped }) => stopped === "worse" && rateOf(candidate) === highest);
    });
    expect(wrong.length / done.length).toBeLessThanOrEqual(0.05);
  });
});

test("200 simulated models: a best that leads by 40 points wins in at least 95 of 100, and saves a fifth of the answers", async () => {
  const plan = { count: 20, block: 4, stopEarly: true };
  const done = await Promise.all(models(9, oneGood).map((model, seed) => simulate(model, { seed, ...plan })));
  const winners = done.map((standings) => [...standings].sort((one, other) => rightOf(other) - rightOf(one))[0]);
  expect(winners.filter((winner) => winner?.candidate.id === 3).length).toBeGreaterThanOrEqual(190);
  const asked = done.flat().reduce((sum, { answers }) => sum + answers.length, 0);
  expect(asked / (200 * 9 * 20)).toBeLessThan(0.8);
});

test("a test after each block does not take chance for a difference: two equal candidates", async () => {
  const equal = models(2, () => 0.5);
  const done = await Promise.all(
    equal
      .map(([one]) => one!)
      .map((one, seed) => simulate([one, { ...one, id: 1 }], { seed, count: 48, stopEarly: true })),
  );
  const told = done.filter((standings) => standings.some(({ stopped }) => stopped === "worse"));
  expect(told.length).toBeLessThanOrEqual(10);
});

describe("stopping a candidate", () => {
  /** A race of candidates whose answers are given. */
  const run = (answers: readonly (readonly boolean[])[], stopEarly = true) =>
    race({
      candidates: answers.map((_, id) => id),
      count: answers[0]?.length ?? 0,
      block: 4,
      stopEarly,
      ask: async (id, numbers) => numbers.map((number) => answers[id]?.[number] ?? false),
    });
  const matrices = fc
    .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 24 }))
    .chain(([candidates, count]) =>
      fc.array(fc.array(fc.boolean(), { minLength: count, maxLength: count }), {
        minLength: candidates,
        maxLength: candidates,
      }),
    );

  test("never stops one that all questions would have shown to lead", async () => {
    await fc.assert(
      fc.asyncProperty(matrices, async (answers) => {
        const most = Math.max(...answers.map((list) => list.filter(Boolean).length));
        for (const { candidate, stopped } of await run(answers))
          if (stopped === "behind") expect(answers[candidate]?.filter(Boolean).length).toBeLessThan(most);
      }),
    );
  });

  test("happens only after whole blocks, and leaves one that is asked everything", async () => {
    await fc.assert(
      fc.asyncProperty(matrices, async (answers) => {
        const count = answers[0]?.length ?? 0;
        const standings = await run(answers);
        for (const { answers: asked } of standings) expect(asked.length === count || asked.length % 4 === 0).toBe(true);
        expect(standings.some(({ answers: asked }) => asked.length === count)).toBe(true);
      }),
    );
  });

  test("does not happen if the option forbids it", async () => {
    const standings = await run([Array(20).fill(true), Array(20).fill(false)], false);
    expect(standings.map(({ answers }) => answers.length)).toEqual([20, 20]);
    // It is known all the same.
    expect(standings.map(({ stopped }) => stopped)).toEqual([undefined, "worse"]);
  });

  test("happens at once if it cannot be asked", async () => {
    const asked: number[] = [];
    const standings = await race({
      candidates: ["a", "b"],
      count: 8,
      block: 4,
      stopEarly: true,
      ask: async (candidate, numbers) => {
        if (candidate === "b") asked.push(...numbers);
        return candidate === "b" ? undefined : numbers.map(() => true);
      },
    });
    expect(asked).toEqual([0, 1, 2, 3]);
    expect(standings.map(({ stopped }) => stopped)).toEqual([undefined, "unusable"]);
  });
});

test("a candidate is never stopped by the answers of one that does not compete, which may be stopped itself", async () => {
  const ask = (good: string) => async (candidate: string, numbers: readonly number[]) =>
    numbers.map(() => candidate === good);
  const plan = { candidates: ["a", "b", "outside"], count: 20, block: 4, stopEarly: true };
  const competes = (candidate: string) => candidate !== "outside";
  const behind = await race({ ...plan, competes, ask: ask("outside") });
  expect(behind.map(({ answers, stopped }) => [answers.length, stopped])).toEqual(Array(3).fill([20, undefined]));
  const ahead = await race({ ...plan, competes, ask: ask("a") });
  expect(ahead.map(({ stopped }) => stopped)).toEqual([undefined, "worse", "worse"]);
});

test("a candidate that joins is asked all questions, but the reason for joining is no evidence", async () => {
  const questions: number[] = [];
  const standings = await race<string>({
    candidates: ["bad"],
    count: 8,
    block: 4,
    stopEarly: true,
    reserve: 1,
    ask: async (candidate, numbers) => {
      if (candidate === "good") questions.push(...numbers);
      return numbers.map(() => candidate === "good");
    },
    join: (running) => (running.length === 1 ? ["good"] : []),
  });
  expect(questions).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  // Eight questions would be enough, four are not.
  expect(standings.map(({ stopped, since }) => [stopped, since])).toEqual([
    [undefined, 0],
    [undefined, 4],
  ]);
});
