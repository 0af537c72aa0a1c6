import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

// `npm run version-packages` reads these files; one that it cannot read stops the release.

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, ".changeset");
const changesets = readdirSync(folder).filter((file) => file.endsWith(".md") && file !== "README.md");
const packages = readdirSync(join(root, "packages")).map(
  (name) => (JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8")) as { name: string }).name,
);

describe.runIf(changesets.length > 0)("a changeset", () => {
  test.each(changesets)("names packages of the workspace, and says what changed: %s", (file) => {
    const text = readFileSync(join(folder, file), "utf8");
    const [, header = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
    const lines = header.split("\n").map((line) => /^"([^"]+)": (?:patch|minor)$/.exec(line)?.[1] ?? line);
    expect(lines.filter((name) => !packages.includes(name))).toEqual([]);
    expect(body.trim()).toMatch(/^[A-Z`*#-]/);
  });
});
