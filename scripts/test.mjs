// npm test [-- vitest arguments]: installs, builds, type-checks, lints and runs all tests.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root, run, step } from "./lib/run.mjs";
import { build, checkTypes, install, lint } from "./lib/workspace.mjs";

await install();
await build();
await checkTypes();
await lint();
const report = join(root, "node_modules", ".test-report.json");
rmSync(report, { force: true });
await step("Testing", async () => {
  const vitest = [join("node_modules", "vitest", "vitest.mjs"), "run"];
  const reporters = ["--reporter=default", `--reporter=${join(root, "scripts", "lib", "report.mjs")}`];
  const env = { TOOLINGUA_TEST_REPORT: report };
  process.exitCode = await run(process.execPath, [...vitest, ...reporters, ...process.argv.slice(2)], { env });
});
// What failed, and one plain line, the last, that any CI can read.
if (existsSync(report)) {
  const { passed, failed, skipped, failures } = JSON.parse(readFileSync(report, "utf8"));
  for (const failure of failures) console.log(`✗ ${failure}`);
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
}
