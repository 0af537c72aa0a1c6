import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { findRedis, startRedis } from "./redis-server.mjs";

// Each process here loads every peer first, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 400_000 });

const { path: redis, missing } = findRedis();
const folder = mkdtempSync(join(tmpdir(), "accuracy-queue-"));
const script = fileURLToPath(new URL("./run.mjs", import.meta.url));
const endpoints = join(folder, "endpoints.json");
const QUESTIONS = 12;

/** The model: it answers at once, or lets wait until the test says so, or is out of order. */
let server: Server;
let mood: "ready" | "slow" | "broken" = "ready";
const waiting: ServerResponse[] = [];
const answer = (response: ServerResponse) => {
  const data = [{ choices: [{ index: 0, delta: { content: "Done." }, finish_reason: "stop" }] }];
  response.setHeader("content-type", "text/event-stream");
  response.end(`${data.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("")}data: [DONE]\n\n`);
};

const processes: ChildProcess[] = [];
/** Runs the benchmark in a process of its own: the process, what it has said so far, and how it ends. */
function start(...options: string[]) {
  const process_ = spawn(process.execPath, [script, "--endpoints", endpoints, ...options], {
    env: { ...process.env, TOOLINGUA_RUNS: folder },
  });
  processes.push(process_);
  const said = { text: "" };
  for (const stream of [process_.stdout, process_.stderr]) {
    stream.on("data", (text) => {
      said.text += text;
    });
  }
  const ended = new Promise<number | null>((resolve) => process_.once("exit", resolve));
  return { process: process_, said, ended };
}
type Started = ReturnType<typeof start>;

async function until(isSo: () => boolean) {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 50));
}
const records = (name: string) =>
  readFileSync(join(folder, `${name}.jsonl`), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().once("end", () => {
      if (mood === "slow") waiting.push(response);
      else if (mood === "ready") answer(response);
      else response.writeHead(400).end('{"error": {"message": "out of order"}}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  writeFileSync(endpoints, JSON.stringify([{ name: "served", baseURL, model: "m" }]));
});
afterAll(() => {
  for (const one of processes) one.kill("SIGKILL");
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

it("an address where there is no Redis is said to be none", async () => {
  const { said, ended } = start("--queue", "redis://127.0.0.1:1");
  expect(await ended).toBe(1);
  expect(said.text).toContain("--queue: no Redis answers there");
});

describe.skipIf(missing)(`a queue${missing ? ` (left out: ${missing})` : ""}`, () => {
  let url: string;
  let stop: () => Promise<unknown>;
  const asks = ["--category", "multi_turn", "--cell", "hermes/native/off/no-retry/0", "--limit"];
  beforeAll(async () => {
    ({ url, stop } = await startRedis(redis));
  });
  afterAll(() => stop());

  it("has every question answered once, though a worker and the producer die in the middle", async () => {
    const queue = ["--queue", url, "--out", "shared"];
    mood = "slow";
    const [doomed, survivor] = [1, 2].map(() => start(...queue, "--worker", "--lease", "2")) as [Started, Started];
    const first = start(...queue, ...asks, String(QUESTIONS), "--lease", "2");
    // Each worker has a question in its hands; one of them is killed, and the producer.
    await until(() => waiting.length === 2);
    for (const { process } of [doomed, first]) process.kill("SIGKILL");
    await Promise.all([doomed.ended, first.ended]);
    mood = "ready";
    for (const response of waiting.splice(0)) answer(response);

    const second = start(...queue, ...asks, String(QUESTIONS));
    expect(await second.ended).toBe(0);
    const ids = records("shared").map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([QUESTIONS, QUESTIONS]);
    expect(records("shared")[0]).toMatchObject({ model: "served", category: "multi_turn", turns: expect.any(Number) });
    expect(second.said.text).toContain(`/${QUESTIONS}`);

    // Asked to stop, a worker does.
    survivor.process.kill("SIGTERM");
    expect(await survivor.ended).toBe(0);
  });

  it("has one producer: a second one is refused, and the first is not disturbed", async () => {
    const queue = ["--queue", url, "--out", "guarded"];
    mood = "slow";
    start(...queue, "--worker");
    const first = start(...queue, ...asks, "2");
    await until(() => waiting.length === 1);
    // It waits for its own lease; that of the first does not end meanwhile, however busy the machine is.
    const second = start(...queue, ...asks, "2", "--lease", "1");
    expect(await second.ended).toBe(1);
    expect(second.said.text).toMatch(/--queue: process \d+ on .* asks served for the run "guarded"\. Wait for it/);
    mood = "ready";
    for (const response of waiting.splice(0)) answer(response);
    expect(await first.ended).toBe(0);
    expect(records("guarded")).toHaveLength(2);
    // What it held is free again.
    expect(await start(...queue, ...asks, "2").ended).toBe(0);
  });

  it("tries a question that fails again, says at last why, and asks it anew in the next run", async () => {
    const queue = ["--queue", url, "--out", "failing"];
    mood = "broken";
    start(...queue, "--worker");
    const first = start(...queue, ...asks, "1", "--retry", "0.1");
    expect(await first.ended).toBe(1);
    expect(first.said.text).toContain("served: 1 of 1 questions failed, at last with: http:");
    mood = "ready";
    expect(await start(...queue, ...asks, "1").ended).toBe(0);
    expect(records("failing")).toHaveLength(1);
  });
});
