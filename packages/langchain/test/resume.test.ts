import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Database, openDatabase } from "../../../examples/durable-agent/src/database.js";

// A real PostgreSQL, and the built package in processes of their own.

const run = promisify(execFile);
const script = fileURLToPath(new URL("resume-process.mjs", import.meta.url));
let database: Database;

beforeAll(async () => {
  database = await openDatabase();
}, 120_000);
afterAll(() => database?.stop());

it("a run that waits for a person is resumed by another process, from PostgreSQL", async () => {
  const phase = async (name: string) => JSON.parse((await run(process.execPath, [script, name, database.url])).stdout);
  expect(await phase("start")).toMatchObject({
    interrupted: [{ approve: 40 }],
    messages: [
      ["human", "Move 40."],
      ["ai", ""],
    ],
  });
  expect(await phase("resume")).toEqual({
    interrupted: [],
    messages: [
      ["human", "Move 40."],
      ["ai", ""],
      ["tool", "moved 40"],
      ["ai", "Done: moved 40."],
    ],
  });
}, 120_000);
