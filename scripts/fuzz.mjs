// npm run fuzz [-- --seconds N --seed S --runs N --protocol P --property X]: the laws of the reply parser on random replies
// (packages/core/test/fuzz). The sources are bundled first: run module by module, they take three times as long.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./lib/run.mjs";
import { install } from "./lib/workspace.mjs";

await install();
const { build } = await import("vite");

const outDir = join(root, "node_modules", ".fuzz");
await build({
  root: join(root, "packages", "core"),
  configFile: false,
  logLevel: "warn",
  build: { ssr: "test/fuzz/cli.ts", outDir, emptyOutDir: true, target: "node20", minify: false },
  ssr: { noExternal: true },
});
const { main } = await import(pathToFileURL(join(outDir, "cli.js")).href);
process.exitCode = main(process.argv.slice(2));
