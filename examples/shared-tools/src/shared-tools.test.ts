import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LlamaCppEngine, resolveModel, writeTinyModel } from "@toolingua/llama-cpp";
import { EmbeddedChatModel } from "@toolingua/llama-cpp/langchain";
import { EmbeddedLLM } from "@toolingua/llama-cpp/llamaindex";
import { afterAll, describe, expect, test } from "vitest";
import { askLangChain } from "./langchain-agent.js";
import { askLlamaIndex } from "./llamaindex-agent.js";
import { Shop } from "./shop.js";

const folder = mkdtempSync(join(tmpdir(), "toolingua-shared-tools-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Only where it is in the cache: tests need no network. */
const gemma = await resolveModel("gemma3-270m", { sources: [] }).catch(() => undefined);

async function askBoth(options: Parameters<typeof LlamaCppEngine.load>[0], question: string) {
  const engine = await LlamaCppEngine.load({ contextSize: 4096, threads: 1, ...options });
  const sampling = { engine, temperature: 0, maxTokens: 100 };
  const shop = new Shop();
  try {
    const answers = [
      await askLangChain(new EmbeddedChatModel(sampling), shop, question),
      await askLlamaIndex(new EmbeddedLLM(sampling), shop, question),
    ];
    return { answers, used: shop.used };
  } finally {
    await engine.dispose();
  }
}

describe("one class of tools in two frameworks", () => {
  test("runs in both agents, with a model that knows nothing and calls nothing", async () => {
    const modelPath = join(folder, "toy.gguf");
    await writeTinyModel(modelPath, { contextSize: 4096, kind: "random" });
    const { answers, used } = await askBoth({ modelPath }, "Where is my order 1042?");
    expect(answers).toEqual([expect.any(String), expect.any(String)]);
    expect(used).toEqual([]);
  }, 120_000);

  test.runIf(gemma)(
    "is called by both agents on Gemma 3 270M, which was never trained to call tools",
    async () => {
      const { path, chatTemplate } = gemma!;
      const { answers, used } = await askBoth({ modelPath: path, chatTemplate }, "Where is my order 1042?");
      expect(used).toEqual(["order_status 1042", "order_status 1042"]);
      expect(answers).toEqual(Array(2).fill("Order 1042 was shipped on 3 March."));
    },
    180_000,
  );
});
