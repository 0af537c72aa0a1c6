import { exitCodes } from "./exit-codes.js";

/** What the command line itself finds wrong. Packages below throw errors of their own, which are printed as they are. */
export type CliErrorCode =
  /** An argument or option is wrong: exit code 64. */
  | "usage"
  /** A file, folder or address that there is not, or that cannot be read. */
  | "not-found"
  /** A file that is not what it should be. */
  | "bad-input"
  /** An optional package that the command needs is not installed. */
  | "not-installed"
  /** A server or program that did not do what was asked of it. */
  | "failed"
  /** Ctrl-C: exit code 130. */
  | "interrupted";

/**
 * What a person did that cannot work, in words for that person: what was wrong, where, and what would be right.
 *
 * @example throw new CliError("not-found", `There is no file ${path}.`);
 */
export class CliError extends Error {
  readonly code: CliErrorCode;

  constructor(code: CliErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "CliError";
    this.code = code;
  }

  get exitCode(): number {
    if (this.code === "interrupted") return exitCodes.interrupted;
    return this.code === "usage" ? exitCodes.usage : exitCodes.failure;
  }
}

/** What an error says; what was thrown without being one, as text. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
