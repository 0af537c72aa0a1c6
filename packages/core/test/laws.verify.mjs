// npm run verify -- laws: the laws of the core, with forty times as many random inputs as in `npm test`. LAWS=3: three times
// as many; FC_SEED=random: other ones.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const files = [
  "packages/core/test/protocol-laws.test.ts",
  "packages/core/test/grammar-laws.test.ts",
  "packages/core/test/grammar-ajv.test.ts",
  "packages/core/test/tool-call-ajv.test.ts",
  "packages/core/test/copied-calls.test.ts",
  "packages/core/test/silent-calls.test.ts",
  "packages/core/test/syntax-laws.test.ts",
  "packages/core/test/tool-names.test.ts",
  "packages/core/src/providers/round-trip.test.ts",
  "packages/core/src/grammar/schema/scalars.test.ts",
];
const { LAWS = "40" } = process.env;
const command = ["node_modules/vitest/vitest.mjs", "run", ...files, "--testTimeout=3600000"];
const { status } = spawnSync(process.execPath, command, {
  cwd: root,
  env: { ...process.env, LAWS },
  stdio: "inherit",
});
process.exitCode = status ?? 1;
