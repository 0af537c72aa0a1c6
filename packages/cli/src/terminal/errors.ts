import { messageOf } from "@toolingua/core/adapters";
import { exitCodes } from "./exit-codes.js";
import { inFlags } from "./flags.js";

/** Errors of the command line itself. Packages throw their own errors, which are printed as they are. */
type CliErrorCode =
  /** An argument or option is wrong: exit code 64. */
  | "usage"
  /** A file, folder or URL that does not exist, or cannot be read. */
  | "not-found"
  /** A file with unexpected content. */
  | "bad-input"
  /** An optional package that the command needs is not installed. */
  | "not-installed"
  /** A server or program failed. */
  | "failed"
  /** Ctrl-C: exit code 130. */
  | "interrupted";

/**
 * A user's mistake, explained for the user: what was wrong, where, and what would be right.
 *
 * @example throw new CliError("not-found", `There is no file ${path}.`);
 */
export class CliError extends Error {
  readonly code: CliErrorCode;
  /** The file that the message names already. */
  readonly file: string | undefined;

  constructor(
    code: CliErrorCode,
    message: string,
    { file, ...options }: ErrorOptions & { file?: string | undefined } = {},
  ) {
    super(message, options);
    this.file = file;
    this.name = "CliError";
    this.code = code;
  }

  get exitCode(): number {
    if (this.code === "interrupted") return exitCodes.interrupted;
    return this.code === "usage" ? exitCodes.usage : exitCodes.failure;
  }
}

/** The code of an error; `undefined` if it has none. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;

/** The message of an error, with flags in place of options; other thrown values as text. */
export const shownMessage = (error: unknown): string => inFlags(messageOf(error));
