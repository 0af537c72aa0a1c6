import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isAlive } from "./is-alive.js";

/**
 * Takes a lock: a file with the id of this process, removed to release it. A lock whose process was killed is taken over.
 * Returns `undefined`, or the id of the living process that has it.
 *
 * Errors: those of `node:fs`.
 *
 * @example const holder = lockFile("chat.json.lock");
 */
export function lockFile(lock: string): number | undefined {
  const own = `${lock}.${process.pid}`;
  try {
    writeFileSync(own, String(process.pid), { mode: 0o600 });
    for (;;) {
      try {
        // The lock appears together with the process id in it, or not at all.
        linkSync(own, lock);
        return undefined;
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
      }
      const holder = holderOf(lock);
      if (holder === undefined) continue;
      if (holder !== process.pid && holder > 0 && isAlive(holder)) return holder;
      // The process that created the lock was killed.
      rmSync(lock, { force: true });
    }
  } finally {
    rmSync(own, { force: true });
  }
}

/** `undefined` if the lock was released meanwhile; 0 for other content. */
function holderOf(lock: string): number | undefined {
  try {
    const holder = Number(readFileSync(lock, "utf8"));
    return Number.isInteger(holder) && holder > 0 ? holder : 0;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
