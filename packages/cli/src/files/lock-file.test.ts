import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { isAlive } from "./is-alive.js";
import { lockFile, unlockFile } from "./lock-file.js";

vi.mock(import("./is-alive.js"), { spy: true });

/** A process id that no process has, and one of a living process that is not this one. */
const [killed, living] = [2 ** 30, process.ppid];

/** A lock in an empty folder, with this content. */
function lockWith(content?: string): { lock: string; files: () => string[] } {
  const folder = mkdtempSync(join(tmpdir(), "toolingua-lock-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const lock = join(folder, "lock");
  if (content !== undefined) writeFileSync(lock, content);
  return { lock, files: () => readdirSync(folder) };
}

test.each([undefined, String(killed), "other content"])("a lock is taken and released; before: %s", (content) => {
  const { lock, files } = lockWith(content);
  expect(lockFile(lock)).toBeUndefined();
  expect(readFileSync(lock, "utf8")).toBe(String(process.pid));
  unlockFile(lock);
  expect(files()).toEqual([]);
});

test("a lock of a living process is neither taken nor released", () => {
  const { lock, files } = lockWith(String(living));
  expect(lockFile(lock)).toBe(living);
  unlockFile(lock);
  expect(readFileSync(lock, "utf8")).toBe(String(living));
  expect(files()).toEqual(["lock"]);
});

test.each([
  ["that another process has taken over meanwhile stays its own", String(living), living],
  ["that another process has taken over and released meanwhile is taken", undefined, undefined],
])("a killed process's lock %s", (_, content, holder) => {
  const { lock, files } = lockWith(String(killed));
  vi.mocked(isAlive).mockImplementationOnce(() => {
    rmSync(lock);
    if (content !== undefined) writeFileSync(lock, content);
    return false;
  });
  expect(lockFile(lock)).toBe(holder);
  expect(readFileSync(lock, "utf8")).toBe(String(holder ?? process.pid));
  expect(files()).toEqual(["lock"]);
});
