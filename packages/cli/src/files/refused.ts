import { CliError } from "../terminal/errors.js";

/** The error for a folder in the place of a file that is to be written. */
export const folderInstead = (path: string, cause?: unknown): CliError =>
  new CliError("bad-input", `${path} is a folder; the name of a file is needed.`, { cause });

/** The error for a file whose folder does not exist. */
export const noFolder = (path: string, cause?: unknown): CliError =>
  new CliError("not-found", `There is no folder for ${path}.`, { cause });

/**
 * Converts a file system error to a `CliError`. Other errors are returned as they are.
 *
 * @example throw refused(error, "chat.json");
 */
export function refused(cause: unknown, path: string): unknown {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return noFolder(path, cause);
    case "EISDIR":
      return folderInstead(path, cause);
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return new CliError("failed", `${path} cannot be written: that is not allowed (${code}).`, { cause });
    default:
      if (typeof code !== "string" || !/^E[A-Z0-9]+$/.test(code)) return cause;
      return new CliError("failed", `${path} cannot be written (${code}).`, { cause });
  }
}
