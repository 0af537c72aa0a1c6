import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Writes a file so that it is whole or as it was. A link is followed; the mode of a file that is there stays, unless one is
 * given.
 *
 * Errors: those of `node:fs`.
 *
 * @param mode of the file; default: that of the file that is there, else 600
 * @example writeWhole("chat.json", "{}\n");
 */
export function writeWhole(path: string, text: string, mode?: number): void {
  const file = existsSync(path) ? realpathSync(path) : path;
  const wanted = mode ?? (existsSync(file) ? statSync(file).mode & 0o777 : 0o600);
  const part = join(dirname(file), `.${basename(file)}.${randomBytes(4).toString("hex")}.part`);
  try {
    writeFileSync(part, text, { mode: wanted });
    chmodSync(part, wanted);
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}
