// Results as they are kept and printed. A row: { what, value, low?, high?, unit, against?, most? or least?, detail? }, and what
// groups it; see spread.mjs for `low` and `high`.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { cpus, platform, release } from "node:os";
import { fileURLToPath } from "node:url";
import { figure, isMet } from "./spread.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The commit that is checked out, with "-dirty" where files differ from it. */
export const commitHere = () =>
  execFileSync("git", ["describe", "--always", "--dirty"], { cwd: root, encoding: "utf8" }).trim();

/** Whether results are of uncommitted files: nothing is concluded of them. */
export const isStray = ({ commit = "" }) => commit.includes("-dirty");

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
  if (isStray({ commit }))
    throw new Error(
      "Files differ from the commit, so its figures would be of no commit: commit first, or give --out FILE.",
    );
}

/** Prints rows as one table, a heading for each group. */
export function print(rows, groupOf) {
  const cells = rows.map((row) => [row.what, figure(row), row.against ?? "", verdict(row), row.detail ?? ""]);
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
  if ((most ?? least) === undefined) return "";
  const met = isMet(row);
  const said = met === undefined ? "not known" : met ? "met" : "MISSED";
  return `${said} (${most === undefined ? `≥ ${least}` : `≤ ${most}`})`;
}
