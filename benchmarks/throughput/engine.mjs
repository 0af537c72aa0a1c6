// Calls per second of a real engine under a grammar, with a model so small that the engine is most of it.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LlamaCppEngine, toTextModel, writeTinyModel } from "@toolingua/llama-cpp";
import { turn } from "./turns.mjs";

const SEQUENCES = 8;

/** A tool whose calls are short, as those of devices are: the model writes some twenty tokens. */
const tools = [
  {
    name: "set_light",
    description: "Switches a light.",
    parameters: {
      type: "object",
      properties: { room: { enum: ["kitchen", "bedroom", "hall"] }, on: { type: "boolean" } },
      required: ["room", "on"],
      additionalProperties: false,
    },
  },
];

export async function measureEngine(quick) {
  const folder = await mkdtemp(join(tmpdir(), "toolingua-throughput-"));
  const modelPath = join(folder, "tiny.gguf");
  await writeTinyModel(modelPath, { kind: "random" });
  const rows = [];
  for (const sequences of [1, SEQUENCES]) {
    const engine = await LlamaCppEngine.load({ modelPath, threads: 1, sequences });
    const model = toTextModel(engine, { temperature: 1, topK: 0, topP: 1 });
    const calls = quick ? sequences : 30 * sequences;
    let seed = 0;
    const one = () =>
      turn({
        ...{ tools, messages: [{ role: "user", content: "Light, please." }], protocol: "hermes", seed: seed++ },
        ...{ model, toolChoice: "required", parallel: false, constraint: "required" },
      });
    // What the engine does once, such as compiling the grammar, is done before.
    await one();
    const waiting = Array.from({ length: calls }).values();
    const begun = performance.now();
    const work = async () => {
      for (const _ of waiting) await one();
    };
    await Promise.all(Array.from({ length: sequences }, work));
    const seconds = (performance.now() - begun) / 1000;
    await engine.dispose();
    rows.push({
      group: "calls per second, under a grammar: a real engine",
      ...{ what: sequences === 1 ? "one at a time" : `${sequences} at once`, value: Math.round(calls / seconds) },
      ...{
        unit: "calls/s",
        aim: "200 to 500",
        least: 200,
        detail: "llama.cpp, a tiny model of random weights, one thread",
      },
    });
  }
  await rm(folder, { recursive: true });
  return rows;
}
