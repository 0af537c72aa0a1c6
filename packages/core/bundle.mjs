// node bundle.mjs: the ES modules that tsc wrote, as the few files in dist/bundle that Node.js loads. Loading four hundred
// modules takes twice as long. Bundlers for browsers get the modules, of which they keep what an application uses. See
// docs/decisions/0045-a-bundle-for-node.md.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { makePatternsLazy } from "../../scripts/lib/lazy-patterns.mjs";

const folder = dirname(fileURLToPath(import.meta.url));
const dist = join(folder, "dist");
const outdir = join(dist, "bundle");
const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** The protocol that is loaded apart from the others, because it has a large dependency. */
const APART = "yaml";
/** The entries: paths in `dist` without an extension. */
const entries = Object.entries(exports)
  .filter(([name, target]) => target?.import !== undefined && !name.includes("*"))
  .map(([, target]) => target.import.default.slice("./dist/".length, -".js".length));
const protocols = readdirSync(join(dist, "protocols"))
  .filter((file) => file.endsWith(".js") && file !== "index.js")
  .map((file) => file.slice(0, -".js".length))
  .filter((name) => exports[`./protocols/${name}`] !== null && name !== APART);

/** The code of an export of everything that a protocol's module exports, from a module. */
async function exportOf(name, from) {
  const names = Object.keys(await import(pathToFileURL(join(dist, "protocols", `${name}.js`)).href));
  return `export { ${names.join(", ")} } from ${JSON.stringify(from)};\n`;
}

/** A module of all protocols but one: with a chunk for each, Node.js would load twice as many files for the main entry. */
const together = "all-protocols";
const contents = (await Promise.all(protocols.map((name) => exportOf(name, `./protocols/${name}.js`)))).join("");
const allProtocols = {
  name: together,
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^${together}$`) }, () => ({ path: together, namespace: together }));
    onLoad({ filter: /^/, namespace: together }, () => ({ contents, resolveDir: dist }));
  },
};

rmSync(outdir, { recursive: true, force: true });
await build({
  absWorkingDir: folder,
  entryPoints: [
    ...[...entries, `protocols/${APART}`].map((path) => ({ in: `./dist/${path}.js`, out: path })),
    { in: together, out: together },
  ],
  outdir,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  // `tsc` wrote the modules for Node.js 20.
  target: "esnext",
  packages: "external",
  logLevel: "warning",
  plugins: [allProtocols],
});
for (const name of protocols) {
  writeFileSync(join(outdir, "protocols", `${name}.js`), await exportOf(name, `../${together}.js`));
}
makePatternsLazy(outdir);
