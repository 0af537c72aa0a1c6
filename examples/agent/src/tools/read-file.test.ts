import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readFileTool, readTextFile } from "./read-file.js";

const folder = mkdtempSync(join(tmpdir(), "toolingua-example-"));
const root = join(folder, "repository");
mkdirSync(join(root, "docs"), { recursive: true });
writeFileSync(join(folder, "secret.txt"), "secret");
writeFileSync(join(root, "docs", "intro.md"), "# Hello\n");
writeFileSync(join(root, "long.txt"), "é".repeat(1000));
writeFileSync(join(root, "picture"), Buffer.from([1, 0, 2]));
symlinkSync(join(folder, "secret.txt"), join(root, "link"));
afterAll(() => rmSync(folder, { recursive: true }));

const read = (path: string) => readTextFile(root, path, 101);

describe("the file reader", () => {
  test("reads a file of the repository", async () => {
    expect(await read("docs/intro.md")).toBe("docs/intro.md says:\n# Hello\n");
    expect(await read("./docs/../docs/intro.md")).toContain("# Hello");
    expect(await read(join(root, "docs/intro.md"))).toContain("# Hello");
  });

  test("truncates a long file, but not within a character", async () => {
    expect(await read("long.txt")).toBe(`long.txt begins:\n${"é".repeat(50)}\n(cut: 101 of 2000 bytes)`);
  });

  test.each(["../secret.txt", "/etc/passwd", "link", "docs/../../secret.txt", ".."])(
    "stays in the repository: %s",
    async (path) => {
      const said = await read(path);
      expect(said).toMatch(/is outside the repository/);
      expect(said).not.toContain("root:");
    },
  );

  test.each([
    ["nothing.md", "There is no file nothing.md."],
    ["docs", "docs is a folder."],
    ["picture", "picture is not a text file."],
    ["a\0b", "Cannot read a\0b (ERR_INVALID_ARG_VALUE)."],
  ])("explains why it cannot read %j", async (path, said) => {
    expect(await read(path)).toBe(said);
  });

  test("is a LangChain tool", async () => {
    expect(await readFileTool(root).invoke({ path: "docs/intro.md" })).toContain("# Hello");
  });
});
