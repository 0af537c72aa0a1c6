import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { isAlive } from "./is-alive.js";
import { lockFile, unlockFile } from "./lock-file.js";

vi.mock(import("node:fs"), { spy: true });
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

test.each([
  ["is not removed, not even for a moment", String(living), living],
  ["and released its lock is not removed, since it may be another one by now", undefined, undefined],
])("the lock of a process that took over first %s", (_, content, holder) => {
  const { lock, files } = lockWith(String(killed));
  vi.mocked(isAlive).mockImplementationOnce(() => {
    rmSync(lock);
    if (content !== undefined) writeFileSync(lock, content);
    vi.mocked(renameSync).mockClear();
    vi.mocked(rmSync).mockClear();
    return false;
  });
  expect(lockFile(lock)).toBe(holder);
  const removed = [...vi.mocked(renameSync).mock.calls, ...vi.mocked(rmSync).mock.calls].map(([path]) => path);
  expect(removed).not.toContain(lock);
  expect(files()).toEqual(["lock"]);
});

test("a killed process's lock is left to the process that is taking it over", () => {
  const { lock, files } = lockWith(String(killed));
  writeFileSync(`${lock}.takeover`, String(living));
  expect(lockFile(lock)).toBe(living);
  expect(readFileSync(lock, "utf8")).toBe(String(killed));
  expect(files()).toEqual(["lock", "lock.takeover"]);
});

test("a process that was killed while it took a lock over leaves nothing that stays", () => {
  const { lock, files } = lockWith(String(killed));
  for (const name of [`${lock}.takeover`, `${lock}.takeover.takeover`]) writeFileSync(name, String(killed));
  expect(lockFile(lock)).toBeUndefined();
  unlockFile(lock);
  expect(files()).toEqual([]);
});
