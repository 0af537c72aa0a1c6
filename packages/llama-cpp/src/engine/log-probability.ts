import type { LlamaContextSequence, Token } from "node-llama-cpp";

/**
 * The natural logarithm of the probability that these tokens follow, at temperature 1. `last`: a list of the prompt's last token; the
 * sequence has read those before it.
 */
export async function logProbability(
  sequence: LlamaContextSequence,
  last: readonly Token[],
  follows: readonly Token[],
): Promise<number> {
  const read = [...last, ...follows.slice(0, -1)];
  const results = await sequence.controlledEvaluate(
    follows.map((next, i) => {
      // `includeMax` returns no more than the tokens asked for (node-llama-cpp 3.22.1).
      const logits = { filter: { tokens: [next], includeTop: 1 } };
      return [read[i] ?? next, { generateNext: { logits, totalLogitWeight: true } }];
    }),
  );
  return follows.reduce((sum, token, i) => {
    const { logits, totalLogitWeight } = results[i]?.next ?? {};
    const logit = logits?.get(token);
    if (logits === undefined || logit === undefined || totalLogitWeight === undefined)
      throw new Error("node-llama-cpp returned no logits.");
    // The total is that of the distances to the largest logit.
    return sum + logit - Math.max(...logits.values()) - Math.log(totalLogitWeight);
  }, 0);
}
