// npm run bench -- NAME [options]: installs, builds and runs a benchmark, a folder of benchmarks/ or evals/. Options are its
// own.
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { root, run } from "./lib/run.mjs";
import { build, install, workspaceFolders } from "./lib/workspace.mjs";

/** A benchmark's scripts: `run.mjs`, and what else there is. What is measured in time runs with the others, or alone. */
const scriptsOf = (folder) =>
  [
    [`${folder}/measure.mjs`, ["benchmarks/speed/run.mjs", basename(folder)]],
    [`${folder}/run.mjs`],
    [`${folder}/selection.mjs`],
  ]
    .filter(([path]) => existsSync(join(root, path)))
    .map(([path, script = [path]]) => script);

const [name, ...options] = process.argv.slice(2);
const runnable = new Map(
  workspaceFolders("benchmarks", "evals")
    .map((folder) => [basename(folder), scriptsOf(folder)])
    .filter(([, scripts]) => scripts.length > 0),
);
const usage = `npm run bench -- ${[...runnable.keys()].join("|")} [options]`;
if (name === "--help" || name === "-h") {
  console.log(usage);
} else if (!runnable.has(name)) {
  console.error(usage);
  process.exitCode = 2;
} else {
  await install();
  await build();
  for (const script of runnable.get(name)) process.exitCode ||= await run(process.execPath, [...script, ...options]);
}
