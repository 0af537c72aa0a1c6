import { CliError } from "./errors.js";

/**
 * Runs `work` on what a file contains. An error that does not name the file gets its name: before the line and column, as
 * compilers write it, or before the message. Standard input has none.
 *
 * @example await inFile("session.pml", () => parsePml(text)); // throws: session.pml:2:11: <fakt> is not allowed …
 */
export async function inFile<Result>(file: string | undefined, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const isNamed = error instanceof CliError && error.file === file;
    // The error stays what it is, with its class and code.
    if (error instanceof Error && file !== undefined && file !== "-" && !isNamed)
      error.message = `${file}:${/^\d+:\d+:/.test(error.message) ? "" : " "}${error.message}`;
    throw error;
  }
}
