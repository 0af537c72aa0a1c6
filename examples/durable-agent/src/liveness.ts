import { DBOS } from "@dbos-inc/dbos-sdk";
import type { Client } from "pg";
import { QUEUE } from "./workflow.js";

// Each live process has a lock in the database. The lock ends with the connection, and the connection with the process. No
// clock is involved: a slow process does not count as dead.

const LOCK = "hashtextextended($1, 0)";

/** Marks the executor of this name as alive, as long as the client is connected. */
export async function sayAlive(client: Client, executor: string): Promise<void> {
  await client.query(`SELECT pg_advisory_lock(${LOCK})`, [executor]);
}

/** Puts the workflows of dead executors back into the queue, and returns their ids. */
export async function takeOver(client: Client, self: string): Promise<string[]> {
  const pending = (executorId?: string) =>
    DBOS.listWorkflows({
      status: "PENDING",
      queueName: QUEUE,
      loadInput: false,
      loadOutput: false,
      ...(executorId ? { executorId } : {}),
    });
  const executors = new Set((await pending()).map(({ executorId }) => executorId));
  const taken: string[] = [];
  for (const executor of executors) {
    if (executor === undefined || executor === self) continue;
    const { rows } = await client.query(`SELECT pg_try_advisory_lock(${LOCK}) AS isdead`, [executor]);
    if (!rows[0].isdead) continue;
    try {
      // Listed again under the lock: another process may have been first.
      const ids = (await pending(executor)).map(({ workflowID }) => workflowID);
      if (ids.length > 0) await DBOS.resumeWorkflows(ids, { queueName: QUEUE });
      taken.push(...ids);
    } finally {
      await client.query(`SELECT pg_advisory_unlock(${LOCK})`, [executor]);
    }
  }
  return taken;
}
