import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { clip } from "../../common/clip.js";
import { parsedJson } from "../../common/json-text.js";
import { OptionsError } from "../../errors.js";
import { checkOptions } from "../../options/check-options.js";
import { aBoolean, type OptionRules } from "../../options/option-rules.js";
import { ConversationConflictError, ConversationLogError, ConversationStoreError } from "../errors.js";
import type { ConversationRecord } from "../records.js";
import type { ConversationStore } from "../store.js";

/** Options of {@link fileStore}. */
export interface FileStoreOptions {
  /**
   * Whether records must reach the disk before they count as stored (fsync). Default `true`: they survive a power
   * failure. `false` is faster, and they survive only the end of the process.
   */
  sync?: boolean | undefined;
}

const fileRules: OptionRules<FileStoreOptions> = { sync: aBoolean };

/** One line of the file: the records of one append, and who wrote them. */
interface Line {
  /** The number of records before the line. */
  from: number;
  by: string;
  records: ConversationRecord[];
}

/**
 * A conversation in a file of JSON lines. Each append is one line, so that a line that a crash cuts off has no effect. The
 * first append creates the file, and the folders that are missing.
 *
 * Several processes may append to the same file. Every line contains the number of records before it; of two lines with
 * the same number, the first one in the file counts. The writer of the other detects this when it reads its line again,
 * and throws a {@link ConversationConflictError}. There is no lock that a crash could leave behind. This requires
 * atomic appends, which local disks provide and NFS does not.
 *
 * Errors: `OptionsError`; those of `node:fs`; `ConversationLogError` (`bad-log`) for a file with other content, and a folder;
 * `ConversationStoreError` (`partial-write`).
 *
 * @example
 * const store = fileStore("conversations/42.jsonl");
 * const conversation = await ToolConversation.resume({ store, model, tools });
 */
export function fileStore(path: string, options: FileStoreOptions = {}): ConversationStore {
  if (typeof path !== "string" || path === "")
    throw new OptionsError("bad-option", '`fileStore` takes the path of a file, such as "conversations/42.jsonl".');
  checkOptions(fileRules, options);
  const { sync = true } = options;
  const file = new LogFile(path, sync);
  // Operations run one after the other, also within this process.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== "EISDIR") throw cause;
      throw new ConversationLogError("bad-log", `${path} is a folder, not the log of a conversation.`, { cause });
    });
    last = done.catch(() => {});
    return done;
  };
  return {
    append: (records, expectedCount) => inTurn(() => file.append(records, expectedCount)),
    read: (from = 0) => inTurn(() => file.read(from)),
  };
}

class LogFile {
  readonly #writer = randomUUID();
  #records: ConversationRecord[] = [];
  /** The byte offset up to which the file was read; a line ends there. */
  #read = 0;
  /** The bytes after that offset: a line without an end. */
  #rest = Buffer.alloc(0);

  constructor(
    private readonly path: string,
    private readonly sync: boolean,
  ) {}

  async read(from: number): Promise<ConversationRecord[]> {
    const file = await open(this.path, "r").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (file) await closing(file, () => this.#readOn(file));
    return this.#records.slice(from);
  }

  async append(records: ConversationRecord[], expectedCount: number): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true });
    const file = await open(this.path, "a+");
    await closing(file, async () => {
      await this.#readOn(file);
      const conflict = () => new ConversationConflictError(expectedCount, this.#records.length);
      if (this.#records.length !== expectedCount) throw conflict();
      const line: Line = { from: expectedCount, by: `${this.#writer}:${Date.now()}:${lineNumber++}`, records };
      // Ends a line that was cut off. Content that is not part of a log is an error, and stays as it is.
      const rest = this.#rest.toString("utf8");
      if (!isCutOff(rest) && parsedJson(rest) === undefined) throw this.#bad("is not the log of a conversation", rest);
      const start = this.#rest.length > 0 ? "\n" : "";
      const bytes = Buffer.from(`${start}${JSON.stringify(line)}\n`);
      const { bytesWritten } = await file.write(bytes);
      if (bytesWritten < bytes.length)
        throw new ConversationStoreError(
          "partial-write",
          `Only a part could be written to ${this.path}: is the disk full?`,
        );
      if (this.sync) await file.datasync();
      const winners = await this.#readOn(file);
      if (!winners.has(line.by)) throw conflict();
    });
  }

  /** Reads what was appended since, and returns its writers. */
  async #readOn(file: FileHandle): Promise<Set<string>> {
    const chunks = [this.#rest];
    const chunk = Buffer.allocUnsafe(64 * 1024);
    for (let at = this.#read + this.#rest.length; ; ) {
      const { bytesRead } = await file.read(chunk, 0, chunk.length, at);
      if (bytesRead === 0) break;
      chunks.push(Buffer.from(chunk.subarray(0, bytesRead)));
      at += bytesRead;
    }
    const bytes = Buffer.concat(chunks);
    const end = bytes.lastIndexOf(0x0a) + 1;
    const writers = new Set<string>();
    for (const text of bytes.subarray(0, end).toString("utf8").split("\n")) this.#take(text, writers);
    this.#read += end;
    this.#rest = bytes.subarray(end);
    // A line that lacks only its end counts. Otherwise it would count later, when the end is written.
    if (isJson(this.#rest)) {
      this.#take(this.#rest.toString("utf8"), writers);
    }
    return writers;
  }

  #take(text: string, writers: Set<string>): void {
    if (text.trim() === "") return;
    const line = parsedJson(text);
    // Cut off by a crash, and ended by the next writer.
    if (line === undefined && isCutOff(text)) return;
    const { length } = this.#records;
    if (!isLine(line)) {
      const what = length === 0 ? "is not the log of a conversation" : `has a damaged line after its ${length} records`;
      throw this.#bad(what, text);
    }
    if (line.from > length) throw this.#bad(`lacks the records from ${length} on, before this`, text);
    // Another writer was first.
    if (line.from < this.#records.length) return;
    for (const record of line.records) this.#records.push(record);
    writers.add(line.by);
  }

  #bad(what: string, text: string): ConversationLogError {
    return new ConversationLogError("bad-log", `${this.path} ${what}: ${JSON.stringify(clip(text, 80))}`);
  }
}

/** The beginning of every line. */
const BEGINNING = '{"from":';

/**
 * Whether a text is the beginning of a line. After a power failure a file system may have filled the rest with NULs.
 */
function isCutOff(text: string): boolean {
  const written = text.replace(/\0+$/, "");
  return written.slice(0, BEGINNING.length) === BEGINNING.slice(0, written.length);
}

let lineNumber = 0;

const isJson = (bytes: Buffer) => bytes.at(-1) === 0x7d && parsedJson(bytes.toString("utf8")) !== undefined;

const isLine = (value: unknown): value is Line =>
  typeof value === "object" &&
  value !== null &&
  typeof (value as Line).from === "number" &&
  typeof (value as Line).by === "string" &&
  Array.isArray((value as Line).records);

async function closing<T>(file: FileHandle, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await file.close();
  }
}
