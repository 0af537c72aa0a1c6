import { expect, test } from "vitest";
import { committed, quickRun } from "../timing/quick-run.mjs";
import { isKnown } from "../timing/spread.mjs";

interface Results {
  date: string;
  commit: string;
  machine: string;
  versions: Record<string, string>;
  rows: {
    benchmark?: string;
    group?: string;
    what: string;
    value: number;
    low?: number | null;
    high?: number | null;
    unit: string;
    against?: string;
  }[];
}

const groupsOf = ({ rows }: Results) => [...new Set(rows.map(({ benchmark, group }) => benchmark ?? group))];

test.each(["speed", "throughput"])(
  "%s: one command measures all that is committed, and says on what",
  { timeout: 600_000 },
  (name) => {
    const results: Results = quickRun(name);
    for (const { what, value, unit } of results.rows) {
      expect(what).not.toBe("");
      expect(unit).not.toBe("");
      expect(value).not.toBeNaN();
    }
    // One round says nothing of who is faster.
    for (const row of results.rows.filter(({ unit }) => /× the time|^ms|^µs|calls\/s/.test(unit)))
      if (!row.what.startsWith("a grammar compiled")) expect([row.what, isKnown(row)]).toEqual([row.what, false]);
    expect(groupsOf(committed(name))).toEqual(groupsOf(results));
    expect(Object.keys(committed(name))).toEqual(Object.keys(results));
  },
);

test("each speed benchmark compares with others", () => {
  const { rows }: Results = committed("speed");
  const compared = rows.filter(({ against }) => against !== undefined);
  expect(new Set(compared.map(({ benchmark }) => benchmark))).toEqual(new Set(rows.map(({ benchmark }) => benchmark)));
});
