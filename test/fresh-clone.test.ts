import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

// A clone in which nothing has been built: `npm start` builds the packages that its example uses, and no others. The
// dependencies are those of this checkout, so nothing is installed.

const root = fileURLToPath(new URL("..", import.meta.url));
const clone = realpathSync(mkdtempSync(join(tmpdir(), "toolingua-clone-")));

beforeAll(() => {
  const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  }).split("\0");
  for (const file of files.filter((name) => name !== "" && existsSync(join(root, name)))) {
    mkdirSync(join(clone, dirname(file)), { recursive: true });
    cpSync(join(root, file), join(clone, file));
    if (!file.endsWith("/package.json")) continue;
    // pnpm's links are relative: those to a package of the workspace lead to the one of the clone.
    const modules = join(dirname(file), "node_modules");
    if (existsSync(join(root, modules)))
      cpSync(join(root, modules), join(clone, modules), { recursive: true, verbatimSymlinks: true });
  }
  symlinkSync(join(root, "node_modules"), join(clone, "node_modules"), "dir");
});
afterAll(() => rmSync(clone, { recursive: true, force: true }));

test("npm start builds what its example imports and starts it", () => {
  const shown = execFileSync("npm", ["start", "--silent", "--", "--help"], { cwd: clone, encoding: "utf8" });
  expect(shown).toContain("Usage: npm start -- [options] [question]");
});
