import { checkArgument } from "../check-argument.js";
import { ConversationConflictError } from "./errors.js";
import type { ConversationRecord } from "./records.js";

/** Stores the records of one conversation. */
export interface ConversationStore {
  /**
   * Appends all of the records or none. `expectedCount`: the number of records that the store contains already.
   *
   * Errors: {@link ConversationConflictError} if the store contains another number of records.
   */
  append(records: ConversationRecord[], expectedCount: number): Promise<void>;
  /** The records from index `from` on (default 0). */
  read(from?: number): Promise<ConversationRecord[]>;
}

/**
 * A store in memory. It keeps JSON, like any other store, so that it returns copies.
 *
 * @example
 * const store = memoryStore();
 * await new ToolConversation({ model, tools, store }).run("Hello").result();
 * const again = await ToolConversation.resume({ model, tools, store });
 */
export function memoryStore(records: readonly ConversationRecord[] = []): ConversationStore {
  checkArgument("records", "list", records);
  const lines = records.map((record) => JSON.stringify(record));
  return {
    async append(added, expectedCount) {
      if (lines.length !== expectedCount) throw new ConversationConflictError(expectedCount, lines.length);
      for (const record of added) lines.push(JSON.stringify(record));
    },
    read: async (from = 0) => lines.slice(from).map((line) => JSON.parse(line) as ConversationRecord),
  };
}
