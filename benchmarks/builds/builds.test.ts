import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

test("a clone beside itself has the same sizes", () => {
  const args = [here("run.mjs"), "--old", here("../.."), "--quick"];
  const printed = execFileSync(process.execPath, args, { encoding: "utf8" });
  expect(printed).toContain("whole: JSON, 5 arguments");
  const sizes = [...printed.matchAll(/^\| (\S+) +\| ([\d.]+ KB) +\| ([\d.]+ KB) +\|$/gm)];
  expect(sizes.map(([, entry]) => entry)).toEqual(["hermes", "qwen3-coder", "several", "all", "main"]);
  for (const [, , own, other] of sizes) expect(own).toBe(other);
});
