// Results as they are kept and printed. A row: { what, value, unit, against?, most? or least?, detail? }, and what groups it.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { cpus, platform, release } from "node:os";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The commit that is checked out, with "-dirty" where files differ from it. */
export const commitHere = () =>
  execFileSync("git", ["describe", "--always", "--dirty"], { cwd: root, encoding: "utf8" }).trim();

/** The package.json of a benchmark or an evaluation. */
const manifestOf = (name) =>
  ["benchmarks", "evals"].map((folder) => `${root}${folder}/${name}/package.json`).find((path) => existsSync(path));

/** When, on what and of what it was measured; `names`: the folders of benchmarks/ and evals/ whose dependencies took part. */
export function circumstances(names) {
  const manifests = names.map((name) => JSON.parse(readFileSync(manifestOf(name), "utf8")));
  const dependencies = Object.entries(Object.assign({}, ...manifests.map((manifest) => manifest.dependencies)));
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: commitHere(),
    machine: `${cpus()[0]?.model ?? "unknown"} × ${cpus().length}, ${platform()} ${release()}`,
    node: process.version,
    versions: Object.fromEntries(dependencies.filter(([, version]) => !version.startsWith("workspace:")).sort()),
  };
}

/** Throws where what was measured is not a commit's: such figures are not committed, for nobody can measure them again. */
export function committable({ commit }) {
  if (commit.endsWith("-dirty"))
    throw new Error(
      "Files differ from the commit, so its figures would be of no commit: commit first, or give --out FILE.",
    );
}

/** Whether a row is what was aimed at; undefined where nothing was. */
export const isMet = ({ value, most, least }) =>
  most === undefined && least === undefined ? undefined : value <= (most ?? value) && value >= (least ?? value);

/** Rows of a quick look: one round of a millisecond says nothing of who is faster, so ratios and verdicts are left out. */
export const withoutRatios = (rows) =>
  rows.map(({ most: _most, least: _least, ...row }) =>
    row.against === undefined ? row : { ...row, value: "not measured", unit: "by --quick" },
  );

/** Prints rows as one table, a heading for each group. */
export function print(rows, groupOf) {
  const cells = rows.map((row) => [
    row.what,
    `${row.value} ${row.unit}`,
    row.against ?? "",
    verdict(row),
    row.detail ?? "",
  ]);
  const widths = cells[0]?.map((_, i) => Math.max(...cells.map((line) => line[i].length)));
  let group;
  for (const [i, line] of cells.entries()) {
    if (groupOf(rows[i]) !== group) {
      group = groupOf(rows[i]);
      console.log(`\n${group}`);
    }
    console.log(`  ${line.map((cell, column) => cell.padEnd(widths[column])).join("  ")}`.trimEnd());
  }
}

function verdict(row) {
  const { most, least } = row;
  const met = isMet(row);
  return met === undefined ? "" : `${met ? "met" : "MISSED"} (${most === undefined ? `≥ ${least}` : `≤ ${most}`})`;
}
