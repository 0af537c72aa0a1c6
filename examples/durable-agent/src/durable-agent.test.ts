import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { getProtocol, type TextModel } from "@toolingua/core";
import { type ConversationRecord, type ConversationTool, memoryStore } from "@toolingua/core/conversation";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "./database.js";
import { postgresStore, RECORDS } from "./postgres-store.js";
import type { Report } from "./scenario.js";
import { type Answer, goOn } from "./workflow.js";

// A real PostgreSQL. The workers are processes of the built example.

const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));
let database: Database;
let pool: pg.Pool;

beforeAll(async () => {
  database = await openDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  await pool.query(RECORDS);
});
afterAll(async () => {
  await pool?.end();
  await database?.stop();
});

it("a worker is killed in the middle of its parallel calls: nothing is lost, and nothing takes effect twice", async () => {
  const env = { ...process.env, DATABASE_URL: database.url };
  const args = [main, "--json", "--workers", "3", "--trips", "6"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, timeout: 150_000 });
  const { killed, trips } = JSON.parse(stdout.split("\n").find((line) => line.startsWith("{")) ?? "") as Report;
  expect(trips).toHaveLength(6);
  expect(killed.trips).toHaveLength(2);
  for (const trip of trips) {
    expect(trip).toMatchObject({ answer: "Your trip to Oslo is booked.", bookings: 1, charges: 1, mails: 1 });
    const wasInterrupted = killed.trips.includes(trip.id);
    expect(trip.workers.includes(killed.worker)).toBe(wasInterrupted);
    expect(trip.workers).toHaveLength(wasInterrupted ? 2 : 1);
    // What had its result never began again; what says `rerun` did; the rest began again where a person said so.
    expect(trip.attempts.look_up_weather).toBe(1);
    expect(trip.attempts.book_flight).toBe(wasInterrupted ? 2 : 1);
    const approved = trip.decisions.filter((decision) => decision === "charge_card: approve").length;
    expect(trip.attempts.charge_card).toBe(1 + approved);
    expect(trip.attempts.send_mail).toBe(1);
    expect(trip.decisions).toHaveLength(wasInterrupted ? 1 : 0);
  }
  // The log of each holds each call's result once.
  const { rows } = await pool.query(`
    SELECT conversation, record->>'callId' AS call, count(*)::integer AS results FROM conversation_records
    WHERE record->>'type' = 'call-settled' OR record->'decision'->>'type' = 'respond' GROUP BY 1, 2`);
  expect(rows).toHaveLength(6 * 4);
  expect(rows.every(({ results }) => results === 1)).toBe(true);
});

describe("the store in PostgreSQL", () => {
  const record = (at: number): ConversationRecord => ({ at, type: "end", stopReason: "answer", ms: at });
  let stores = 0;
  const newStore = () => postgresStore(pool, `store-${stores++}`);

  it("gives back what was appended, from any index on", async () => {
    const store = newStore();
    expect(await store.read()).toEqual([]);
    await store.append([record(0), record(1)], 0);
    await store.append([record(2)], 2);
    expect(await store.read()).toEqual([record(0), record(1), record(2)]);
    expect(await store.read(2)).toEqual([record(2)]);
    expect(await newStore().read()).toEqual([]);
  });

  it("keeps what a model may write, to the character", async () => {
    const store = newStore();
    const said: ConversationRecord = { at: 0, type: "user", content: 'NUL \0, half \ud800, "quotes", {a,b}, \\N, 😀' };
    await store.append([said], 0);
    expect(await store.read()).toEqual([said]);
  });

  it("refuses what does not follow, and keeps nothing of it", async () => {
    const store = newStore();
    await store.append([record(0)], 0);
    for (const expected of [0, 2]) {
      const refused = store.append([record(1), record(2)], expected);
      await expect(refused).rejects.toMatchObject({ code: "conflict", expected, found: 1 });
    }
    expect(await store.read()).toEqual([record(0)]);
  });

  it("takes one of many who append at once", async () => {
    const store = newStore();
    const all = await Promise.allSettled([1, 2, 3, 4, 5].map((n) => store.append([record(n), record(n)], 0)));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const one of all) if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "conflict" });
    expect(await store.read()).toHaveLength(2);
  });
});

describe("a step that is run again", () => {
  it("does not apply the same approval to a call that was interrupted once more", async () => {
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
    const { question } = await goOn(options, "Pay.", null);
    const answer: Answer = {
      asked: question!.asked,
      decisions: question!.calls.map(({ call, argumentsHash }) => ({
        callId: call.id,
        argumentsHash,
        decision: { type: "approve" },
      })),
    };
    // The process ends while the call runs: this promise is never heard of again.
    void goOn(options, "Pay.", answer);
    while (runs === 0) await sleep(1);
    const again = await goOn(options, "Pay.", answer);
    expect(again.question?.calls).toMatchObject([{ why: "unknown-outcome" }]);
    expect(again.question!.asked).toBeGreaterThan(answer.asked);
    expect(runs).toBe(1);
  });

  it("gives the same answer where the conversation had come to its end", async () => {
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
