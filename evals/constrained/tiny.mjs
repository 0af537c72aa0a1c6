// A random model, constrained by the grammar of every protocol: its output must still be calls.
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { protocols } from "@toolingua/core";
import { GrammarError, toolCallGrammar } from "@toolingua/core/grammar";
import { LlamaCppEngine, writeTinyModel } from "@toolingua/llama-cpp";
import { check } from "./check.mjs";
import { toolSets } from "./tool-sets.mjs";

/** Free replies have no end of their own. */
const MAX_FREE_TOKENS = 150;

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

/** The grammar for a seed; undefined if the format cannot write these tools' arguments. */
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

/**
 * What is asked for a seed, constrained by the grammar or free; undefined where the format cannot write the tools of this
 * seed. The key tells the grammar too: a reply under another one is another reply.
 */
export function tinyJob(name, seed, constrained) {
  const made = grammarOf(protocols[name], seed);
  if (!made) return undefined;
  const under = constrained ? createHash("sha256").update(made.grammar).digest("base64url").slice(0, 12) : "free";
  return { key: `${name} ${seed} ${under}`, name, seed, constrained, made };
}

/** The model's reply, not judged yet. */
export async function tinyReply(engine, { name, seed, constrained, made }) {
  const { text, finish, usage, timings } = await engine.generate({
    prompt: "<|im_start|>assistant\n",
    seed,
    temperature: 1,
    topK: 0,
    topP: 1,
    maxTokens: constrained ? 3000 : MAX_FREE_TOKENS,
    ...(constrained && { grammar: made.grammar }),
  });
  return { name, seed, constrained, finish, tokens: usage.outputTokens, ms: Math.round(timings.decodeMs), text };
}

/** The calls of a reply, by the parser as it is now; `wrong` says why it is not one or more valid calls. */
export const judge = ({ name, seed, finish, text }) =>
  check(text, { tools: toolSets[seed % toolSets.length], protocol: name, finish });
