import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { codeOf } from "../terminal/errors.js";
import { isAlive } from "./is-alive.js";

/**
 * Takes a lock: a file with the id of this process. A lock whose process was killed is taken over. Returns `undefined`,
 * or the id of the living process that has it or is taking it over. {@link unlockFile} releases it.
 *
 * Errors: those of `node:fs`.
 *
 * @example const holder = lockFile("chat.json.lock");
 */
export function lockFile(lock: string): number | undefined {
  const own = `${lock}.${process.pid}`;
  try {
    writeFileSync(own, String(process.pid), { mode: 0o600 });
    // The lock appears together with the process id in it, or not at all.
    while (!linked(own, lock)) {
      const holder = holderOf(lock);
      if (holder === undefined) continue;
      if (!isDead(holder)) return holder;
      const other = removeDead(lock);
      if (other !== undefined) return other;
    }
    return undefined;
  } finally {
    rmSync(own, { force: true });
  }
}

/**
 * Releases a lock, unless another process has it by now.
 *
 * Errors: those of `node:fs`.
 *
 * @example unlockFile("chat.json.lock");
 */
export function unlockFile(lock: string): void {
  if (holderOf(lock) === process.pid) rmSync(lock, { force: true });
}

/**
 * Removes the lock of a killed process. Only one process may do so at a time, since another one may have taken the lock over
 * meanwhile. So this has a lock of its own, which is taken over in the same way. Returns the id of the process that has it.
 */
function removeDead(lock: string): number | undefined {
  const takeover = `${lock}.takeover`;
  const other = lockFile(takeover);
  if (other !== undefined) return other;
  try {
    // Where there is none by now, the next one may be that of a living process.
    const holder = holderOf(lock);
    if (holder !== undefined && isDead(holder)) rmSync(lock, { force: true });
  } finally {
    unlockFile(takeover);
  }
  return undefined;
}

/** Whether no other process holds a lock with this content. */
const isDead = (holder: number): boolean => holder === process.pid || holder === 0 || !isAlive(holder);

/** Links a file, unless there is one of that name. */
function linked(file: string, name: string): boolean {
  try {
    linkSync(file, name);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** `undefined` if there is no lock; 0 for other content. */
function holderOf(lock: string): number | undefined {
  try {
    const holder = Number(readFileSync(lock, "utf8"));
    return Number.isInteger(holder) && holder > 0 ? holder : 0;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
