import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { refused } from "./refused.js";

/**
 * Writes a file atomically: it has the new content or the old. Follows symbolic links. Keeps the mode of an existing
 * file, unless one is given.
 *
 * Errors: `CliError` if it cannot be written.
 *
 * @param mode of the file; default: that of the existing file, else 600
 * @example writeWhole("chat.json", "{}\n");
 */
export function writeWhole(path: string, content: string | Uint8Array, mode?: number): void {
  const file = targetOf(path);
  const wanted = mode ?? (existsSync(file) ? statSync(file).mode & 0o777 : 0o600);
  const part = join(dirname(file), `.${basename(file)}.${randomBytes(4).toString("hex")}.part`);
  try {
    writeFileSync(part, content, { mode: wanted });
    chmodSync(part, wanted);
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw refused(error, path);
  }
}

/** The file that a path leads to, whether or not it exists. A link that leads to itself is replaced. */
function targetOf(path: string, links = 40): string {
  if (existsSync(path)) return realpathSync(path);
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink && links > 0 ? targetOf(resolve(dirname(path), readlinkSync(path)), links - 1) : path;
}
