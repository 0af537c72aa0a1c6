import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

// One changeset that cannot be read, or that names no package, stops the whole release.

const root = new URL("../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");

test("every changeset names packages of the workspace, and says what changed", () => {
  const names = readdirSync(new URL("packages", root))
    .filter((folder) => existsSync(new URL(`packages/${folder}/package.json`, root)))
    .map((folder) => JSON.parse(read(`packages/${folder}/package.json`)).name);
  const files = readdirSync(new URL(".changeset", root)).filter((file) => file.endsWith(".md") && file !== "README.md");
  for (const file of files) {
    const text = read(`.changeset/${file}`);
    const [, head = "", body = ""] = /^---\n((?:"[^"\n]+": (?:patch|minor|major)\n)+)---\n([\s\S]*)$/.exec(text) ?? [];
    expect({ file, isRead: head !== "" && body.trim() !== "" }).toEqual({ file, isRead: true });
    const unknown = [...head.matchAll(/"([^"]+)"/g)].map(([, name]) => name).filter((name) => !names.includes(name));
    expect({ file, unknown }).toEqual({ file, unknown: [] });
  }
});
