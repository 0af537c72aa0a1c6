import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { DBOS, DBOSClient } from "@dbos-inc/dbos-sdk";
import { openPool } from "./database.js";
import { RECORDS } from "./postgres-store.js";
import { WORLD } from "./travel.js";
import { type Answer, type Outcome, QUEUE, type Question, WORKFLOW } from "./workflow.js";

/** The outcome of one trip. */
export interface Trip {
  id: string;
  /** The workers that ran it. */
  workers: string[];
  answer: string;
  /** Why it ended: `answer`. */
  stopReason: string;
  /** How often each call was begun, by tool. */
  attempts: Record<string, number>;
  bookings: number;
  charges: number;
  mails: number;
  /** The questions to the person, and their answers. */
  decisions: string[];
}

/** The options of {@link runScenario}. */
export interface Scenario {
  workers: number;
  /** The number of conversations. */
  trips: number;
  /** The scenario fails after this time. */
  seconds: number;
  say(line: string): void;
}

/** A worker's messages to its parent: it is ready, a conversation of a dead worker is in the queue again, it runs one. */
export type WorkerMessage = "ready" | { requeued: string } | { runs: string };

/** The result of {@link runScenario}. */
export interface Report {
  /** The worker that was killed, and its trips at that moment. */
  killed: { worker: string; trips: string[] };
  trips: Trip[];
}

/**
 * Lets `workers` processes work on `trips` conversations, kills one of them with SIGKILL during its parallel
 * calls, answers for the person, and counts the effects.
 *
 * `trips` is above `workers`, so that one of them has two at once.
 *
 * Errors: an `Error` for a database that was used before, and after `seconds`. All processes that it started are ended in any
 * case.
 */
export async function runScenario(url: string, { workers: count, trips, seconds, say }: Scenario): Promise<Report> {
  const until = Date.now() + seconds * 1000;
  const pool = openPool(url);
  const workers = new Map<string, ChildProcess>();
  /** Which worker ran each conversation last. */
  const runners = new Map<string, string>();
  const query = async <T>(sql: string, ...values: unknown[]) => (await pool.query(sql, values)).rows as T[];
  /** Waits for a value. */
  const waitFor = async <T>(what: string, look: () => Promise<T | undefined>): Promise<T> => {
    for (;;) {
      const found = await look();
      if (found !== undefined) return found;
      if (Date.now() > until) throw new Error(`Gave up waiting for ${what}.`);
      await sleep(50);
    }
  };
  await DBOS.migrate(url);
  const client = await DBOSClient.create({ systemDatabaseUrl: url, applicationName: "durable-agent" });
  try {
    await pool.query(`${RECORDS}; ${WORLD}`);
    if ((await query("SELECT 1 FROM services")).length > 0)
      throw new Error("This example has run in the database before: give it an empty one.");
    await Promise.all(
      Array.from({ length: count }, async (_, i) => {
        const name = `worker-${i + 1}`;
        // DBOS 5.3 uses an interface that pg 9 removes, and pg 8 warns about it.
        const options = { execArgv: ["--no-deprecation"] };
        const worker = fork(fileURLToPath(new URL("worker.js", import.meta.url)), [url, name], options);
        workers.set(name, worker);
        worker.on("message", (message: WorkerMessage) => {
          if (message === "ready") return;
          if ("requeued" in message) return say(`${name} put ${message.requeued} back into the queue`);
          const before = runners.get(message.runs);
          if (before !== undefined && before !== name) say(`${name} took over ${message.runs} from ${before}`);
          runners.set(message.runs, name);
        });
        await once(worker, "message", { signal: AbortSignal.timeout(seconds * 1000) });
      }),
    );
    say(`${workers.size} workers, ${trips} conversations`);
    const ids = Array.from({ length: trips }, (_, i) => `trip-${i + 1}`);
    for (const [i, workflowID] of ids.entries()) {
      const enqueued = { queueName: QUEUE, workflowName: WORKFLOW, workflowID, appVersion: "1" };
      await client.enqueue(enqueued, `Book a trip to Oslo for ${101 + i}.`);
    }

    const killed = await waitFor("a worker in the middle of its calls", () => inTheMiddle(query));
    const victim = workers.get(killed.worker);
    victim?.kill("SIGKILL");
    if (victim) await once(victim, "exit");
    workers.delete(killed.worker);
    say(`${killed.worker} killed; it had ${killed.trips.join(" and ")} in hand`);
    await pool.query("INSERT INTO services VALUES (true)");

    const decisions = new Map<string, string[]>(ids.map((id) => [id, []]));
    const answered = new Set<string>();
    const answers = await waitFor("the answers", async () => {
      const open = await client.listWorkflows({ status: "PENDING", loadOutput: false });
      for (const { workflowID: id } of open) {
        const question = await client.getEvent<Question>(id, "question", { timeoutSeconds: 0 });
        if (!question || answered.has(`${id} ${question.number}`)) continue;
        const answer = await decide(question, id, query);
        await client.send(id, answer, "answer", `${id} ${question.number}`);
        answered.add(`${id} ${question.number}`);
        for (const [i, { call, why }] of question.calls.entries()) {
          const { type } = answer.decisions[i]!.decision;
          say(`${id}: ${call.name} (${why}) → ${type}`);
          decisions.get(id)?.push(`${call.name}: ${type}`);
        }
      }
      const all = await client.listWorkflows({ workflowIDs: ids });
      const failed = all.find(({ status }) => !["PENDING", "ENQUEUED", "SUCCESS"].includes(status));
      if (failed) throw new Error(`${failed.workflowID} ended with ${failed.status}: ${String(failed.error)}`);
      const isDone = all.length === ids.length && all.every(({ status }) => status === "SUCCESS");
      return isDone ? new Map(all.map(({ workflowID, output }) => [workflowID, output as Outcome])) : undefined;
    });
    const counts = ids.map((id) => counted(id, answers.get(id), decisions.get(id) ?? [], query));
    return { killed, trips: await Promise.all(counts) };
  } finally {
    await Promise.all([...workers.values()].map(ended));
    await client.destroy();
    await pool.end();
  }
}

type Query = <T>(sql: string, ...values: unknown[]) => Promise<T[]>;

/** A worker with a trip in which one parallel call has its result and two are running, one of which took effect. */
async function inTheMiddle(query: Query): Promise<Report["killed"] | undefined> {
  const rows = await query<{ worker: string; trip: string }>(`
    SELECT DISTINCT worker, trip FROM attempts JOIN bookings USING (trip, idempotency_key)
    WHERE trip IN (SELECT conversation FROM conversation_records WHERE record->>'type' = 'call-settled')
      AND trip IN (SELECT trip FROM attempts WHERE tool = 'charge_card')
    ORDER BY trip`);
  const trips = (worker: string) => rows.filter((row) => row.worker === worker).map(({ trip }) => trip);
  const worker = rows.map((row) => row.worker).find((name) => trips(name).length === 2);
  return worker === undefined ? undefined : { worker, trips: trips(worker) };
}

/** The answer of the person, who checks whether the money has moved. */
async function decide({ number, calls }: Question, trip: string, query: Query): Promise<Answer> {
  const [charge] = await query<{ amount: number }>("SELECT amount FROM charges WHERE trip = $1", trip);
  return {
    number,
    decisions: calls.map(({ call, argumentsHash }) => ({
      callId: call.id,
      argumentsHash,
      decision: charge ? { type: "respond", content: `Charged ${charge.amount}.` } : { type: "approve" },
    })),
  };
}

async function counted(id: string, outcome: Outcome | undefined, decisions: string[], query: Query): Promise<Trip> {
  const count = async (table: "bookings" | "charges" | "mails") =>
    (await query(`SELECT 1 FROM ${table} WHERE trip = $1`, id)).length;
  const attempts = await query<{ tool: string; worker: string }>(
    "SELECT tool, worker FROM attempts WHERE trip = $1",
    id,
  );
  const byTool: Record<string, number> = {};
  for (const { tool } of attempts) byTool[tool] = (byTool[tool] ?? 0) + 1;
  return {
    id,
    workers: [...new Set(attempts.map(({ worker }) => worker))],
    answer: outcome?.text ?? "",
    stopReason: outcome?.stopReason ?? "",
    attempts: byTool,
    bookings: await count("bookings"),
    charges: await count("charges"),
    mails: await count("mails"),
    decisions,
  };
}

/** Ends a worker, gracefully first. */
async function ended(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return;
  const exit = once(worker, "exit");
  worker.kill("SIGTERM");
  const timer = setTimeout(() => worker.kill("SIGKILL"), 15_000);
  await exit;
  clearTimeout(timer);
}
