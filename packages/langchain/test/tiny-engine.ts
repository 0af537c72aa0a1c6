import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LlamaCppEngine, writeTinyModel } from "@toolingua/llama-cpp";
import { afterAll, beforeAll } from "vitest";

/** The embedded engine on a model of a few hundred kilobytes with random weights, for the tests of a file. */
export function tinyEngine(kind: "random" | "bigram" = "random"): () => LlamaCppEngine {
  let folder: string;
  let engine: LlamaCppEngine;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "toolingua-langchain-"));
    const modelPath = join(folder, "tiny.gguf");
    await writeTinyModel(modelPath, { kind });
    engine = await LlamaCppEngine.load({ modelPath, threads: 1 });
  });
  afterAll(async () => {
    await engine?.dispose();
    await rm(folder, { recursive: true });
  });
  return () => engine;
}
