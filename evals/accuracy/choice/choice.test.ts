import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withTables } from "../../../benchmarks/timing/markdown.mjs";
import { prompts } from "./prompts.mjs";
import { readingOf } from "./readings.mjs";
import { balanced, combination, compared, decided, separation, thresholdOf } from "./rules.mjs";
import { summarise } from "./summary.mjs";
import { tables } from "./tables.mjs";

const results = JSON.parse(readFileSync(new URL("results.json", import.meta.url), "utf8"));

it("the README's table is that of the results, and the results are those of the readings", () => {
  const readme = readFileSync(new URL("README.md", import.meta.url), "utf8");
  expect(readme).toBe(withTables(readme, tables(results)));
  expect(JSON.parse(JSON.stringify(summarise(results.readings, results.words)))).toEqual(results.rows);
});

const cases = (calls: number[], none: number[]) => [
  ...calls.map((score, i) => ({ id: `c${i}`, wants: true, score })),
  ...none.map((score, i) => ({ id: `n${i}`, wants: false, score })),
];

describe("rules", () => {
  it("separation is 1 where all that want a call are above, 0.5 where nothing is known, and its mirror where it is upside down", () => {
    expect(separation(cases([2, 3], [0, 1])).auc).toBe(1);
    expect(separation(cases([1, 1], [1, 1])).auc).toBe(0.5);
    const scores = fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(scores, scores, (calls, none) => {
        const { auc, low, high } = separation(cases(calls, none));
        expect(auc + separation(cases(none, calls)).auc).toBeCloseTo(1);
        expect(low).toBeLessThanOrEqual(auc);
        expect(high).toBeGreaterThanOrEqual(auc);
      }),
    );
  });

  it("no threshold is better than the one that is chosen", () => {
    const scores = fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(scores, scores, fc.double({ min: -4, max: 4, noNaN: true }), (calls, none, other) => {
        const list = cases(calls, none);
        const share = (threshold: number) => balanced(decided(list, threshold)).share;
        expect(share(thresholdOf(list))).toBeGreaterThanOrEqual(share(other));
      }),
    );
  });

  it("a rule that always calls has a balanced accuracy of one half", () => {
    const list = cases([1, 2, 3], [1, 2]);
    expect(balanced(decided(list, Number.NEGATIVE_INFINITY))).toMatchObject({ share: 0.5, hits: 3, rejections: 0 });
    expect(balanced(decided(list, Number.POSITIVE_INFINITY))).toMatchObject({ share: 0.5, hits: 0, rejections: 2 });
  });

  it("compares two rules on the questions of both", () => {
    const list = cases([1, 2], [1, 2]);
    const [always, never] = [decided(list, 0), decided(list, 9)];
    expect(compared(always, never.slice(1))).toMatchObject({ count: 3, won: 1, lost: 2 });
  });

  it("combines numbers so that the useful one decides", () => {
    const list = [0, 1, 2, 3].flatMap((noise) => [
      { wants: true, numbers: [noise, 1] },
      { wants: false, numbers: [noise, 0] },
    ]);
    const scoreOf = combination(list);
    expect(scoreOf([0, 1])).toBeGreaterThan(scoreOf([3, 0]));
  });
});

describe("readings", () => {
  const question = {
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Will it rain?" },
    ],
    tools: [{ name: "weather", parameters: { type: "object", properties: {} } }],
  };

  it("every prompt ends with the question and shows the tool", async () => {
    for (const [name, { messages }] of Object.entries(prompts)) {
      const sent = await messages(question);
      expect([name, sent.at(-1)]).toEqual([name, { role: "user", content: "Will it rain?" }]);
      expect(sent[0].content).toContain("weather");
    }
  });

  it("a marker of probability one half has log-odds of 0, and one text is weighed against another", () => {
    const call = { logs: [Math.log(0.8), Math.log(0.625)], margin: 2 };
    const about = { model: "m", cell: "p", category: "irrelevance", half: "a", id: "i" };
    const [alone] = readingOf({ ...about, read: { call }, empty: { call } });
    expect(alone).toMatchObject({ odds: 0, empty: 0, margin: 2, tokens: [0.8, 0.625] });
    const answer = { logs: [Math.log(0.125)], margin: -1 };
    const [against] = readingOf({ ...about, read: { call, answer }, empty: { call } });
    expect(against).toMatchObject({ odds: 1.386, margin: 1.386 });
    expect(readingOf({ ...about, read: undefined, empty: { call } })).toEqual([]);
  });
});
