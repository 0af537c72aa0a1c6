import { access, constants, open, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { refused } from "../files/refused.js";
import { CliError } from "../terminal/errors.js";
import type { Terminal } from "../terminal/terminal.js";

/** Where the configuration is written. */
interface Written {
  write?: string;
  force?: boolean;
}

const exists = (file: string) => new CliError("bad-input", `${file} already exists: --force replaces it.`);

/** Errors: `CliError` if `--write` will fail. Checked first, since a probe takes minutes. */
export async function checkWritable({ write, force }: Written): Promise<void> {
  if (write === undefined) return;
  const found = await stat(write).catch(() => undefined);
  if (found?.isDirectory()) throw refused(Object.assign(new Error("EISDIR"), { code: "EISDIR" }), write);
  if (found && !force) throw exists(write);
  await access(found ? write : dirname(write), constants.W_OK).catch((error: unknown) => {
    throw refused(error, write);
  });
}

/** Writes the configuration for the winner to the file of `--write`, or prints it. Errors: `CliError`. */
export async function writeConfig(
  terminal: Terminal,
  { write, force }: Written,
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
  const file = await open(write, force ? "w" : "wx").catch((error: NodeJS.ErrnoException) => {
    throw error.code === "EEXIST" ? exists(write) : refused(error, write);
  });
  await file.writeFile(config);
  await file.close();
  terminal.note(`Wrote ${write}: toolingua serve --config ${write}`);
}
