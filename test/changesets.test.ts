import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
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

test("a changelog lists the updated dependencies once", async () => {
  const { changelog } = JSON.parse(readFileSync(join(folder, "config.json"), "utf8")) as { changelog: string };
  const { getDependencyReleaseLine } = createRequire(join(folder, "config.json"))(changelog);
  const core = { name: "@toolingua/core", newVersion: "0.1.0" };
  expect(await getDependencyReleaseLine([{ commit: "a" }, { commit: "b" }], [core])).toBe(
    "- Updated dependencies\n  - @toolingua/core@0.1.0",
  );
  expect(await getDependencyReleaseLine([], [])).toBe("");
});
