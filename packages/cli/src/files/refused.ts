import { CliError, codeOf } from "../terminal/errors.js";

/** The error for a folder in the place of a file. */
export const folderInstead = (path: string, cause?: unknown): CliError =>
  new CliError("bad-input", `${path} is a folder; the name of a file is needed.`, { cause, file: path });

/** The error for a file whose folder does not exist. */
export const noFolder = (path: string, cause?: unknown): CliError =>
  new CliError("not-found", `There is no folder for ${path}.`, { cause });

/** The code of an error of the file system, such as `ENOENT`; `undefined` for other errors. */
function systemCode(error: unknown): string | undefined {
  const code = codeOf(error);
  return code !== undefined && /^E[A-Z0-9_]+$/.test(code) ? code : undefined;
}

/**
 * Converts a file system error to a `CliError` of a file that cannot be written. Other errors are returned as they are.
 *
 * @example throw refused(error, "chat.json");
 */
export function refused(cause: unknown, path: string): unknown {
  const code = systemCode(cause);
  switch (code) {
    case undefined:
      return cause;
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
      return new CliError("failed", `${path} cannot be written (${code}).`, { cause });
  }
}

/**
 * As {@link refused}, of a file that cannot be read.
 *
 * @example throw unreadable(error, "reply.txt");
 */
export function unreadable(cause: unknown, path: string): unknown {
  const code = systemCode(cause);
  if (code === undefined) return cause;
  if (code === "EISDIR") return folderInstead(path, cause);
  const why = code === "ENOENT" ? `There is no file ${path}.` : `The file ${path} cannot be read (${code}).`;
  return new CliError("not-found", why, { cause, file: path });
}
