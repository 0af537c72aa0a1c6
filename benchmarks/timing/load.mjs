// The results that the benchmarks wrote, as they are committed.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const benchmarks = fileURLToPath(new URL("..", import.meta.url));

/**
 * The results of every benchmark by name, undefined where there are none. Of `accuracy` a list, one for each file
 * `results-NAME.json`: its content and `name`.
 */
export function loadResults(folder = benchmarks) {
  const read = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined);
  const one = (name) => read(join(folder, name, "results.json"));
  const accuracy = join(folder, "accuracy");
  const files = existsSync(accuracy) ? readdirSync(accuracy).sort() : [];
  return {
    ...Object.fromEntries(
      ["tokens", "constrained", "speed", "throughput", "replay", "coverage"].map((name) => [name, one(name)]),
    ),
    accuracy: files
      .filter((file) => /^results-.+\.json$/.test(file))
      .map((file) => ({ name: file.slice("results-".length, -".json".length), ...read(join(accuracy, file)) })),
  };
}
