import { ToolinguaError } from "@toolingua/core";

/** A problem in the source that prevents a tool definition. Lines and columns start at 1, as in editors. */
export interface SourceProblem {
  file: string;
  line: number;
  column: number;
  message: string;
}

/**
 * Functions that cannot become tool definitions.
 * Codes: `no-json-form` (a type that JSON cannot hold, such as a Map or a function), `type-error` (the compiler refuses
 * the source), `no-function` (no function has that name). `problems`: all problems with their places.
 *
 * @example
 * try { toolsFromFiles(["weather.ts"]); }
 * catch (error) { if (error instanceof SchemaFromTypesError) console.error(error.problems); }
 */
export class SchemaFromTypesError extends ToolinguaError {
  static override readonly name: string = "SchemaFromTypesError";

  readonly problems: readonly SourceProblem[];

  constructor(code: "no-json-form" | "type-error" | "no-function", problems: readonly SourceProblem[]) {
    super(code, problems.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`).join("\n"));
    this.problems = problems;
  }
}
