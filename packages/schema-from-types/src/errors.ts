import { ToolinguaError } from "@toolingua/core";

/** Something in the source that no tool definition can be made of. Lines and columns count from 1, as editors do. */
export interface SourceProblem {
  file: string;
  line: number;
  column: number;
  message: string;
}

/**
 * Functions that no tool definition can be made of.
 * Codes: `no-json-form` (a type that JSON cannot hold, such as a Map or a function), `type-error` (the compiler refuses
 * the source), `no-function` (there is none of that name). `problems`: all of them, with their places.
 *
 * @example
 * try { toolsFromFiles(["weather.ts"]); }
 * catch (error) { if (error instanceof SchemaFromTypesError) console.error(error.problems); }
 */
export class SchemaFromTypesError extends ToolinguaError {
  readonly problems: readonly SourceProblem[];

  constructor(code: "no-json-form" | "type-error" | "no-function", problems: readonly SourceProblem[]) {
    super(code, problems.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`).join("\n"));
    this.problems = problems;
  }
}
