// npm run bench -- NAME [options]: installs, builds and runs a benchmark, a folder of benchmarks/. Options are its own.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "./lib/run.mjs";
import { build, install, workspaceFolders } from "./lib/workspace.mjs";

/** A benchmark's scripts: `run.mjs`, or what it is made of. */
const scripts = { langchain: ["overhead.mjs", "selection.mjs"] };
const scriptsOf = (name) =>
  (scripts[name] ?? ["run.mjs"])
    .map((file) => `benchmarks/${name}/${file}`)
    .filter((path) => existsSync(join(root, path)));

const [name, ...options] = process.argv.slice(2);
const names = workspaceFolders("benchmarks").map((folder) => folder.slice("benchmarks/".length));
const runnable = names.filter((one) => scriptsOf(one).length > 0);
if (!runnable.includes(name)) {
  console.error(`npm run bench -- ${runnable.join("|")} [options]`);
  process.exitCode = 2;
} else {
  await install();
  await build();
  for (const script of scriptsOf(name)) process.exitCode ||= await run(process.execPath, [script, ...options]);
}
