import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmdirSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { isObject, parsedJson } from "@toolingua/core/adapters";
import { isAlive } from "../files/is-alive.js";
import { writeWhole } from "../files/write-whole.js";

import { CliError } from "../terminal/errors.js";
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

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

/** The changed settings files of clients. There is one journal for each user. */
export class Journal {
  readonly #folder: string;

  constructor(env: NodeJS.ProcessEnv) {
    const local = join(env.HOME ?? env.USERPROFILE ?? homedir(), ".local", "state");
    this.#folder = join(env.XDG_STATE_HOME ?? env.LOCALAPPDATA ?? local, "toolingua", "launch");
  }

  /**
   * Changes a file, and notes how to undo it. First call `restoreLeft` to undo the changes of earlier, killed
   * processes.
   *
   * Errors: `CliError` if another process has changed the file, or if the file is not JSON or cannot be written.
   */
  write({ client, file, content, stays }: Edit): void {
    const path = existsSync(file) ? realpathSync(file) : file;
    const other = this.#notes().find((note) => note.file === path);
    if (other?.pid !== undefined)
      throw new CliError(
        "failed",
        `${path} is set up by another launch (process ${other.pid}), which restores it at its end.`,
      );
    if (other) this.#takeBack(other);
    const before = existsSync(path) ? readFileSync(path, "utf8") : undefined;
    const { text, made } = contentOf(path, before, content);
    const backup = before === undefined ? undefined : `${path}.toolingua-backup`;
    mkdirSync(this.#folder, { recursive: true });
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
    writeWhole(this.#noteOf(path), JSON.stringify(note), 0o600);
    writeWhole(path, text, mode);
  }

  /** Undoes the changes of this process. */
  restoreOwn(): string[] {
    return this.#restore(({ pid }) => pid === process.pid);
  }

  /** Undoes the changes of processes that were killed. */
  restoreLeft(): string[] {
    return this.#restore(({ pid }) => pid !== undefined && pid !== process.pid && !isAlive(pid));
  }

  /** Undoes the lasting changes of a client, and those of killed processes. */
  restoreKept(client: string): string[] {
    return this.#restore((note) => note.client === client && note.pid === undefined);
  }

  #restore(which: (note: Note) => boolean): string[] {
    const notes = this.#notes().filter(which);
    for (const note of notes) this.#takeBack(note);
    return notes.map(({ file }) => file);
  }

  #takeBack({ file, backup, folder, hash, made }: Note): void {
    const now = existsSync(file) ? readFileSync(file, "utf8") : undefined;
    const before = backup !== undefined && existsSync(backup) ? readFileSync(backup, "utf8") : undefined;
    if (now !== undefined && hashOf(now) === hash) {
      // Unchanged since: it is restored exactly.
      if (before === undefined && backup === undefined) rmSync(file);
      else if (before !== undefined) writeWhole(file, before, statSync(file).mode & 0o777);
    } else if (now !== undefined && made) {
      const settings = settingsOf(now);
      // A file that is no longer readable belongs to the user: its copy stays next to it.
      if (!settings) return rmSync(this.#noteOf(file), { force: true });
      const restored = takeBack(settings, made);
      if (JSON.stringify(restored) !== JSON.stringify(settings))
        writeWhole(file, written(restored), statSync(file).mode & 0o777);
    }
    if (backup !== undefined) rmSync(backup, { force: true });
    if (folder !== undefined) removeEmpty(dirname(file), folder);
    rmSync(this.#noteOf(file), { force: true });
  }

  #noteOf(file: string): string {
    return join(this.#folder, `${hashOf(file).slice(0, 16)}.json`);
  }

  #notes(): Note[] {
    if (!existsSync(this.#folder)) return [];
    return readdirSync(this.#folder)
      .filter((name) => name.endsWith(".json"))
      .flatMap((name) => noteIn(join(this.#folder, name)) ?? []);
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
  const note = settingsOf(readFileSync(path, "utf8"));
  return note && isNote(note) ? note : undefined;
}

const isNote = (value: object): value is Note =>
  "version" in value && value.version === 1 && "file" in value && typeof value.file === "string";

function contentOf(
  file: string,
  before: string | undefined,
  content: Edit["content"],
): { text: string; made?: Made[] } {
  if ("text" in content) return content;
  const settings = before === undefined || before.trim() === "" ? {} : settingsOf(before);
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

function settingsOf(text: string): Record<string, unknown> | undefined {
  const value = parsedJson(text);
  return isObject(value) ? value : undefined;
}
