import { readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { parseArgs } from "node:util";
import { SchemaFromTypesError, toolsFromFiles } from "./index.js";

const usage = `Usage: toolingua-schemas [options] <file.ts> …

Writes the definitions of the functions that TypeScript files export, as a JSON list.

  -o, --out <file>       write to a file; with the ending .ts as a module that exports \`tools\`
      --only <name>      only this function (may be given several times)
      --tsconfig <file>  instead of the nearest tsconfig.json
      --check            write nothing; fail if the file is not up to date
  -h, --help`;

/** Where the command writes to. */
export interface Output {
  log(text: string): void;
  error(text: string): void;
}

/**
 * Runs the command. Gives the exit code: 0; 1 where the source or the file is not as it should be; 2 where the command is
 * not.
 */
export function run(args: readonly string[], output: Output = console): number {
  try {
    return main(args, output);
  } catch (error) {
    const isOfSource = error instanceof SchemaFromTypesError;
    output.error(isOfSource ? lines(error) : `${(error as Error).message}\n\n${usage}`);
    return isOfSource ? 1 : 2;
  }
}

function main(args: readonly string[], output: Output): number {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      out: { type: "string", short: "o" },
      only: { type: "string", multiple: true },
      tsconfig: { type: "string" },
      check: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    output.log(usage);
    return 0;
  }
  if (positionals.length === 0 || (values.check && values.out === undefined)) {
    output.error(usage);
    return 2;
  }
  const json = JSON.stringify(toolsFromFiles(positionals, values), undefined, 2);
  const { out } = values;
  if (out === undefined) {
    output.log(json);
    return 0;
  }
  const text = out.endsWith(".ts") ? asModule(json) : `${json}\n`;
  if (!values.check) {
    writeFileSync(out, text);
    return 0;
  }
  if (read(out) === text) return 0;
  output.error(`${out} is not up to date: run toolingua-schemas without --check.`);
  return 1;
}

const asModule = (json: string) =>
  `import type { ToolDefinition } from "@toolingua/core";\n\nexport const tools: ToolDefinition[] = ${json};\n`;

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function lines({ problems }: SchemaFromTypesError): string {
  return problems
    .map(({ file, line, column, message }) => `${relative(process.cwd(), file)}:${line}:${column} ${message}`)
    .join("\n");
}
