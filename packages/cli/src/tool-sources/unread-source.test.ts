import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { loadTools } from "./load-tools.js";

const folder = mkdtempSync(join(tmpdir(), "toolingua-sources-"));
writeFileSync(join(folder, "weather.ts"), "export {};");
writeFileSync(join(folder, "weather.txt"), "");
afterAll(() => rmSync(folder, { recursive: true }));

const load = (source: string) => loadTools({ tools: [source] }, () => {});

test.each([
  ["wether.ts", 'There is no file PATH. Did you mean "weather.ts"?'],
  ["other.mjs", "There is no file PATH."],
])("a file that does not exist is named once, with the one that was probably meant: %s", async (name, said) => {
  const path = join(folder, name);
  const message = said.replace("PATH", () => path);
  await expect(load(path)).rejects.toMatchObject({ code: "not-found", message });
});

test("a package that is not installed is called one", async () => {
  await expect(load("toolingua-no-such-package")).rejects.toMatchObject({
    code: "not-found",
    message: `There is no package toolingua-no-such-package in ${process.cwd()}, nor a file of that name.`,
  });
});

test("the error for the name of a file without its extension names the file", async () => {
  const cwd = vi.spyOn(process, "cwd").mockReturnValue(folder);
  try {
    await expect(load("weather")).rejects.toThrow("Did you mean ./weather.ts?");
  } finally {
    cwd.mockRestore();
  }
});
