import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { must, root, step } from "./run.mjs";

const read = (path) => readFileSync(join(root, path), "utf8");
const manifest = JSON.parse(read("package.json"));

/** The folders of the workspace that have a package.json: "packages/core" and so on. */
export function workspaceFolders(...parents) {
  return parents
    .filter((parent) => existsSync(join(root, parent)))
    .flatMap((parent) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}`))
    .filter((folder) => existsSync(join(root, folder, "package.json")));
}

function checkNode() {
  const wanted = manifest.engines.node.replace(">=", "");
  const [major, minor] = process.versions.node.split(".").map(Number);
  const [wantedMajor, wantedMinor] = wanted.split(".").map(Number);
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return;
  console.error(`Toolingua needs Node.js ${wanted} or newer; this is ${process.version}.`);
  process.exit(1);
}

/** Everything that decides what an install gives: the lock file, the settings, every manifest, the platform. */
function installStamp() {
  const folders = workspaceFolders("packages", "examples", "benchmarks", "evals", "test");
  const files = ["package.json", "pnpm-workspace.yaml", "pnpm-lock.yaml", ...folders.map((f) => `${f}/package.json`)];
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}\n`);
  for (const file of files) hash.update(`${file}\n${read(file)}\n`);
  return hash.digest("hex");
}

/** pnpm through npx, at the version the workspace names: a fresh machine has Node and npm only. */
const pnpm = (args, env) =>
  must("npx", ["-y", manifest.packageManager, ...args], { env: { COREPACK_ENABLE_STRICT: "0", ...env } });

/** Installs the dependencies, unless nothing has changed since the last install that succeeded. */
export async function install() {
  checkNode();
  await step("Installing dependencies", async () => {
    const stampFile = join(root, "node_modules", ".toolingua-install");
    const stamp = installStamp();
    if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return "unchanged since the last install";
    rmSync(stampFile, { force: true });
    await pnpm(["install"], { NODE_LLAMA_CPP_SKIP_DOWNLOAD: "true" });
    writeFileSync(stampFile, installStamp());
  });
}

/** Publishes what is new. Changesets calls pnpm, which knows what `workspace:` means, and finds it only from within pnpm. */
export const publish = () => step("Publishing", () => pnpm(["exec", "changeset", "publish"]));

const tsc = (...args) => must(process.execPath, [join("node_modules", "typescript", "bin", "tsc"), ...args]);

const bundle = (folder) => must(process.execPath, [join(folder, "bundle.mjs")]);

/** The packages that are bundled: the core first, because Vite finds its entries by the files of its bundle. */
const bundled = ["packages/core", "packages/cli"];

/**
 * Builds what has changed: every package as ES modules and as CommonJS, the examples, and the bundles, always anew. `clean`
 * starts from nothing.
 */
export async function build({ clean = false } = {}) {
  await step("Building", async () => {
    const packages = workspaceFolders("packages");
    if (clean) for (const folder of packages) rmSync(join(root, folder, "dist"), { recursive: true, force: true });
    await tsc("--build", "tsconfig.json");
    await tsc("--build", "tsconfig.cjs.json");
    for (const folder of bundled) await bundle(folder);
    for (const folder of packages) {
      // The packages are ES modules; this says that the files below are not. The command line has none.
      if (!existsSync(join(root, folder, "dist", "cjs"))) continue;
      writeFileSync(join(root, folder, "dist", "cjs", "package.json"), '{ "type": "commonjs" }\n');
    }
  });
}

/**
 * Builds what has changed of one example and of the packages that it uses, as ES modules: the references of its
 * `tsconfig.json` name them. It needs neither CommonJS nor the bundle of the command line.
 */
export async function buildExample(name) {
  const folder = join("examples", name);
  if (!existsSync(join(root, folder))) {
    const programs = workspaceFolders("examples").filter((path) => existsSync(join(root, path, "src", "main.ts")));
    const there = programs.map((path) => path.slice("examples/".length));
    console.error(`There is no example "${name}". There are ${there.join(", ")}.`);
    process.exit(1);
  }
  const configs = [folder, join(folder, "page")].map((path) => join(path, "tsconfig.json"));
  await step("Building", async () => {
    // The core's bundle has the part that needs Node.js, which an example may not refer to.
    const core = join("packages", "core", "tsconfig.node.json");
    await tsc("--build", core, ...configs.filter((path) => existsSync(join(root, path))));
    await bundle("packages/core");
  });
}

/** Type-checks the tests, which no build holds. */
export const checkTypes = () => step("Checking types", () => tsc("--build", "tsconfig.test.json"));

/** Lint and format, without changing anything. */
export const lint = () =>
  step("Linting", () => must(process.execPath, [join("node_modules", "@biomejs", "biome", "bin", "biome"), "check"]));
