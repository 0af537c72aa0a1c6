import { stat } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { CliError } from "../terminal/errors.js";

/** Matches the extensions of modules. */
export const MODULE = /^\.[mc]?[jt]sx?$/;

const read = "--tools reads a .json, .yaml, .js, .mjs, .cjs, .ts, .mts or .cts file, or an installed package.";

/** Why tools are not read from what exists at this path; undefined if nothing does, or a module may. */
export async function unreadSource(source: string): Promise<CliError | undefined> {
  const found = await stat(resolve(source)).catch(() => undefined);
  if (found?.isDirectory()) return new CliError("bad-input", `${source} is a folder. ${read}`);
  const extension = extname(source);
  if (found === undefined || MODULE.test(extension)) return undefined;
  const why = extension === "" ? "has no extension" : `has the extension ${extension}`;
  return new CliError("bad-input", `The file ${source} ${why}. ${read}`);
}
