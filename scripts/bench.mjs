// npm run bench -- NAME [options]: installs, builds and runs a benchmark, a folder of benchmarks/. Options are its own.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "./lib/run.mjs";
import { build, install, workspaceFolders } from "./lib/workspace.mjs";

/** A benchmark's scripts: `run.mjs`, and what else there is. What is measured in time runs with the others, or alone. */
const scriptsOf = (name) =>
  [
    [`benchmarks/${name}/measure.mjs`, ["benchmarks/speed/run.mjs", name]],
    [`benchmarks/${name}/run.mjs`],
    [`benchmarks/${name}/selection.mjs`],
  ]
    .filter(([path]) => existsSync(join(root, path)))
    .map(([path, script = [path]]) => script);

const [name, ...options] = process.argv.slice(2);
const names = workspaceFolders("benchmarks").map((folder) => folder.slice("benchmarks/".length));
const runnable = names.filter((one) => scriptsOf(one).length > 0);
if (!runnable.includes(name)) {
  console.error(`npm run bench -- ${runnable.join("|")} [options]`);
  process.exitCode = 2;
} else {
  await install();
  await build();
  for (const script of scriptsOf(name)) process.exitCode ||= await run(process.execPath, [...script, ...options]);
}
