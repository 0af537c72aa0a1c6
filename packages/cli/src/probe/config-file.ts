import { access, constants, lstat, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { folderInstead, noFolder, refused } from "../files/refused.js";
import { CliError } from "../terminal/errors.js";
import type { Terminal } from "../terminal/terminal.js";

/** Where the configuration is written. */
interface WriteOptions {
  write?: string;
  force?: boolean;
}

const exists = (file: string) => new CliError("bad-input", `${file} already exists: --force replaces it.`);

/** Errors: `CliError` if `--write` will fail. Checked first, since a probe takes minutes. */
export async function checkWritable({ write, force }: WriteOptions): Promise<void> {
  if (write === undefined) return;
  // Without --force a link is in the way also if it leads nowhere.
  const found = await statOf(write, force ? stat : lstat);
  if (found?.isDirectory()) throw folderInstead(write);
  if (found && !force) throw exists(write);
  if (!found && !(await statOf(dirname(write), stat))?.isDirectory()) throw noFolder(write);
  await access(found ? write : dirname(write), constants.W_OK).catch((error: unknown) => {
    throw refused(error, write);
  });
}

/** What is at a path; undefined if nothing is. */
const statOf = (path: string, read: typeof stat | typeof lstat) =>
  read(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw refused(error, path);
  });

/** Writes the configuration for the winner to the file of `--write`, or prints it. Errors: `CliError`. */
export async function writeConfig(
  terminal: Terminal,
  { write, force }: WriteOptions,
  config: string | undefined,
): Promise<void> {
  if (config === undefined) {
    if (write !== undefined) terminal.note(`${write} was not written: there is nothing to recommend.`);
    return;
  }
  if (write === undefined) {
    if (!terminal.json)
      terminal.print(`\n${terminal.style("bold", "For toolingua serve (--write FILE):")}\n${config.trimEnd()}`);
    return;
  }
  await writeFile(write, config, { flag: force ? "w" : "wx" }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "EEXIST" ? exists(write) : refused(error, write);
  });
  terminal.note(`Wrote ${write}: toolingua serve --config ${write}`);
}
