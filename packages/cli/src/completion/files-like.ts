import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * The files and folders whose paths begin with a word; folders end with `/`. The tab library disables file completion
 * in shells, so it happens here.
 *
 * @example filesLike("src/to"); // ["src/tools.ts", …]
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
