import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** A folder for the tests of a file; it is removed after them. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "toolingua-probe-"));
  remove.push(folder);
  return folder;
}

const remove: string[] = [];
afterAll(() => {
  for (const folder of remove) rmSync(folder, { recursive: true, force: true });
});
