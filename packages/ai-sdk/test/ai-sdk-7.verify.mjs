// npm run verify -- ai-sdk-7: this package with `ai` 7 and with Mastra, which need Node.js 22. Both are installed from npm into
// a folder of their own, and Node.js 22 with them (npm's package `node`).
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const dependencies = {
  "@ai-sdk/provider": "4.0.38",
  "@mastra/core": "1.71.0",
  ai: "7.0.173",
  node: "22.23.3",
  zod: "4.6.7",
};
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "toolingua-ai-sdk-7-"));
const run = (command, ...args) => execFileSync(command, args, { cwd: folder, stdio: "inherit" });

try {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }));
  run("npm", "install", "--no-audit", "--no-fund", "--silent");
  mkdirSync(join(folder, "node_modules", "@toolingua"));
  symlinkSync(here(".."), join(folder, "node_modules", "@toolingua", "ai-sdk"), "junction");
  for (const file of ["check.mjs", "types.mts"]) copyFileSync(here(`ai-sdk-7/${file}`), join(folder, file));

  const node = join(folder, "node_modules", "node", "bin", "node");
  console.log(`ai ${dependencies.ai}, @mastra/core ${dependencies["@mastra/core"]}, Node.js ${dependencies.node}:`);
  run(node, "check.mjs", here("../dist/index.js"));
  const tsc = here("../../../node_modules/typescript/bin/tsc");
  const how = ["--strict", "--skipLibCheck", "--noEmit", "--target", "ES2022", "--module", "NodeNext", "--types", ""];
  run(process.execPath, tsc, ...how, "types.mts");
  console.log("  the types");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
