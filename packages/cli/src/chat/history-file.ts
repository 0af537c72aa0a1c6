import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { parsedJson, textOfBytes } from "@toolingua/core/adapters";
import {
  ConversationConflictError,
  type ConversationRecord,
  type ConversationState,
  type ConversationStore,
  LOG_VERSION,
} from "@toolingua/core/conversation";
import { conversationStateIn } from "../files/conversation-state.js";
import { lockFile, unlockFile } from "../files/lock-file.js";
import { folderInstead, refused } from "../files/refused.js";
import { writeWhole } from "../files/write-whole.js";

import { CliError } from "../terminal/errors.js";

/** A conversation in a file, locked by this process until it is closed. */
interface HistoryFile extends ConversationStore {
  close(): void;
}

/**
 * Stores a conversation in a JSON file, as `ToolConversation.fromJSON` reads it. Each record is in the file before
 * anything that follows from it happens. The file is complete at every moment. A second chat is refused while this
 * process lives: `FILE.lock` contains its process id.
 *
 * Errors: `CliError` for a file with other content, one that cannot be written, and one that another chat uses. Errors
 * of `append`: `ConversationConflictError`.
 *
 * @example
 * const store = openHistory("chat.json");
 * await ToolConversation.resume({ store, model, tools });
 */
export function openHistory(path: string): HistoryFile {
  if (existsSync(path) && statSync(path).isDirectory()) throw folderInstead(path);
  const file = existsSync(path) ? realpathSync(path) : path;
  const lock = `${file}.lock`;
  takeLock(lock, path);
  try {
    const log = readLog(file);
    return {
      read: async (from = 0) => structuredClone(log.slice(from)),
      async append(records, expectedCount) {
        if (log.length !== expectedCount) throw new ConversationConflictError(expectedCount, log.length);
        writeState(file, { version: LOG_VERSION, log: [...log, ...records] });
        log.push(...structuredClone(records));
      },
      close: () => unlockFile(lock),
    };
  } catch (error) {
    unlockFile(lock);
    throw error;
  }
}

/** Writes the state of a conversation. Errors: `CliError`. */
export const writeState = (path: string, state: ConversationState): void =>
  writeWhole(path, `${JSON.stringify(state)}\n`);

function takeLock(lock: string, path: string): void {
  let holder: number | undefined;
  try {
    holder = lockFile(lock);
  } catch (error) {
    throw refused(error, path);
  }
  if (holder === undefined) return;
  const message = `${path} is in use by another chat, process ${holder}. If that process is not a chat, remove ${lock}.`;
  throw new CliError("failed", message);
}

function readLog(path: string): ConversationRecord[] {
  if (!existsSync(path)) return [];
  const state = conversationStateIn(parsedJson(textOfBytes(readFileSync(path))), path);
  if (state) return copyOf(state.log, path);
  throw new CliError("bad-input", `${path} is not a chat: --history and /save write { "version", "log" }.`);
}

/** A copy of the records. Errors: `CliError` for data that nobody can copy, and that no chat writes. */
function copyOf(log: readonly ConversationRecord[], path: string): ConversationRecord[] {
  try {
    return structuredClone([...log]);
  } catch (cause) {
    throw new CliError("bad-input", `${path} is not a chat: its data is nested too deeply.`, { cause });
  }
}
