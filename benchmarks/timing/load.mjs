// The results that the benchmarks wrote, as they are committed.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const roots = ["benchmarks", "evals"].map((name) => fileURLToPath(new URL(`../../${name}/`, import.meta.url)));

/**
 * The results of every benchmark and evaluation by name, undefined where there are none. Of `accuracy` a list, one for each
 * file `results-NAME.json`: its content and `name`. `folders` are searched in order.
 */
export function loadResults(folders = roots) {
  const found = (path) => folders.map((folder) => join(folder, path)).find(existsSync);
  const read = (path) => path && JSON.parse(readFileSync(path, "utf8"));
  const accuracy = found("accuracy");
  const files = accuracy ? readdirSync(accuracy).sort() : [];
  return {
    ...Object.fromEntries(
      ["tokens", "constrained", "speed", "ai-sdk", "throughput", "replay", "coverage", "selection"].map((name) => [
        name,
        read(found(join(name, "results.json"))),
      ]),
    ),
    choice: read(found(join("accuracy", "choice", "results.json"))),
    accuracy: files
      .filter((file) => /^results-.+\.json$/.test(file))
      .map((file) => ({ name: file.slice("results-".length, -".json".length), ...read(join(accuracy, file)) })),
  };
}
