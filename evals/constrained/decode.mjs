// The cost of a grammar per token: the same prompt, free and constrained in turn.
import { getProtocol, renderPrompt } from "@toolingua/core";
import { toolCallGrammar } from "@toolingua/core/grammar";
import { loadModel } from "./models.mjs";

const TOKENS = 96;
/** A free reply may end early; this length is enough to measure the cost of a token. */
const LEAST_TOKENS = 32;

// The text is longer than the reply may be, so that no reply under the grammar ends by itself.
const tools = [
  {
    name: "write_note",
    description: "Saves a note.",
    parameters: {
      type: "object",
      properties: { title: { type: "string" }, text: { type: "string", minLength: 500 } },
      required: ["title", "text"],
    },
  },
];

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const round = (value) => Math.round(value * 1000) / 1000;

/** Milliseconds per token, free and constrained, and their ratio, each the median over a number of pairs of replies. */
export async function decodeCost(model, pairs, protocol) {
  const engine = await loadModel(model);
  const messages = [{ role: "user", content: "Write a long note about a walk by the sea, with everything you saw." }];
  const prompt = renderPrompt({ messages, tools, protocol, toolChoice: "required", prefill: false });
  const { grammar } = toolCallGrammar({
    tools,
    protocol: getProtocol(protocol),
    toolChoice: "required",
    parallel: false,
  });
  const decode = async (seed, constrained) => {
    const sampling = { seed, temperature: 1, maxTokens: TOKENS };
    const { usage, timings } = await engine.generate({
      ...prompt,
      ...sampling,
      stop: [],
      ...(constrained && { grammar }),
    });
    return usage.outputTokens >= LEAST_TOKENS ? timings.decodeMs / usage.outputTokens : undefined;
  };
  const measured = [];
  await decode(0, true);
  for (let seed = 1; measured.length < pairs && seed <= 4 * pairs; seed++) {
    // Who comes first changes, so that neither always finds the machine warmer.
    const first = await decode(seed, seed % 2 === 0);
    const second = await decode(seed, seed % 2 === 1);
    if (first === undefined || second === undefined) continue;
    measured.push(seed % 2 === 0 ? { constrained: first, free: second } : { constrained: second, free: first });
  }
  await engine.dispose();
  const of = (pick) => round(median(measured.map(pick)));
  return {
    pairs: measured.length,
    tokens: TOKENS,
    freeMsPerToken: of(({ free }) => free),
    constrainedMsPerToken: of(({ constrained }) => constrained),
    ratio: of(({ constrained, free }) => constrained / free),
  };
}
