import { randomUUID } from "node:crypto";
import { DBOS } from "@dbos-inc/dbos-sdk";
import pg from "pg";
import { sayAlive, takeOver } from "./liveness.js";
import { postgresStore } from "./postgres-store.js";
import { scriptedModel, travelTools } from "./travel.js";
import { QUEUE, registerConversations } from "./workflow.js";

// A worker: takes conversations from the queue until its parent ends, or tells it to. Any number of them may run, on any
// number of machines.

const [url, name = `worker-${randomUUID()}`] = process.argv.slice(2);
if (!url) throw new Error("A worker takes the database's URL, and its name.");

const pool = new pg.Pool({ connectionString: url, max: 10 });
const life = new pg.Client({ connectionString: url });
// Without the lock others take over: what this process had begun is theirs now.
life.on("error", () => process.exit(1));
pool.on("error", () => {});

const tools = travelTools(pool, name);
const model = scriptedModel(tools);
registerConversations((id) => ({
  ...{ model, tools, conversationId: id, protocol: "hermes" as const },
  store: postgresStore(pool, id),
}));

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
  looking = looking.then(async () => {
    for (const id of await takeOver(life, name)) process.send?.({ tookOver: id });
  });
}, 500);

async function stop() {
  clearInterval(timer);
  await looking;
  await DBOS.shutdown({ workflowCompletionTimeoutMS: 10_000 });
  await pool.end();
  life.removeAllListeners("error");
  await life.end();
  process.exit(0);
}
process.once("SIGTERM", stop);
process.once("disconnect", () => process.exit(1));
process.send?.("ready");
