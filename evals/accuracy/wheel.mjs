// Files out of packages on PyPI.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const options = ["--no-deps", "--disable-pip-version-check"];

/**
 * The folder with a wheel's files, such as "bfcl-eval==2026.3.23"; downloaded by pip, once. `more`: further pip
 * options, for a wheel of another platform or Python. Throws without pip, or without such a wheel.
 */
export const wheelFolder = (wheel, ...more) =>
  fetched(wheel, ["--only-binary", ":all:", ...more], ".whl", (run, file, to) => run("zipfile", "-e", file, to));

/** The folder with a package's sources; likewise. */
export const sourceFolder = (requirement) =>
  join(
    fetched(requirement, ["--no-binary", ":all:"], ".tar.gz", (run, file, to) => run("tarfile", "-e", file, to)),
    requirement.replace("==", "-"),
  );

/** Where what was fetched is kept: $TOOLINGUA_CACHE, or else the user's own cache. */
export const cacheFolder = () =>
  process.env.TOOLINGUA_CACHE || join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "toolingua");

function fetched(requirement, wanted, ending, unpack) {
  const cache = cacheFolder();
  const folder = join(cache, requirement.replace("==", "-"));
  if (existsSync(folder)) return folder;
  const python = process.platform === "win32" ? "python" : "python3";
  const run = (...args) => execFileSync(python, ["-m", ...args], { stdio: ["ignore", "ignore", "inherit"] });
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, "package-"));
  try {
    run("pip", "download", ...options, ...wanted, "--dest", work, requirement);
    const file = readdirSync(work).find((name) => name.endsWith(ending));
    unpack(run, join(work, file), join(work, "files"));
    renameSync(join(work, "files"), folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return folder;
}
