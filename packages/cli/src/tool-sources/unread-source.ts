import { readdir, stat } from "node:fs/promises";
import { basename, dirname, extname, resolve } from "node:path";
import { didYouMean } from "@toolingua/core/adapters";
import { CliError } from "../terminal/errors.js";

/** Matches the extensions of modules. */
export const MODULE = /^\.(?:[mc]?[jt]s|tsx)$/;

const READ =
  "--tools reads a .json, .yaml, .yml, .js, .mjs, .cjs, .ts, .mts, .cts or .tsx file, or an installed package.";

const statOf = async (source: string) => await stat(resolve(source)).catch(() => undefined);

/** Whether there is a folder at this path. */
export const isFolder = async (source: string): Promise<boolean> => (await statOf(source))?.isDirectory() ?? false;

/** Why tools are not read from what exists at this path; undefined if nothing does, or a module may. */
export async function unreadSource(source: string): Promise<CliError | undefined> {
  const found = await statOf(source);
  if (found?.isDirectory()) return new CliError("bad-input", `${source} is a folder. ${READ}`);
  const extension = extname(source);
  if (found === undefined || MODULE.test(extension)) return undefined;
  const why = extension === "" ? "has no extension" : `has the extension ${extension}`;
  return new CliError("bad-input", `The file ${source} ${why}. ${READ}`);
}

/** The error for a file, or a package, that does not exist, with the file that was probably meant. */
export async function missingSource(source: string, isFile: boolean): Promise<CliError> {
  const folder = isFile ? dirname(resolve(source)) : process.cwd();
  const names = (await readdir(folder).catch(() => [])).filter((name) => MODULE.test(extname(name)));
  if (isFile) {
    const message = `There is no file ${source}. ${didYouMean(basename(source), names, "")}`.trim();
    return new CliError("not-found", message);
  }
  const same = names.find((name) => basename(name, extname(name)) === source);
  const end = same === undefined ? ", nor a file of that name." : `. Did you mean ./${same}?`;
  return new CliError("not-found", `There is no package ${source} in ${folder}${end}`);
}
