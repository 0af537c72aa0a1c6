import { mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { checkArgument } from "@toolingua/core/adapters";
import { lock } from "proper-lockfile";
import type { ModelEntry } from "./catalog.js";

const LOOK_EVERY_MS = 250;
/**
 * A lock that was not refreshed for this long has lost its process. A live process refreshes it five times as often.
 */
const STALE_AFTER_MS = 10_000;

/**
 * The default folder for models and other things that can be fetched or computed again: `TOOLINGUA_CACHE`, else
 * `toolingua` in `XDG_CACHE_HOME`, else `~/.cache/toolingua`.
 *
 * Errors: `OptionsError` (`bad-option`).
 *
 * @param environment the variables; default: those of the process
 * @example defaultCacheDir({ TOOLINGUA_CACHE: "cache" }); // "cache"
 */
export function defaultCacheDir(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  checkArgument("environment", "object", environment);
  const { TOOLINGUA_CACHE, XDG_CACHE_HOME } = environment;
  return TOOLINGUA_CACHE || join(XDG_CACHE_HOME || join(homedir(), ".cache"), "toolingua");
}

/** One model's file in the cache. The file is either complete or absent. */
export class CachedModel {
  readonly path: string;
  readonly #entry: ModelEntry;
  readonly #folder: string;

  constructor(cacheDir: string, entry: ModelEntry) {
    this.#entry = entry;
    this.#folder = join(cacheDir, "models");
    this.path = join(this.#folder, entry.file);
  }

  /** Whether the model is cached. Its checksum was verified at the download, so its size is enough to know. */
  async isThere(): Promise<boolean> {
    const file = await stat(this.path).catch(() => undefined);
    return file?.isFile() === true && file.size === this.#entry.bytes;
  }

  /** Creates a folder next to the file, to build the file in. `install` moves it into place in one step. */
  async workFolder(): Promise<string> {
    return mkdtemp(join(this.#folder, this.#workPrefix()));
  }

  async install(file: string): Promise<void> {
    await rename(file, this.path);
  }

  /**
   * Runs the action while no other process does so for this model. Returns false, without running it, if the model was
   * installed meanwhile. Breaks the lock of a dead process.
   */
  async exclusively(action: () => Promise<void>, signal?: AbortSignal): Promise<boolean> {
    await mkdir(this.#folder, { recursive: true });
    for (;;) {
      signal?.throwIfAborted();
      if (await this.isThere()) return false;
      const release = await this.#tryLock();
      if (release === undefined) {
        await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => signal?.throwIfAborted());
        continue;
      }
      try {
        if (await this.isThere()) return false;
        await this.#removeLeftovers();
        await action();
        return true;
      } finally {
        await release().catch(() => {}); // broken by another process that took this one for dead: see #tryLock
      }
    }
  }

  async #tryLock(): Promise<(() => Promise<void>) | undefined> {
    try {
      return await lock(this.path, {
        realpath: false, // the file does not exist yet
        stale: STALE_AFTER_MS,
        update: STALE_AFTER_MS / 5,
        // This process was delayed for so long that another took over. Both then build the same file, in separate
        // folders.
        onCompromised: () => {},
      });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ELOCKED") return undefined;
      throw error;
    }
  }

  /** Removes the folders of processes that died. */
  async #removeLeftovers(): Promise<void> {
    const names = await readdir(this.#folder);
    const leftovers = names.filter((name) => name.startsWith(this.#workPrefix()));
    await Promise.all(leftovers.map((name) => rm(join(this.#folder, name), { recursive: true, force: true })));
  }

  #workPrefix(): string {
    return `.${this.#entry.file}.part-`;
  }
}
