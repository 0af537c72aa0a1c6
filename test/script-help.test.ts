import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const run = (script: string, ...args: string[]) => {
  const path = fileURLToPath(new URL(`../scripts/${script}.mjs`, import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...args], { encoding: "utf8" });
  return { status, stdout, stderr };
};

test.each([
  ["verify", "--help", /^npm run verify \[-- NAME …\].*\n\n(?:\S+ {2}\S+\n)+$/],
  ["verify", "-h", /^npm run verify /],
  ["bench", "--help", /^npm run bench -- \S+\|\S+ \[options\]\n$/],
])("npm run %s -- %s prints the usage, and runs nothing", (script, flag, usage) => {
  expect(run(script, flag)).toEqual({ status: 0, stdout: expect.stringMatching(usage), stderr: "" });
});

test.each([
  ["verify", /^laws {2}/m],
  ["bench", /\|parse\|/],
])("npm run %s names what there is in place of a name that it does not know", (script, known) => {
  const { status, stdout, stderr } = run(script, "--halp");
  expect(status).toBe(2);
  expect(stdout + stderr).toMatch(known);
});
