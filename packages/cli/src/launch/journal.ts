import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isObject, parsedJson } from "@toolingua/core/adapters";
import { isAlive } from "../files/is-alive.js";
import { lockFile, unlockFile } from "../files/lock-file.js";
import { refused } from "../files/refused.js";
import { writeWhole } from "../files/write-whole.js";
import { CliError } from "../terminal/errors.js";
import { home } from "./clients.js";
import { type Change, change, type Made, SettingsShapeError, takeBack } from "./settings.js";

// Records changes in the settings files of clients, so that they can be undone: at the end, or at the next start after
// a crash.
//
// The order is: a copy of the file, the note in the journal, the changed file. A change is noted before it is made, so
// wherever the process is killed, the journal suffices to undo it.

/** The note of a changed file. */
interface Note {
  version: 1;
  client: string;
  file: string;
  /** The process that undoes the change at its end; absent if the change stays until the user undoes it. */
  pid?: number;
  /** A copy of the original file; absent if there was none. */
  backup?: string;
  /** The outermost folder that was made for the file; absent if all existed. */
  folder?: string;
  /** The hash of the written text: it shows whether the file was changed since. */
  hash: string;
  /** The single changes; absent if the whole file is ours. */
  made?: Made[];
}

/** A change to write. */
export interface Edit {
  client: string;
  file: string;
  content: { changes: readonly Change[] } | { text: string };
  /** Whether the change stays when this process ends. */
  stays: boolean;
}

/** A file after its change was undone. */
export interface Restored {
  file: string;
  /** It was changed since in a way that cannot be kept apart, so it stays as it is. */
  isLeft?: true;
  /** The copy of what it was before, which then stays next to it. */
  backup?: string;
}

/** How long to wait for another process that changes files, in ms: it takes some. */
const PATIENCE = 5000;

const hashOf = (text: string | Uint8Array) => createHash("sha256").update(text).digest("hex");

/** The changed settings files of clients. There is one journal for each user. */
export class Journal {
  readonly #folder: string;

  constructor(env: NodeJS.ProcessEnv) {
    const local = join(home(env), ".local", "state");
    this.#folder = join(env.XDG_STATE_HOME ?? env.LOCALAPPDATA ?? local, "toolingua", "launch");
  }

  /**
   * Changes a file, and notes how to undo it. First call `restoreLeft` to undo the changes of earlier, killed
   * processes.
   *
   * Errors: `CliError` if another process has changed the file, or if the file is not JSON or cannot be written.
   */
  write(edit: Edit): void {
    this.#exclusively(edit.file, () => this.#write(edit));
  }

  #write({ client, file, content, stays }: Edit): void {
    const path = realPathOf(file);
    const notes = this.#notes();
    refuseBusy(path, notes);
    const lasting = notes.find((note) => note.file === path);
    // A change until the end of this process goes on top of a lasting one.
    if (lasting && stays) this.#takeBack(lasting);
    const before = existsSync(path) ? readFileSync(path) : undefined;
    const { text, made } = contentOf(path, before, content);
    const backup = before === undefined ? undefined : unusedName(`${path}.toolingua-backup`);
    const folder = mkdirSync(dirname(path), { recursive: true });
    const mode = before === undefined ? 0o600 : statSync(path).mode & 0o777;
    if (before !== undefined && backup !== undefined) writeWhole(backup, before, mode);
    const note: Note = {
      ...{ version: 1, client, file: path, hash: hashOf(text) },
      ...(!stays && { pid: process.pid }),
      ...(backup !== undefined && { backup }),
      ...(folder !== undefined && { folder }),
      ...(made && { made }),
    };
    writeWhole(this.#noteOf(note), JSON.stringify(note), 0o600);
    writeWhole(path, text, mode);
  }

  /** Undoes the changes of this process. */
  restoreOwn(): Restored[] {
    return this.#restore(({ pid }) => pid === process.pid);
  }

  /** Undoes the changes of processes that were killed. */
  restoreLeft(): Restored[] {
    return this.#restore(({ pid }) => pid !== undefined && pid !== process.pid && !isAlive(pid));
  }

  /**
   * Undoes the lasting changes of a client.
   *
   * Errors: `CliError` if another process has changed the file until its end.
   */
  restoreKept(client: string): Restored[] {
    return this.#restore((note, notes) => {
      const isKept = note.client === client && note.pid === undefined;
      if (isKept) refuseBusy(note.file, notes);
      return isKept;
    });
  }

  #restore(which: (note: Note, notes: readonly Note[]) => boolean): Restored[] {
    const chosen = () => this.#notes().filter((note, _, notes) => which(note, notes));
    if (chosen().length === 0) return [];
    return this.#exclusively(this.#folder, () => chosen().map((note) => this.#takeBack(note)));
  }

  /**
   * Runs work on these files while no other process does: both would take the other's change for what was there before.
   *
   * Errors: those of the work; `CliError` for those of `node:fs`, and if another process takes too long.
   */
  #exclusively<T>(file: string, work: () => T): T {
    const lock = join(this.#folder, "lock");
    try {
      mkdirSync(this.#folder, { recursive: true });
      const until = performance.now() + PATIENCE;
      for (let holder = lockFile(lock); holder !== undefined; holder = lockFile(lock)) {
        if (performance.now() > until)
          throw new CliError("failed", `Another launch, process ${holder}, is at work. If it is none, remove ${lock}.`);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
      }
      try {
        return work();
      } finally {
        unlockFile(lock);
      }
    } catch (error) {
      throw refused(error, error instanceof Error && "path" in error ? String(error.path) : file);
    }
  }

  #takeBack(note: Note): Restored {
    const { file, backup, folder, hash, made } = note;
    const now = existsSync(file) ? readFileSync(file) : undefined;
    const before = backup !== undefined && existsSync(backup) ? readFileSync(backup) : undefined;
    const isOurs = now !== undefined && hashOf(now) === hash;
    const settings = now !== undefined && made ? settingsOf(now) : undefined;
    if (now !== undefined && !isOurs && !settings) {
      // It can no longer be told what is ours: the file belongs to the user, and its copy stays next to it.
      rmSync(this.#noteOf(note), { force: true });
      return { file, isLeft: true, ...(before !== undefined && backup !== undefined && { backup }) };
    }
    if (isOurs) {
      // Unchanged since: it is restored exactly.
      if (before === undefined && backup === undefined) rmSync(file);
      else if (before !== undefined) writeWhole(file, before, statSync(file).mode & 0o777);
    } else if (settings && made) {
      const restored = takeBack(settings, made);
      if (JSON.stringify(restored) !== JSON.stringify(settings))
        writeWhole(file, written(restored), statSync(file).mode & 0o777);
    }
    if (backup !== undefined) rmSync(backup, { force: true });
    if (folder !== undefined) removeEmpty(dirname(file), folder);
    rmSync(this.#noteOf(note), { force: true });
    return { file };
  }

  /** The file of a note. A file has at most two: a lasting one, and one until the end of a process. */
  #noteOf({ file, pid }: Note): string {
    return join(this.#folder, `${hashOf(file).slice(0, 16)}${pid === undefined ? "" : "-run"}.json`);
  }

  #notes(): Note[] {
    if (!existsSync(this.#folder)) return [];
    return readdirSync(this.#folder)
      .filter((name) => name.endsWith(".json"))
      .flatMap((name) => noteIn(join(this.#folder, name)) ?? []);
  }
}

/** Errors: `CliError` if a process has changed the file until its end. */
function refuseBusy(file: string, notes: readonly Note[]): void {
  const other = notes.find((note) => note.file === file && note.pid !== undefined);
  if (!other) return;
  const message = `${file} is set up by another launch (process ${other.pid}), which restores it at its end.`;
  throw new CliError("failed", message);
}

/** The file that a path leads to. Errors: `CliError` for a link that leads nowhere, which a new file would replace. */
function realPathOf(file: string): string {
  if (existsSync(file)) return realpathSync(file);
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new CliError("bad-input", `${file} is a link to a file that does not exist, so it is not changed.`);
  return file;
}

/** A name that no file has: an earlier copy may be the only one of what the user had. */
function unusedName(path: string): string {
  for (let i = 1; ; i++) {
    const name = i === 1 ? path : `${path}-${i}`;
    if (!existsSync(name)) return name;
  }
}

/** Removes a folder and those around it up to `outermost`, while they are empty. */
function removeEmpty(folder: string, outermost: string): void {
  for (let at = folder; at.length >= outermost.length; at = dirname(at)) {
    if (existsSync(at) && readdirSync(at).length > 0) return;
    if (existsSync(at)) rmdirSync(at);
  }
}

/** Reads a note. A truncated note was never followed by a change of the file, and is ignored. */
function noteIn(path: string): Note | undefined {
  const note = statSync(path).isFile() ? settingsOf(readFileSync(path)) : undefined;
  return note && isNote(note) ? note : undefined;
}

const isNote = (value: object): value is Note & Record<string, unknown> => {
  const { version, client, file, pid, backup, folder, hash, made } = value as Record<string, unknown>;
  const isMade = (one: unknown) =>
    isObject(one) && Array.isArray(one.path) && one.path.every((step) => typeof step === "string");
  return (
    version === 1 &&
    [client, file, hash].every((text) => typeof text === "string") &&
    [backup, folder].every((text) => text === undefined || typeof text === "string") &&
    (pid === undefined || Number.isInteger(pid)) &&
    (made === undefined || (Array.isArray(made) && made.every(isMade)))
  );
};

function contentOf(
  file: string,
  before: Uint8Array | undefined,
  content: Edit["content"],
): { text: string; made?: Made[] } {
  if ("text" in content) return content;
  const settings = before === undefined || Buffer.from(before).toString().trim() === "" ? {} : settingsOf(before);
  if (!settings) throw new CliError("bad-input", `${file} is not a JSON object, so it is not changed.`);
  try {
    const changed = change(settings, content.changes);
    return { text: written(changed.settings), made: changed.made };
  } catch (cause) {
    if (!(cause instanceof SettingsShapeError)) throw cause;
    throw new CliError("bad-input", `${file}: ${cause.message}, so it is not changed.`, { cause });
  }
}

const written = (settings: object) => `${JSON.stringify(settings, null, 2)}\n`;

/**
 * The object of a JSON file; `undefined` for other content, such as text that is not UTF-8, which could not be written again.
 */
function settingsOf(bytes: Uint8Array): Record<string, unknown> | undefined {
  const value = isUtf8(bytes) ? parsedJson(new TextDecoder().decode(bytes)) : undefined;
  return isObject(value) ? value : undefined;
}
