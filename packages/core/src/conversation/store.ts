import { ConversationConflictError } from "./errors.js";
import type { ConversationRecord } from "./records.js";

/** Where the records of one conversation are kept. */
export interface ConversationStore {
  /**
   * Appends all of the records or none. `expectedCount`: how many there are already.
   *
   * Errors: {@link ConversationConflictError} where the store holds another number of records.
   */
  append(records: ConversationRecord[], expectedCount: number): Promise<void>;
  /** The records from this index on (default 0), inclusive. */
  read(from?: number): Promise<ConversationRecord[]>;
}

/**
 * A store in memory. It holds JSON, as any other store does, so that what comes back is a copy.
 *
 * @example
 * const store = memoryStore();
 * await new ToolConversation({ model, tools, store }).run("Hello").result();
 * const again = await ToolConversation.resume({ model, tools, store });
 */
export function memoryStore(records: readonly ConversationRecord[] = []): ConversationStore {
  const lines = records.map((record) => JSON.stringify(record));
  return {
    async append(added, expectedCount) {
      if (lines.length !== expectedCount) throw new ConversationConflictError(expectedCount, lines.length);
      for (const record of added) lines.push(JSON.stringify(record));
    },
    read: async (from = 0) => lines.slice(from).map((line) => JSON.parse(line) as ConversationRecord),
  };
}
