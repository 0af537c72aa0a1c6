import { CommanderError } from "commander";
import { CliError, codeOf, shownMessage } from "./errors.js";
import { exitCodes } from "./exit-codes.js";
import { printable } from "./printable.js";
import type { Terminal } from "./terminal.js";
import { Interrupted } from "./until-interrupted.js";

/**
 * Prints an error to standard error, unless it is the Ctrl-C of the user, and returns the exit code. Errors of the packages
 * are printed as they are, without a stack; `TOOLINGUA_DEBUG=1` adds it. With `--json`: `{"error":{"code","message"}}`.
 *
 * @example return reportError(error, terminal);
 */
export function reportError(error: unknown, terminal: Terminal): number {
  if (error instanceof Interrupted) return exitCodes.interrupted;
  if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.success;
  // The help for a missing command was already printed, and needs no further message.
  if (error instanceof CommanderError && error.code === "commander.help" && !terminal.json) return exitCodes.usage;
  const { code, message } = describe(error);
  const { io } = terminal;
  if (terminal.json) terminal.noteJson({ error: { code, message } });
  else io.stderr.write(`${terminal.styleNote("red", "error:")} ${printable(message)}\n`);
  if (io.env.TOOLINGUA_DEBUG && error instanceof Error && !terminal.json)
    io.stderr.write(`${printable(`${error.stack}`)}\n`);
  if (error instanceof CommanderError) return exitCodes.usage;
  return error instanceof CliError ? error.exitCode : exitCodes.failure;
}

function describe(error: unknown): { code: string; message: string } {
  if (error instanceof CommanderError) {
    const message = error.code === "commander.help" ? "A command is missing." : error.message.replace(/^error: /, "");
    const hint = error.code === "commander.unknownCommand" ? "\n--help lists the commands." : "";
    return { code: "usage", message: message + hint };
  }
  if (!(error instanceof Error)) return { code: "unknown", message: shownMessage(error) };
  return { code: codeOf(error) ?? "unknown", message: shownMessage(error) || error.name };
}
