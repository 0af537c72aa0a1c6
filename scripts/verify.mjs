// npm run verify [-- NAME …]: installs, builds and runs the long suites, all or those named; --list says which there are.
// A suite is a file NAME.verify.test.ts, which runs in vitest, or NAME.verify.mjs, in the folder of tests, of a benchmark or of
// an evaluation. Each prints its figures.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "./lib/run.mjs";
import { build, install, workspaceFolders } from "./lib/workspace.mjs";

const tests = ["test", ...workspaceFolders("packages").map((folder) => `${folder}/test`)];
const suites = Object.fromEntries(
  [...tests, ...workspaceFolders("benchmarks", "evals")]
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder)).map((file) => [file, `${folder}/${file}`]))
    .flatMap(([file, path]) => {
      const name = /^(.+)\.verify\.(?:test\.ts|mjs)$/.exec(file)?.[1];
      return name === undefined ? [] : [[name, path]];
    })
    .sort(),
);

const args = process.argv.slice(2);
const isHelp = ["--help", "-h"].some((flag) => args.includes(flag));
const unknown = isHelp ? [] : args.filter((name) => name !== "--list" && !Object.hasOwn(suites, name));
if (isHelp || args.includes("--list") || unknown.length > 0) {
  if (isHelp)
    console.log("npm run verify [-- NAME …]: the long tests, all or those named. --list prints only these names.\n");
  if (unknown.length > 0) console.error(`There is no ${unknown.join(", ")}. There are:`);
  for (const [name, path] of Object.entries(suites)) console.log(`${name}  ${path}`);
  process.exit(unknown.length > 0 ? 2 : 0);
}

await install();
await build();
const failed = [];
for (const name of args.length > 0 ? args : Object.keys(suites)) {
  const path = suites[name];
  const command = path.endsWith(".mjs") ? [path] : [join("node_modules", "vitest", "vitest.mjs"), "run", path];
  console.error(`\u2022 ${name}`);
  if ((await run(process.execPath, command, { env: { TOOLINGUA_VERIFY: "1" } })) !== 0) failed.push(name);
}
if (failed.length > 0) {
  console.error(`\n\u2717 failed: ${failed.join(", ")}`);
  process.exitCode = 1;
}
