import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { isAlive } from "../files/is-alive.js";
import { writeWhole } from "../files/write-whole.js";
import { isRecord, parsed } from "../json.js";
import { CliError } from "../terminal/errors.js";
import { type Change, change, type Made, SettingsShapeError, takeBack } from "./settings.js";

// What was changed in files of clients, so that it can be taken back: at the end, and at the next start where there was none.
//
// The order is: a copy of the file, the note in the journal, the changed file. Wherever the process is killed, what the journal
// says can be taken back: a change is noted before it is made.

/** A file that was changed. */
interface Note {
  version: 1;
  client: string;
  file: string;
  /** The process that takes it back at its end; none where it is to stay until it is asked for. */
  pid?: number;
  /** A copy of the file as it was; none where there was no file. */
  backup?: string;
  /** Of the text that was written: whether somebody has changed it since. */
  hash: string;
  /** None where the file is all ours. */
  made?: Made[];
}

/** What is written to a file. */
export interface Edit {
  client: string;
  file: string;
  content: { changes: readonly Change[] } | { text: string };
  /** Whether it stays when this process ends. */
  stays: boolean;
}

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

/** The files of clients that are changed now. One journal for each person. */
export class Journal {
  readonly #folder: string;

  constructor(env: NodeJS.ProcessEnv) {
    const local = join(env.HOME ?? env.USERPROFILE ?? homedir(), ".local", "state");
    this.#folder = join(env.XDG_STATE_HOME ?? env.LOCALAPPDATA ?? local, "toolingua", "launch");
  }

  /**
   * Changes a file, and notes how it was. Before it, what an earlier process left is to be taken back (`restoreLeft`).
   *
   * Errors: `CliError` where another process has changed the file, where it is no JSON, or cannot be written.
   */
  write({ client, file, content, stays }: Edit): void {
    const path = existsSync(file) ? realpathSync(file) : file;
    const held = this.#notes().find((note) => note.file === path);
    if (held?.pid !== undefined)
      throw new CliError(
        "failed",
        `${path} is set up by another launch (process ${held.pid}), which takes it back at its end.`,
      );
    if (held) this.#takeBack(held);
    const before = existsSync(path) ? readFileSync(path, "utf8") : undefined;
    const { text, made } = contentOf(path, before, content);
    const backup = before === undefined ? undefined : `${path}.toolingua-backup`;
    mkdirSync(this.#folder, { recursive: true });
    mkdirSync(dirname(path), { recursive: true });
    const mode = before === undefined ? 0o600 : statSync(path).mode & 0o777;
    if (before !== undefined && backup !== undefined) writeWhole(backup, before, mode);
    const note: Note = {
      ...{ version: 1, client, file: path, hash: hashOf(text) },
      ...(!stays && { pid: process.pid }),
      ...(backup !== undefined && { backup }),
      ...(made && { made }),
    };
    writeWhole(this.#noteOf(path), JSON.stringify(note), 0o600);
    writeWhole(path, text, mode);
  }

  /** Takes back what this process changed. */
  restoreOwn(): string[] {
    return this.#restore(({ pid }) => pid === process.pid);
  }

  /** Takes back what processes changed that are no more: those that were killed. */
  restoreLeft(): string[] {
    return this.#restore(({ pid }) => pid !== undefined && pid !== process.pid && !isAlive(pid));
  }

  /** Takes back what stays for a client, and what was left. */
  restoreKept(client: string): string[] {
    return this.#restore((note) => note.client === client && note.pid === undefined);
  }

  #restore(which: (note: Note) => boolean): string[] {
    const notes = this.#notes().filter(which);
    for (const note of notes) this.#takeBack(note);
    return notes.map(({ file }) => file);
  }

  #takeBack({ file, backup, hash, made }: Note): void {
    const now = existsSync(file) ? readFileSync(file, "utf8") : undefined;
    const before = backup !== undefined && existsSync(backup) ? readFileSync(backup, "utf8") : undefined;
    if (now !== undefined && hashOf(now) === hash) {
      // Nobody has changed it since: it becomes exactly what it was.
      if (before === undefined && backup === undefined) rmSync(file);
      else if (before !== undefined) writeWhole(file, before, statSync(file).mode & 0o777);
    } else if (now !== undefined && made) {
      const settings = settingsOf(now);
      // A file that cannot be read any more is the person's: its copy stays beside it.
      if (!settings) return rmSync(this.#noteOf(file), { force: true });
      const restored = takeBack(settings, made);
      if (JSON.stringify(restored) !== JSON.stringify(settings))
        writeWhole(file, written(restored), statSync(file).mode & 0o777);
    }
    if (backup !== undefined) rmSync(backup, { force: true });
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

/** A note that can be read: one that was cut while it was written is followed by no change of the file. */
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
  if (!settings) throw new CliError("bad-input", `${file} is not a JSON object, so it is left as it is.`);
  try {
    const changed = change(settings, content.changes);
    return { text: written(changed.settings), made: changed.made };
  } catch (cause) {
    if (!(cause instanceof SettingsShapeError)) throw cause;
    throw new CliError("bad-input", `${file}: ${cause.message}, so it is left as it is.`, { cause });
  }
}

const written = (settings: object) => `${JSON.stringify(settings, null, 2)}\n`;

function settingsOf(text: string): Record<string, unknown> | undefined {
  const value = parsed(text);
  return isRecord(value) ? value : undefined;
}
