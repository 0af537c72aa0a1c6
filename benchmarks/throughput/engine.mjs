// Calls per second of a real engine under a grammar, with a model so small that the engine is most of it.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { estimate, GROUPS, measured } from "@toolingua/benchmark-timing/spread.mjs";
import { LlamaCppEngine, toTextModel, writeTinyModel } from "@toolingua/llama-cpp";
import { turn } from "./turns.mjs";

const SEQUENCES = 8;
const fastest = (speeds) => Math.max(...speeds);

/** A tool whose calls are short, as those of devices are: the model writes some fifty tokens. */
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
    const llama = toTextModel(engine, { temperature: 1, topK: 0, topP: 1 });
    let pieces = 0;
    // A reply is left once its call is whole, so the engine does not say how many tokens it wrote.
    async function* model(request) {
      for await (const piece of llama(request)) {
        if (typeof piece === "string") pieces += 1;
        yield piece;
      }
    }
    const calls = quick ? sequences : 8 * sequences;
    let seed = 0;
    const one = () =>
      turn({
        ...{ tools, messages: [{ role: "user", content: "Light, please." }], protocol: "hermes", seed: seed++ },
        ...{ model, toolChoice: "required", parallel: false, constraint: "required" },
      });
    // What the engine does once, such as compiling the grammar, is done before.
    await one();
    const speeds = [];
    let written = 0;
    const begun = performance.now();
    pieces = 0;
    for (let round = 0; round < (quick ? 1 : GROUPS); round++) {
      const started = performance.now();
      const waiting = Array.from({ length: calls }).values();
      const work = async () => {
        for (const _ of waiting) await one();
      };
      await Promise.all(Array.from({ length: sequences }, work));
      written += calls;
      speeds.push((calls * 1000) / (performance.now() - started));
    }
    const seconds = (performance.now() - begun) / 1000;
    await engine.dispose();
    rows.push({
      group: "calls per second, under a grammar: a real engine",
      ...{ what: sequences === 1 ? "one at a time" : `${sequences} at once` },
      ...estimate([measured(speeds, fastest)], (speed) => speed),
      ...{
        unit: "calls/s",
        aim: "200 to 500",
        least: 200,
        detail: `${Math.round(pieces / written)} tokens a call, ${Math.round(pieces / seconds)} tokens/s`,
      },
    });
  }
  await rm(folder, { recursive: true });
  return rows;
}
