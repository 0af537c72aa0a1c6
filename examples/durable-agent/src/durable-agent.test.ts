import { execFile, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { getProtocol, type TextModel } from "@toolingua/core";
import {
  type ConversationRecord,
  type ConversationStore,
  type ConversationTool,
  memoryStore,
} from "@toolingua/core/conversation";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, openDatabase, openPool } from "./database.js";
import { postgresStore, RECORDS } from "./postgres-store.js";
import type { Report } from "./scenario.js";
import { type Answer, type Decided, goOn, type Question, registerConversations } from "./workflow.js";

// A real PostgreSQL. The workers are processes of the built example.

const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));
let database: Database;
let pool: pg.Pool;

beforeAll(async () => {
  database = await openDatabase();
  pool = openPool(database.url);
  await pool.query(RECORDS);
});
afterAll(async () => {
  await pool?.end();
  await database?.stop();
});

it("a worker is killed during its parallel calls: nothing is lost, and no effect happens twice", async () => {
  const env = { ...process.env, DATABASE_URL: database.url };
  const args = [main, "--json", "--workers", "3", "--trips", "6"];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env, timeout: 150_000 });
  const { killed, trips } = JSON.parse(stdout.split("\n").find((line) => line.startsWith("{")) ?? "") as Report;
  expect(trips).toHaveLength(6);
  expect(killed.trips).toHaveLength(2);
  for (const trip of trips) {
    expect(trip).toMatchObject({
      answer: "Your trip to Oslo is booked.",
      stopReason: "answer",
      bookings: 1,
      charges: 1,
      mails: 1,
    });
    const wasInterrupted = killed.trips.includes(trip.id);
    expect(trip.workers.includes(killed.worker)).toBe(wasInterrupted);
    expect(trip.workers).toHaveLength(wasInterrupted ? 2 : 1);
    // The messages along the way match the table.
    const other = trip.workers.find((worker) => worker !== killed.worker);
    const tookOver = stderr.split("\n").filter((line) => line.includes(` took over ${trip.id} `));
    expect(tookOver).toEqual(wasInterrupted ? [`${other} took over ${trip.id} from ${killed.worker}`] : []);
    // Calls with a result never began again; those with `rerun` did; the others began again if a person approved.
    expect(trip.attempts.look_up_weather).toBe(1);
    expect(trip.attempts.book_flight).toBe(wasInterrupted ? 2 : 1);
    const approved = trip.decisions.filter((decision) => decision === "charge_card: approve").length;
    expect(trip.attempts.charge_card).toBe(1 + approved);
    expect(trip.attempts.send_mail).toBe(1);
    expect(trip.decisions).toHaveLength(wasInterrupted ? 1 : 0);
  }
  // Each log contains each call's result once.
  const { rows } = await pool.query(`
    SELECT conversation, record->>'callId' AS call, count(*)::integer AS results FROM conversation_records
    WHERE record->>'type' = 'call-settled' OR record->'decision'->>'type' = 'respond' GROUP BY 1, 2`);
  expect(rows).toHaveLength(6 * 4);
  expect(rows.every(({ results }) => results === 1)).toBe(true);
});

describe("a worker reports and ends", () => {
  it.each([
    ["cannot look for dead workers", "ALTER TABLE dbos.workflow_status RENAME TO gone"],
    [
      "loses its lock",
      `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_database ON oid = database
       WHERE locktype = 'advisory' AND granted AND datname = current_database()`,
    ],
  ])("when it %s", async (_, statement) => {
    const name = `worker-${randomUUID()}`;
    await pool.query(`CREATE DATABASE "${name}"`);
    const url = new URL(database.url);
    url.pathname = name;
    await DBOS.migrate(url.href);
    const worker = fork(fileURLToPath(new URL("../dist/worker.js", import.meta.url)), [url.href, name], {
      ...{ silent: true, execArgv: ["--no-deprecation"] },
    });
    const ended = once(worker, "exit");
    const report = text(worker.stderr!);
    await once(worker, "message");
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    await client.query(statement);
    await client.end();
    expect(await ended).toEqual([1, null]);
    expect(await report).toContain(`${name} ends: `);
  });
});

describe("a workflow", () => {
  const hello: TextModel = async function* () {
    yield "Hello.";
  };
  const options = new Map<string, Parameters<typeof goOn>[0]>();
  const conversation = registerConversations((id) => options.get(id)!);
  const start = async (given: Parameters<typeof goOn>[0]) => {
    const id = randomUUID();
    options.set(id, given);
    return { id, handle: await DBOS.startWorkflow(conversation, { workflowID: id })("Hi.") };
  };
  const outcomeOf = async (given: Parameters<typeof goOn>[0]) => (await start(given)).handle.getResult();

  beforeAll(async () => {
    const name = `workflow-${randomUUID()}`;
    await pool.query(`CREATE DATABASE "${name}"`);
    const url = new URL(database.url);
    url.pathname = name;
    DBOS.setConfig({ name: "durable-agent", systemDatabaseUrl: url.href, logLevel: "error" });
    await DBOS.launch();
  });
  afterAll(() => DBOS.shutdown());

  it("continues after the store and the model's server fail for a moment", async () => {
    const failures = new Map([
      ["append", [new Error("Connection terminated unexpectedly"), new Error("the database system is starting up")]],
      ["ask", [Object.assign(new Error("503 Service Unavailable"), { status: 503 })]],
    ]);
    const fail = (what: string) => {
      const error = failures.get(what)?.shift();
      if (error) throw error;
    };
    const kept = memoryStore();
    const store: ConversationStore = {
      read: kept.read,
      append: async (records, count) => {
        fail("append");
        await kept.append(records, count);
      },
    };
    const model: TextModel = async function* (request) {
      fail("ask");
      yield* hello(request);
    };
    expect(await outcomeOf({ model, store })).toEqual({ text: "Hello.", stopReason: "answer" });
    expect([...failures.values()].flat()).toEqual([]);
    expect((await store.read()).filter(({ type }) => type === "user")).toHaveLength(1);
  });

  it("fails at once if the next attempt would fail too", async () => {
    let asked = 0;
    const model: TextModel = () => {
      asked += 1;
      throw Object.assign(new Error("401 Unauthorized"), { status: 401 });
    };
    await expect(outcomeOf({ model, store: memoryStore() })).rejects.toThrow("401 Unauthorized");
    expect(asked).toBe(1);
  });

  it("reports that its outcome is not an answer", async () => {
    const tool: ConversationTool = { name: "look", parameters: { type: "object" }, execute: () => "Nothing." };
    const model: TextModel = async function* () {
      yield getProtocol("hermes").renderCalls([{ name: "look", arguments: {} }], { tools: [tool] });
    };
    const stopped = { steps: 1, onExhausted: "stop" as const };
    const given = { model, tools: [tool], store: memoryStore(), protocol: "hermes" as const, budget: stopped };
    expect(await outcomeOf(given)).toEqual({ text: "", stopReason: "budget" });
  });

  it("reports an inapplicable decision to the person, and waits for another", async () => {
    const tool: ConversationTool = {
      name: "pay",
      needsApproval: true,
      parameters: { type: "object", properties: { amount: { type: "integer" } } },
      execute: ({ amount }) => `Paid ${String(amount)}.`,
    };
    const model: TextModel = async function* ({ messages }) {
      const isFirst = !messages.some(({ role }) => role === "assistant");
      const calls = [{ name: "pay", arguments: { amount: 5 } }];
      yield isFirst ? getProtocol("hermes").renderCalls(calls, { tools: [tool] }) : "Done.";
    };
    const store = memoryStore();
    const { handle, id } = await start({ model, tools: [tool], store, protocol: "hermes" });
    let number = 0;
    const ask = async () => {
      number += 1;
      for (;;) {
        const question = await DBOS.getEvent<Question>(id, "question", { timeoutSeconds: 5 });
        if (question?.number === number) return question;
        await sleep(10);
      }
    };
    const { calls, refused } = await ask();
    expect(refused).toEqual([]);
    const { call, argumentsHash } = calls[0]!;
    const right = { callId: call.id, argumentsHash, decision: { type: "approve" } } as const;
    const wrong: [Answer["decisions"][0], string][] = [
      [{ ...right, argumentsHash: "other" }, "stale"],
      [{ ...right, callId: "other" }, "unknown-call"],
      [{ ...right, decision: { type: "edit", arguments: { amount: "much" } } }, "invalid-arguments"],
      [{ ...right, decision: { type: "allow" } as never }, "bad-decision"],
    ];
    for (const [decision, code] of wrong) {
      await DBOS.send(id, { number, decisions: [decision] }, "answer");
      const again = await ask();
      expect(again.refused).toMatchObject([{ callId: decision.callId, code, message: expect.stringMatching(/./) }]);
      expect(again.calls).toMatchObject([{ call: { id: call.id } }]);
    }
    await DBOS.send(id, { number, decisions: [right] }, "answer");
    expect(await handle.getResult()).toEqual({ text: "Done.", stopReason: "answer" });
    expect((await store.read()).filter(({ type }) => type === "decision")).toHaveLength(1);
  });
});

describe("the store in PostgreSQL", () => {
  const record = (at: number): ConversationRecord => ({ at, type: "end", stopReason: "answer", ms: at });
  let stores = 0;
  const newStore = () => postgresStore(pool, `store-${stores++}`);

  it("returns the appended records, from any index on", async () => {
    const store = newStore();
    expect(await store.read()).toEqual([]);
    await store.append([record(0), record(1)], 0);
    await store.append([record(2)], 2);
    expect(await store.read()).toEqual([record(0), record(1), record(2)]);
    expect(await store.read(2)).toEqual([record(2)]);
    expect(await newStore().read()).toEqual([]);
  });

  it("stores the characters of a model's reply exactly", async () => {
    const store = newStore();
    const said: ConversationRecord = { at: 0, type: "user", content: 'NUL \0, half \ud800, "quotes", {a,b}, \\N, 😀' };
    await store.append([said], 0);
    expect(await store.read()).toEqual([said]);
  });

  it("refuses records that do not follow the log, and stores none of them", async () => {
    const store = newStore();
    await store.append([record(0)], 0);
    for (const expected of [0, 2]) {
      const refused = store.append([record(1), record(2)], expected);
      await expect(refused).rejects.toMatchObject({ code: "conflict", expected, found: 1 });
    }
    expect(await store.read()).toEqual([record(0)]);
  });

  it("continues after the server has closed its idle connections", async () => {
    const own = openPool(database.url);
    const store = postgresStore(own, `store-${stores++}`);
    await store.append([record(0)], 0);
    const closed = once(own, "error");
    await pool.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()");
    await closed;
    expect(await store.read()).toEqual([record(0)]);
    await own.end();
  });

  it("accepts one of many concurrent appends", async () => {
    const store = newStore();
    const all = await Promise.allSettled([1, 2, 3, 4, 5].map((n) => store.append([record(n), record(n)], 0)));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const one of all) if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "conflict" });
    expect(await store.read()).toHaveLength(2);
  });
});

describe("a step that runs again", () => {
  it("does not apply the same approval to a call that was interrupted again", async () => {
    let runs = 0;
    const tool: ConversationTool = {
      name: "pay",
      needsApproval: true,
      parameters: { type: "object" },
      async execute() {
        runs += 1;
        await new Promise(() => {});
      },
    };
    const model: TextModel = async function* ({ messages }) {
      const isFirst = !messages.some(({ role }) => role === "assistant");
      yield isFirst ? getProtocol("hermes").renderCalls([{ name: "pay", arguments: {} }], { tools: [tool] }) : "Done.";
    };
    const store = memoryStore();
    const options = { model, tools: [tool], store, protocol: "hermes" as const };
    const { waiting } = await goOn(options, "Pay.", null);
    const answer: Decided = {
      asked: waiting!.asked,
      decisions: waiting!.calls.map(({ call, argumentsHash }) => ({
        callId: call.id,
        argumentsHash,
        decision: { type: "approve" },
      })),
    };
    // The process ends while the call runs: this promise never settles.
    void goOn(options, "Pay.", answer);
    while (runs === 0) await sleep(1);
    const again = await goOn(options, "Pay.", answer);
    expect(again.waiting?.calls).toMatchObject([{ why: "unknown-outcome" }]);
    expect(again.waiting!.asked).toBeGreaterThan(answer.asked);
    expect(runs).toBe(1);
  });

  it("returns the same answer if the conversation had ended", async () => {
    const model: TextModel = async function* () {
      yield "Hello.";
    };
    const options = { model, store: memoryStore() };
    const first = await goOn(options, "Hi.", null);
    const { length } = await options.store.read();
    expect(await goOn(options, "Hi.", null)).toEqual(first);
    expect(await options.store.read()).toHaveLength(length);
  });
});
