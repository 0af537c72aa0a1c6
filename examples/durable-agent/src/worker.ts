import { randomUUID } from "node:crypto";
import { DBOS } from "@dbos-inc/dbos-sdk";
import pg from "pg";
import { openPool } from "./database.js";
import { sayAlive, takeOver } from "./liveness.js";
import { postgresStore } from "./postgres-store.js";
import type { WorkerMessage } from "./scenario.js";
import { scriptedModel, travelTools } from "./travel.js";
import { QUEUE, registerConversations } from "./workflow.js";

// A worker: takes conversations from the queue until its parent ends or sends SIGTERM. Any number of workers may run, on any
// number of machines.

const [url, name = `worker-${randomUUID()}`] = process.argv.slice(2);
if (!url) throw new Error("A worker takes the database's URL, and its name.");

const pool = openPool(url);
const life = new pg.Client({ connectionString: url });
// Without its lock, other workers take over the conversations of this process.
life.on("error", fail);

const tools = travelTools(pool, name);
const model = scriptedModel(tools);
const say = (message: WorkerMessage) => process.send?.(message);
registerConversations((id) => {
  say({ runs: id });
  return { model, tools, conversationId: id, protocol: "hermes" as const, store: postgresStore(pool, id) };
});

DBOS.setConfig({
  name: "durable-agent",
  systemDatabaseUrl: url,
  executorID: name,
  applicationVersion: "1",
  runMigrations: false,
  listenQueues: [QUEUE],
  logLevel: "error",
});
await life.connect();
await sayAlive(life, name);
await DBOS.launch();
await DBOS.registerQueue(QUEUE, { workerConcurrency: 2, minPollingIntervalMs: 100 });

let looking = Promise.resolve();
const timer = setInterval(() => {
  looking = looking.then(takeOverDead).catch(fail);
}, 500);

async function takeOverDead() {
  // Whichever worker is free runs them next, not necessarily this one.
  for (const requeued of await takeOver(life, name)) say({ requeued });
}

async function stop() {
  clearInterval(timer);
  await looking;
  await DBOS.shutdown({ workflowCompletionTimeoutMS: 10_000 });
  await pool.end();
  life.removeAllListeners("error");
  await life.end();
  process.exit(0);
}

/** Reports an error and ends the process at once, so that other workers take over its conversations. */
function fail(error: unknown): never {
  console.error(`${name} ends:`, error);
  process.exit(1);
}

process.once("SIGTERM", () => stop().catch(fail));
process.once("disconnect", () => fail(new Error("The parent process has ended.")));
say("ready");
