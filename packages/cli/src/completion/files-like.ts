import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * The files and folders whose path begins like a word; folders end with `/`. tab tells shells to complete no files by
 * themselves, so they are listed here.
 *
 * @example filesLike("src/to"); // ["src/tools.ts"]
 */
export function filesLike(word: string): string[] {
  const folder = word.endsWith("/") ? word : dirname(word);
  const shown = word.endsWith("/") || word.includes("/") ? folder : "";
  try {
    return readdirSync(folder, { withFileTypes: true })
      .map((entry) => `${shown === "" ? entry.name : join(shown, entry.name)}${entry.isDirectory() ? "/" : ""}`)
      .filter((path) => path.startsWith(word.replace(/^\.\//, "")))
      .map((path) => (word.startsWith("./") ? `./${path}` : path));
  } catch {
    return [];
  }
}
