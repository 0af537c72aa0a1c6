import {
  ConversationConflictError,
  type ConversationRecord,
  type ConversationStore,
} from "@toolingua/core/conversation";
import { DatabaseError, type Pool } from "pg";

/**
 * The table of all conversations' records. `json`, not `jsonb`: a model may write characters that `jsonb` refuses, such as
 * `\u0000`.
 */
export const RECORDS = `
  CREATE TABLE IF NOT EXISTS conversation_records (
    conversation text NOT NULL,
    place integer NOT NULL,
    record json NOT NULL,
    PRIMARY KEY (conversation, place)
  )`;

/**
 * A conversation in a table of PostgreSQL. One `append` is one statement, so all of its records are stored or none, and the
 * primary key admits only one of several writers that have read the same log.
 *
 * Errors: `ConversationConflictError`; those of `pg`.
 *
 * @example const conversation = await ToolConversation.resume({ store: postgresStore(pool, "trip-1"), model, tools });
 */
export function postgresStore(pool: Pool, conversation: string): ConversationStore {
  const count = async (): Promise<number> => {
    const sql = "SELECT coalesce(max(place) + 1, 0) AS count FROM conversation_records WHERE conversation = $1";
    return (await pool.query(sql, [conversation])).rows[0].count;
  };
  return {
    async append(records, expectedCount) {
      const sql = `
        INSERT INTO conversation_records (conversation, place, record)
        SELECT $1, $2::integer + ordinality - 1, added::json FROM unnest($3::text[]) WITH ORDINALITY AS added
        WHERE (SELECT coalesce(max(place) + 1, 0) FROM conversation_records WHERE conversation = $1) = $2::integer`;
      const values = [conversation, expectedCount, records.map((record) => JSON.stringify(record))];
      const isStored = await pool.query(sql, values).then(
        ({ rowCount }) => rowCount === records.length,
        (error: unknown) => {
          if (error instanceof DatabaseError && error.code === UNIQUE_VIOLATION) return false;
          throw error;
        },
      );
      if (!isStored) throw new ConversationConflictError(expectedCount, await count());
    },
    async read(from = 0) {
      const sql = "SELECT record FROM conversation_records WHERE conversation = $1 AND place >= $2 ORDER BY place";
      const { rows } = await pool.query<{ record: ConversationRecord }>(sql, [conversation, from]);
      return rows.map(({ record }) => record);
    },
  };
}

/** Another process has stored a record at the same index meanwhile. */
const UNIQUE_VIOLATION = "23505";
