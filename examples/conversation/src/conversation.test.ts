import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { resolveModel, writeTinyModel } from "@toolingua/llama-cpp";
import { afterAll, describe, expect, it } from "vitest";
import { llamaServerMissing, startLlamaServer } from "../../../packages/endpoints/test/support/llama-server.js";

// The built example as a process, in front of llama.cpp's own server.

const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const missing = llamaServerMissing();
/** Only if it is in the cache, since tests use no network. */
const gemma = await resolveModel("gemma3-270m", { sources: [] }).catch(() => undefined);
const folder = mkdtempSync(join(tmpdir(), "toolingua-conversation-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The last line says why the run ended. */
const ENDED = /\n\([a-z-]+\)\n$/;

async function run(...args: string[]): Promise<string> {
  return (await promisify(execFile)(process.execPath, [main, ...args], { timeout: 110_000 })).stdout;
}

describe.skipIf(missing)(`the example with --base-url${missing ? ` (${missing})` : ""}`, () => {
  it("ends with a model that knows nothing, with the reason", async () => {
    const path = join(folder, "tiny.gguf");
    await writeTinyModel(path);
    const server = await startLlamaServer(path);
    try {
      expect(await run("--base-url", server.baseURL, "--model", "any", "Hello")).toMatch(ENDED);
    } finally {
      await server.kill();
    }
  });

  it.skipIf(!gemma)(`takes notes of the message on Gemma 3 270M${gemma ? "" : " (not in the cache)"}`, async () => {
    const { path, chatTemplate } = gemma!;
    const template = typeof chatTemplate === "object" ? chatTemplate.template : chatTemplate;
    const server = await startLlamaServer(path, template);
    try {
      const output = await run("--base-url", server.baseURL, "--model", "any", "Please note: buy bread.");
      expect(output).toContain("add_note → Noted as number 1.\nI have noted it.");
      // A base model does not end its turn, and this server has no stop sequence: it takes notes until it is stopped.
      expect(output).toMatch(ENDED);
    } finally {
      await server.kill();
    }
  });
});

it("a missing server of an endpoint is a clear error", async () => {
  await expect(run("--base-url", "http://127.0.0.1:9/v1", "Hello")).rejects.toMatchObject({
    code: 1,
    stdout: "\n(error)\n",
    stderr: expect.stringMatching(/^Cannot reach http:.*\n$/),
  });
});
