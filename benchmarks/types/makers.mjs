// The three that make schemas of types, each through its public interface. One function each: the cases, and a schema or an
// error for each of them.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("./peers/", import.meta.url));

/** Installs the peers beside this file, once: they bring a hundred packages, so they are no part of the workspace. */
export function installPeers() {
  if (existsSync(join(folder, "node_modules/typia/package.json"))) return;
  const npm = ["install", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", npm, { cwd: folder, stdio: "inherit", shell: process.platform === "win32" });
}

/** A folder for sources beside the peers' packages, so that they are found. */
function workFolder() {
  mkdirSync(join(folder, "work"), { recursive: true });
  const work = mkdtempSync(join(folder, "work/run-"));
  writeFileSync(join(work, "package.json"), '{"type":"commonjs"}');
  return { work, end: () => rmSync(work, { recursive: true }) };
}

/** A module that exports the type of a case. */
const sourceOf = ({ source, type }, i) => `${source}\nexport type Asked${i} = ${type};\n`;

const attempt = (make) => {
  try {
    return { schema: make() };
  } catch (error) {
    return { error: String(error?.message ?? error).split("\n")[0] };
  }
};

/** `@toolingua/schema-from-types`: the type as the parameter of a function, in one file for each. */
export async function ours(cases) {
  const { toolsFromFiles } = await import("@toolingua/schema-from-types");
  const { work, end } = workFolder();
  const files = cases.map((one, i) => {
    const file = join(work, `case${i}.ts`);
    writeFileSync(
      file,
      `${one.source}\nexport function case${i}(value: ${one.type}, other: 1) { return [value, other]; }\n`,
    );
    return file;
  });
  const began = performance.now();
  const problems = [];
  const tools = toolsFromFiles(files, { onProblem: (problem) => problems.push(problem) });
  const ms = performance.now() - began;
  end();
  const made = cases.map((_, i) => {
    const tool = tools.find(({ name }) => name === `case${i}`);
    if (!tool) return { error: problems.find(({ file }) => file.endsWith(`case${i}.ts`))?.message ?? "no tool" };
    const { properties, $defs } = tool.parameters;
    // A type with `undefined` among its values is optional here, not other.
    return { schema: { ...properties.value, ...($defs && { $defs }) } };
  });
  return { made, ms, dialect: "2020-12" };
}

/** `typia.json.schema<T, "3.1">()`, by its transformer. */
export async function typia(cases) {
  const require = createRequire(join(folder, "package.json"));
  const ts = require("typescript");
  const { default: transform } = require("typia/lib/transform");
  const { work, end } = workFolder();
  const files = cases.map((one, i) => {
    const file = join(work, `case${i}.ts`);
    writeFileSync(
      file,
      `import typia from "typia";\n${sourceOf(one, i)}export const schema${i} = () => typia.json.schema<Asked${i}, "3.1">();\n`,
    );
    return file;
  });
  const began = performance.now();
  const options = {
    strict: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.CommonJS,
    esModuleInterop: true,
    skipLibCheck: true,
    types: [],
  };
  const program = ts.createProgram(files, options);
  const said = new Map();
  const extras = {
    addDiagnostic: (diagnostic) =>
      said.set(diagnostic.file?.fileName, ts.flattenDiagnosticMessageText(diagnostic.messageText, " ")) && 0,
  };
  program.emit(undefined, undefined, undefined, false, { before: [transform(program, {}, extras)] });
  const made = files.map((file, i) => {
    const problem = said.get(file);
    if (problem !== undefined) return { error: problem.replace(/\s+/g, " ").slice(0, 200) };
    return attempt(() => {
      const { schema, components } = require(file.replace(/\.ts$/, ".js"))[`schema${i}`]();
      return { ...schema, components };
    });
  });
  const ms = performance.now() - began;
  end();
  return { made, ms, dialect: "2020-12", version: require("typia/package.json").version };
}

/** `ts-json-schema-generator`, with its defaults. */
export async function generator(cases) {
  const require = createRequire(join(folder, "package.json"));
  const main = require.resolve("ts-json-schema-generator");
  const { createGenerator } = await import(main);
  const { work, end } = workFolder();
  const began = performance.now();
  const tsconfig = join(work, "tsconfig.json");
  const compilerOptions = { strict: true, target: "es2022", module: "commonjs", skipLibCheck: true, types: [] };
  writeFileSync(tsconfig, JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  for (const [i, one] of cases.entries()) writeFileSync(join(work, `case${i}.ts`), sourceOf(one, i));
  const all = createGenerator({ path: join(work, "*.ts"), type: "*", tsconfig, skipTypeCheck: true });
  const made = cases.map((_, i) => attempt(() => all.createSchema(`Asked${i}`)));
  const ms = performance.now() - began;
  end();
  const { version } = require(join(dirname(main), "../package.json"));
  return { made, ms, dialect: "draft-07", version };
}
