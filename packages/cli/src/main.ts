import { CommandContext } from "./commands/context.js";
import { createProgram } from "./program.js";
import { type Io, processIo } from "./terminal/io.js";
import { reportError } from "./terminal/report-error.js";
import { Terminal } from "./terminal/terminal.js";

/**
 * Runs one command line and returns its exit code. It never throws, and does not end the process.
 *
 * @param argv the arguments, without Node.js and the script
 * @example process.exitCode = await main(process.argv.slice(2));
 */
export async function main(argv: readonly string[], io: Io = processIo()): Promise<number> {
  const context = new CommandContext(io);
  try {
    await createProgram(context).parseAsync([...argv], { from: "user" });
    return context.exitCode;
  } catch (error) {
    return reportError(error, new Terminal(io, { json: wantsJson(argv) }));
  }
}

/** Whether `--json` was given. Works for invalid command lines too. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return argv.slice(0, end < 0 ? argv.length : end).includes("--json");
}
