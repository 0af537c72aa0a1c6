import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createContext } from "../../llama-cpp/src/engine/model-file.js";
import type { Native } from "../../llama-cpp/src/engine/native.js";
import { LlamaCppEngine } from "../../llama-cpp/src/index.js";
import { writeTinyModel } from "../../llama-cpp/src/tiny-model/index.js";
import { shownMessage } from "../src/terminal/errors.js";

// The errors of the packages name options that the command line has as flags. Those of formats are in render.test.ts, and those
// of MCP servers and OpenAPI documents in tool-sources.test.ts.

const shown = (work: Promise<unknown>): Promise<string> => work.then(() => "no error", shownMessage);

test("a prompt above the context names --context", async () => {
  const folder = await mkdtemp(join(tmpdir(), "toolingua-flags-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const modelPath = join(folder, "tiny.gguf");
  await writeTinyModel(modelPath, { kind: "random" });
  const engine = await LlamaCppEngine.load({ modelPath, contextSize: 256, threads: 1 });
  onTestFinished(() => engine.dispose());
  expect(await shown(engine.generate({ prompt: "x ".repeat(300) }))).toMatch(
    /Shorten the prompt, or give a larger --context\.$/,
  );
});

test("a context without room in memory names --context", async () => {
  const native = {
    threads: { demand: () => {}, release: () => {} },
    complaints: async () => ({ error: new Error("full"), complaints: [] }),
  } as unknown as Native;
  expect(await shown(createContext(native, Object.create(null), 1, {}))).toBe(
    "There is no room for the context: full. Try a smaller --context.",
  );
});
