// npm test [-- vitest arguments]: installs, builds, type-checks, lints and runs all tests.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root, run, step } from "./lib/run.mjs";
import { build, checkTypes, install, lint } from "./lib/workspace.mjs";

await install();
await build();
await checkTypes();
await lint();
const report = join(root, "node_modules", ".vitest-report.json");
rmSync(report, { force: true });
await step("Testing", async () => {
  const vitest = [join("node_modules", "vitest", "vitest.mjs"), "run"];
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  process.exitCode = await run(process.execPath, [...vitest, ...reporters, ...process.argv.slice(2)]);
});
// One plain line, the last, that any CI can read.
if (existsSync(report)) {
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, "utf8"));
  const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : "";
  console.log(`${numPassedTests} passed, ${numFailedTests} failed${skipped}`);
}
