// node bundle.mjs: what tsc wrote as a few files in dist/bundle, with what every command loads in them: the core, what it
// depends on, and commander. Loading their four hundred files one by one takes longer than reading a reply does. Everything
// else stays a dependency. See docs/decisions/0031-a-bundled-command-line.md.
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build as bundleFile } from "esbuild";
import { build } from "vite";
import { makePatternsLazy } from "../../scripts/lib/lazy-patterns.mjs";

const folder = dirname(fileURLToPath(import.meta.url));
const core = join(folder, "node_modules", "@toolingua", "core");
const { dependencies } = JSON.parse(readFileSync(join(core, "package.json"), "utf8"));
/** What is bundled, and in which folder each is installed. */
const installed = { commander: folder, ...Object.fromEntries(Object.keys(dependencies).map((name) => [name, core])) };
const inside = ["@toolingua/core", ...Object.keys(installed)];
const isInside = (id) => inside.some((name) => id === name || id.startsWith(`${name}/`));
const outDir = join(folder, "dist", "bundle");

/** The modules of the core instead of its own bundle, so that each chunk gets what it needs of it. */
const coreModules = {
  name: "core-modules",
  enforce: "pre",
  async resolveId(id, importer) {
    if (!id.startsWith("@toolingua/core")) return null;
    const found = await this.resolve(id, importer, { skipSelf: true });
    const module = found?.id.replace(join("core", "dist", "bundle"), join("core", "dist"));
    if (module === undefined || module === found.id) throw new Error(`${id} is not a file of the core's bundle`);
    return { ...found, id: module };
  },
};

/**
 * YAML takes a tenth of what `parse` needs to start, and few replies and tools need it: it is a file of its own, which its
 * functions load when they are called. They are called synchronously, so the file is one that can be required.
 */
const lazyYaml = {
  name: "lazy-yaml",
  enforce: "pre",
  resolveId: (id) => (id === "yaml" ? "\0yaml" : null),
  async load(id) {
    if (id !== "\0yaml") return null;
    const names = Object.entries(await import("yaml")).flatMap(([name, value]) =>
      typeof value === "function" && name !== "default" ? [name] : [],
    );
    return `import { createRequire } from "node:module";
      let yaml;
      const load = (name) => (yaml ??= createRequire(import.meta.url)("./yaml.cjs"))[name];
      const lazy = (name) => new Proxy(function () {}, {
        apply: (_, self, args) => Reflect.apply(load(name), self, args),
        construct: (_, args) => Reflect.construct(load(name), args),
        get: (_, key) => load(name)[key],
      });
      ${names.map((name) => `export const ${name} = /* @__PURE__ */ lazy("${name}");`).join("\n")}`;
  },
};

await build({
  root: folder,
  configFile: false,
  logLevel: "warn",
  plugins: [coreModules, lazyYaml],
  ssr: { noExternal: inside },
  build: {
    ssr: join("dist", "bin.js"),
    outDir,
    // `tsc` wrote the modules for Node.js 20, and so are the dependencies.
    target: "esnext",
    minify: "esbuild",
    rollupOptions: {
      external: (id) => /^[^./\0]/.test(id) && !isInside(id),
      treeshake: { moduleSideEffects: false },
      output: { chunkFileNames: "[name]-[hash].js" },
    },
  },
  // Names are in errors.
  esbuild: { minifyIdentifiers: false },
});
await bundleFile({
  entryPoints: [createRequire(import.meta.url).resolve("yaml")],
  outfile: join(outDir, "yaml.cjs"),
  bundle: true,
  platform: "node",
  minifySyntax: true,
  minifyWhitespace: true,
});
makePatternsLazy(outDir);
chmodSync(join(outDir, "bin.js"), 0o755);

/** Licences want to be where the code is. One package names its licence, and has no text of it. */
const notices = Object.entries(installed).map(([name, by]) => {
  const at = join(by, "node_modules", name);
  const file = readdirSync(at).find((one) => /^licen[cs]e/i.test(one));
  const { version, license, author } = JSON.parse(readFileSync(join(at, "package.json"), "utf8"));
  const text =
    file === undefined ? `${license}. ${author?.name ?? author ?? ""}` : readFileSync(join(at, file), "utf8");
  return `${name} ${version}\n\n${text.trim()}\n`;
});
writeFileSync(join(outDir, "NOTICES.txt"), notices.join(`\n${"-".repeat(80)}\n\n`));
