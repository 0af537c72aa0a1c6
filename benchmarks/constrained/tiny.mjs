// A model that knows nothing, held to the grammar of every protocol: what it writes must be calls all the same.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { protocols } from "@toolingua/core";
import { GrammarError, toolCallGrammar } from "@toolingua/core/grammar";
import { LlamaCppEngine, writeTinyModel } from "@toolingua/llama-cpp";
import { check } from "./check.mjs";
import { toolSets } from "./tool-sets.mjs";

/** Free replies have no end of their own. */
const MOST_FREE = 150;

export async function loadTinyModel(sequences = 1) {
  const folder = await mkdtemp(join(tmpdir(), "toolingua-constrained-"));
  const modelPath = join(folder, "tiny.gguf");
  await writeTinyModel(modelPath, { kind: "random" });
  const engine = await LlamaCppEngine.load({ modelPath, threads: 1, sequences });
  return {
    engine,
    async dispose() {
      await engine.dispose();
      await rm(folder, { recursive: true });
    },
  };
}

/** The grammar that a seed is held to; undefined where the format cannot write these tools' arguments. */
function grammarOf(protocol, seed) {
  const options = { tools: toolSets[seed % toolSets.length], protocol, toolChoice: "required" };
  const bounds = { parallel: seed % 3 === 0, maxCalls: 2, maxStringLength: 8, maxDepth: 1 };
  try {
    return toolCallGrammar({ ...options, ...bounds });
  } catch (error) {
    if (error instanceof GrammarError && error.code === "unsupported") return undefined;
    throw error;
  }
}

/** Protocols with a grammar. */
export const constrainedProtocols = Object.keys(protocols).filter((name) => grammarOf(protocols[name], 0));

/** One reply for a seed, held to the grammar or free. `left`: the format cannot write the tools of this seed. */
export async function tinyReply(engine, name, seed, constrained) {
  const tools = toolSets[seed % toolSets.length];
  const made = grammarOf(protocols[name], seed);
  if (!made) return { left: true };
  const { text, finish, usage, timings } = await engine.generate({
    prompt: "<|im_start|>assistant\n",
    seed,
    temperature: 1,
    topK: 0,
    topP: 1,
    maxTokens: constrained ? 3000 : MOST_FREE,
    ...(constrained && { grammar: made.grammar }),
  });
  const { calls, wrong } = check(text, { tools, protocol: name, finish });
  const speed = { tokens: usage.outputTokens, ms: Math.round(timings.decodeMs) };
  return { finish, calls: calls.length, ...speed, ...(wrong && { wrong, text, unenforced: made.unenforced }) };
}
