// node bundle.mjs: the ES modules that tsc wrote, as the few files in dist/bundle that Node.js loads. Loading four hundred modules
// takes twice as long. Bundlers for browsers get the modules, of which they keep what an application uses.
// See docs/decisions/0045-a-bundle-for-node.md.
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const folder = dirname(fileURLToPath(import.meta.url));
const outdir = join(folder, "dist", "bundle");
const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** The modules that an export names; those of a folder, if it has a `*`, except the ones that are not exported. */
function modulesOf([name, target]) {
  const path = target?.import?.default;
  if (path === undefined) return [];
  if (!path.includes("*")) return [path];
  const names = readdirSync(join(folder, dirname(path)))
    .filter((file) => file.endsWith(".js"))
    .map((file) => file.slice(0, -".js".length));
  return names.filter((one) => exports[name.replace("*", one)] !== null).map((one) => path.replace("*", one));
}

rmSync(outdir, { recursive: true, force: true });
await build({
  absWorkingDir: folder,
  entryPoints: [...new Set(Object.entries(exports).flatMap(modulesOf))],
  outbase: "dist",
  outdir,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  packages: "external",
  logLevel: "warning",
});
