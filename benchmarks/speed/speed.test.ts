import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

interface Results {
  date: string;
  commit: string;
  machine: string;
  versions: Record<string, string>;
  rows: { benchmark?: string; group?: string; what: string; value: number; unit: string; against?: string }[];
}

/** A look at everything that the benchmark measures, with figures that say little. */
function look(name: string): Results {
  const out = join(mkdtempSync(join(tmpdir(), "toolingua-speed-")), "results.json");
  const script = fileURLToPath(new URL(`../${name}/run.mjs`, import.meta.url));
  execFileSync(process.execPath, [script, "--quick", "--out", out], { stdio: ["ignore", "ignore", "inherit"] });
  return JSON.parse(readFileSync(out, "utf8"));
}

const committed = (name: string): Results =>
  JSON.parse(readFileSync(new URL(`../${name}/results.json`, import.meta.url), "utf8"));

const groupsOf = ({ rows }: Results) => [...new Set(rows.map(({ benchmark, group }) => benchmark ?? group))];

test.each(["speed", "throughput"])(
  "%s: one command measures all that is committed, and says on what",
  { timeout: 600_000 },
  (name) => {
    const results = look(name);
    for (const { what, value, unit } of results.rows) {
      expect(what).not.toBe("");
      expect(unit).not.toBe("");
      expect(value).not.toBeNaN();
    }
    expect(groupsOf(committed(name))).toEqual(groupsOf(results));
    expect(Object.keys(committed(name))).toEqual(Object.keys(results));
  },
);

test("each benchmark of speed is measured against others", () => {
  const { rows } = committed("speed");
  const compared = rows.filter(({ against }) => against !== undefined);
  expect(new Set(compared.map(({ benchmark }) => benchmark))).toEqual(new Set(rows.map(({ benchmark }) => benchmark)));
});
