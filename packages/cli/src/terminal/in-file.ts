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
    if (!(error instanceof Error) || file === undefined || file === "-" || isNamed) throw error;
    const message = `${file}:${/^\d+:\d+:/.test(error.message) ? "" : " "}${error.message}`;
    // The error itself may be frozen, or be thrown again elsewhere: this one has its class, its code and all else from it.
    throw Object.create(error, { message: { value: message, enumerable: false } });
  }
}
