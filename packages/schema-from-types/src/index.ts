import { type JsonSchema, OptionsError } from "@toolingua/core";
import { aBoolean, aFunction, checkOptions, describeValue, type OptionRules } from "@toolingua/core/adapters";
import { SchemaFromTypesError } from "./errors.js";
import { type FunctionDefinition, type FunctionOptions, toolsOf } from "./functions.js";
import { programOfFiles, programOfSource } from "./program.js";

export { SchemaFromTypesError, type SourceProblem } from "./errors.js";
export type { FunctionDefinition, FunctionOptions } from "./functions.js";
export { positionalArguments } from "./positional-arguments.js";

/** The options for reading files. `tsconfig`: a file to use instead of the nearest `tsconfig.json`. */
export interface FileOptions extends FunctionOptions {
  tsconfig?: string | undefined;
}

const rules: OptionRules<FileOptions> = {
  only: {
    takes: (value) => Array.isArray(value) && value.every((one) => typeof one === "string"),
    words: "a list of names",
  },
  methods: aBoolean,
  results: aBoolean,
  jsonOnly: aBoolean,
  onProblem: aFunction,
  tsconfig: { takes: (value) => typeof value === "string", words: "the path of a file" },
};

/**
 * Tool definitions of the functions that TypeScript files export, from their types and JSDoc. Functions marked
 * `@internal` are left out. With `onProblem`, functions with problems are left out too, and the others are returned.
 *
 * A parameter becomes a property of the arguments; the only parameter, if it is an object, is the arguments themselves.
 * Schemas are JSON Schema 2020-12. Meant for build time, because it runs the TypeScript compiler.
 *
 * Errors: {@link SchemaFromTypesError}, with file, line and column of every problem; `OptionsError`
 * (`bad-option`).
 *
 * @example toolsFromFiles(["src/tools.ts"]); // [{ name: "forecast", description: "…", parameters: { type: "object", … } }]
 */
export function toolsFromFiles(files: readonly string[], options: FileOptions = {}): FunctionDefinition[] {
  checkOptions(rules, options, "the options of toolsFromFiles");
  if (!Array.isArray(files) || !files.every((file) => typeof file === "string"))
    throw new OptionsError(
      "bad-option",
      `\`files\` is a list of paths, such as ["tools.ts"], not ${describeValue(files)}.`,
    );
  return compiled(files[0] ?? "", () => toolsOf(programOfFiles(files, options.tsconfig, options.onProblem), options));
}

/**
 * The JSON Schema of a function's arguments, from its TypeScript source. `name`: the function, if the source exports
 * several.
 *
 * Errors: {@link SchemaFromTypesError}; `no-function` also for a function object, which has no types at run time.
 *
 * @example
 * jsonSchemaFromFunction("export function add(a: number, b = 1) { return a + b; }");
 * // { type: "object", properties: { a: { type: "number" }, b: { type: "number", default: 1 } }, required: ["a"] }
 */
export function jsonSchemaFromFunction(source: string, name?: string | undefined): JsonSchema {
  if (typeof source !== "string") {
    throw none("A function has no types any more when it runs: give its TypeScript source as a string.");
  }
  if (/^\s*[^\s(){};=]+\.[cm]?tsx?\s*$/.test(source)) {
    throw none(`This is the path of a file: toolsFromFiles([${JSON.stringify(source.trim())}]) reads it.`);
  }
  const tools = compiled("source.ts", () =>
    toolsOf(programOfSource(source), name === undefined ? {} : { only: [name] }),
  );
  const [tool, other] = tools;
  if (!tool) throw none("The source exports no function.");
  if (other) throw none(`The source exports ${tools.map((one) => one.name).join(", ")}: say which is meant.`);
  return tool.parameters ?? true;
}

const none = (message: string) =>
  new SchemaFromTypesError("no-function", [{ file: "source.ts", line: 1, column: 1, message }]);

/** Runs the compiler. Errors: {@link SchemaFromTypesError} also where the source is nested too deeply for it. */
function compiled<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const message = "The compiler cannot read this: it is nested too deeply.";
    throw new SchemaFromTypesError("type-error", [{ file, line: 1, column: 1, message }]);
  }
}
