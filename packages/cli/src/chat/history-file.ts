import { randomBytes } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import {
  ConversationConflictError,
  type ConversationRecord,
  type ConversationState,
  type ConversationStore,
  LOG_VERSION,
} from "@toolingua/core/conversation";
import { isRecord, parsed } from "../json.js";
import { CliError } from "../terminal/errors.js";

/**
 * A conversation in a file of JSON, as `ToolConversation.fromJSON` reads it. Each record is in the file before what follows on
 * it; the file is whole at every moment.
 *
 * Errors, from its methods: `CliError` (`bad-input`) for a file of something else; those of `node:fs`.
 *
 * @example await ToolConversation.resume({ store: historyFile("chat.json"), model, tools });
 */
export function historyFile(path: string): ConversationStore {
  return {
    read: async (from = 0) => (await readLog(path)).slice(from),
    async append(records, expectedCount) {
      const log = await readLog(path);
      if (log.length !== expectedCount) throw new ConversationConflictError(expectedCount, log.length);
      await writeState(path, { version: LOG_VERSION, log: [...log, ...records] });
    },
  };
}

/** Writes the state so that the file is whole or as it was. */
export async function writeState(path: string, state: ConversationState): Promise<void> {
  const part = `${path}.${randomBytes(4).toString("hex")}.part`;
  try {
    await writeFile(part, `${JSON.stringify(state)}\n`, { mode: 0o600 });
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function readLog(path: string): Promise<ConversationRecord[]> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
  const state = parsed(text);
  if (isState(state)) return state.log;
  throw new CliError("bad-input", `${path} is no chat: one is { "version", "log" }, as --history and /save write it.`);
}

/** Each record is checked by `ToolConversation`. */
const isState = (state: unknown): state is ConversationState =>
  isRecord(state) && typeof state.version === "number" && state.version <= LOG_VERSION && Array.isArray(state.log);
