// For tests: what a benchmark measures, and what is committed of it.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const read = (path) => JSON.parse(readFileSync(path, "utf8"));

/** The results of the benchmark in this folder of benchmarks/, measured quickly: the figures say little. */
export function quickRun(name) {
  const out = join(mkdtempSync(join(tmpdir(), `toolingua-${name}-`)), "results.json");
  const script = fileURLToPath(new URL(`../${name}/run.mjs`, import.meta.url));
  execFileSync(process.execPath, [script, "--quick", "--out", out], { stdio: ["ignore", "ignore", "inherit"] });
  return read(out);
}

/** The results that are committed. */
export const committed = (name) => read(new URL(`../${name}/results.json`, import.meta.url));

/** What the rows of results measure, and in which unit. */
export const rowsOf = ({ rows }) => rows.map(({ what, unit }) => [what, unit]);
