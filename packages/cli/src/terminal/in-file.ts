import { CliError } from "./errors.js";

/**
 * Runs `work` on what a file contains. An error that does not name the file gets its name: before the line and column, as
 * compilers write it, or before the message: in a new error of its name, code and stack, whose `cause` it is. Standard input
 * has none.
 *
 * @example await inFile("session.pml", () => parsePml(text)); // throws: session.pml:2:11: <fakt> is not allowed …
 */
export async function inFile<Result>(file: string | undefined, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || file === undefined || file === "-") throw error;
    const isNamed = (error instanceof CliError && error.file === file) || error.message.startsWith(`${file}:`);
    throw isNamed ? error : renamed(error, file);
  }
}

/** A new error, since the error itself may be frozen, or be thrown again elsewhere. Only of `CliError` the class matters. */
function renamed(error: Error, file: string): Error {
  const { name, stack = "" } = error;
  const message = `${file}:${/^\d+:\d+:/.test(error.message) ? "" : " "}${error.message}`;
  const named =
    error instanceof CliError
      ? new CliError(error.code, message, { cause: error, file })
      : Object.assign(new Error(message, { cause: error }), "code" in error && { code: error.code });
  // Lines of the message may look like frames.
  const from = stack.indexOf(error.message);
  const rest = from < 0 ? stack : stack.slice(from + error.message.length);
  const frames = rest.search(/\n +at /);
  const own = { name, stack: `${name}: ${message}${frames < 0 ? "" : rest.slice(frames)}` };
  for (const [key, value] of Object.entries(own))
    Object.defineProperty(named, key, { value, configurable: true, writable: true });
  return named;
}
