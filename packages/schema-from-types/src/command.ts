import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { nearestNames } from "@toolingua/core/adapters";
import { SchemaFromTypesError, type SourceProblem, toolsFromFiles } from "./index.js";

const usage = `Usage: toolingua-schemas [options] <file.ts> …

Writes the definitions of the functions that TypeScript files export, as a JSON list.

  -o, --out <file>       write to a file; with the ending .ts as a module that exports \`tools\`
      --only <name>      only this function (may be given several times)
      --methods          the methods of exported classes and objects, too
      --results          with the schemas of return types
      --tsconfig <file>  instead of the nearest tsconfig.json
      --check            write nothing; fail if the file is not up to date
  -h, --help

A function for which no definition can be made is omitted and reported; the exit code is then 1.`;

const options = {
  out: { type: "string", short: "o" },
  only: { type: "string", multiple: true },
  methods: { type: "boolean" },
  results: { type: "boolean" },
  tsconfig: { type: "string" },
  check: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** Where the command writes to. */
export interface Output {
  log(text: string): void;
  error(text: string): void;
}

/**
 * Runs the command. Returns the exit code: 0; 1 for an error in the source or an outdated file; 2 for wrong usage.
 */
export function run(args: readonly string[], output: Output = console): number {
  try {
    return main(args, output);
  } catch (error) {
    const isOfSource = error instanceof SchemaFromTypesError;
    output.error(isOfSource ? lines(error.problems) : `${(error as Error).message}${hintFor(error)}\n\n${usage}`);
    return isOfSource ? 1 : 2;
  }
}

function main(args: readonly string[], output: Output): number {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
  if (values.help) {
    output.log(usage);
    return 0;
  }
  if (positionals.length === 0 || (values.check && values.out === undefined)) {
    output.error(usage);
    return 2;
  }
  const { out, check, only, methods, results, tsconfig } = values;
  if (out !== undefined && positionals.some((file) => isSameFile(file, out))) {
    output.error(`--out ${out} is one of the files to read, and would be overwritten. Name another file.`);
    return 2;
  }
  const problems: SourceProblem[] = [];
  const onProblem = (problem: SourceProblem) => problems.push(problem);
  const tools = toolsFromFiles(positionals, { only, methods, results, tsconfig, onProblem });
  if (problems.length > 0) output.error(lines(problems));
  if (tools.length === 0) {
    if (problems.length === 0) output.error(nothingIn(positionals, methods ?? false, tsconfig));
    return 1;
  }
  const code = problems.length > 0 ? 1 : 0;
  const json = JSON.stringify(tools, undefined, 2);
  if (out === undefined) {
    output.log(json);
    return code;
  }
  const text = out.endsWith(".ts") ? asModule(json, results ?? false) : `${json}\n`;
  if (!check) {
    writeFileSync(out, text);
    return code;
  }
  if (read(out) === text) return code;
  output.error(`${out} is not up to date: run toolingua-schemas without --check.`);
  return 1;
}

/** Whether two paths lead to one file, which may be reached by a link. */
function isSameFile(one: string, other: string): boolean {
  const real = (path: string) => (existsSync(path) ? realpathSync(path) : resolve(path));
  return real(one) === real(other);
}

function nothingIn(files: readonly string[], methods: boolean, tsconfig: string | undefined): string {
  const said = `${files.join(", ")}: no function is exported.`;
  const others = methods ? [] : toolsFromFiles(files, { methods: true, tsconfig, onProblem: () => {} });
  const names = others.map(({ name }) => name).join(", ");
  return others.length === 0 ? said : `${said} With --methods there would be ${names}.`;
}

/** A hint at the option probably meant by an unknown one. */
function hintFor(error: unknown): string {
  const [, unknown] = /Unknown option '(?:--?)([^']*)'/.exec(error instanceof Error ? error.message : "") ?? [];
  const { meant } = unknown === undefined ? {} : nearestNames(unknown, Object.keys(options));
  return meant === undefined ? "" : ` Did you mean --${meant}?`;
}

const typeOf = (results: boolean) =>
  results ? "(ToolDefinition & { resultSchema?: JsonSchema })[]" : "ToolDefinition[]";

const asModule = (json: string, results: boolean) =>
  `import type { ${results ? "JsonSchema, " : ""}ToolDefinition } from "@toolingua/core";\n\nexport const tools: ${typeOf(results)} = ${json};\n`;

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function lines(problems: readonly SourceProblem[]): string {
  return problems
    .map(({ file, line, column, message }) => `${relative(process.cwd(), file)}:${line}:${column} ${message}`)
    .join("\n");
}
