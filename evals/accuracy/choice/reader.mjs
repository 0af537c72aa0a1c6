// Log-probabilities of a text that could follow a prompt, read from an embedded model without generating anything.
import { LlamaCppEngine, resolveModel } from "@toolingua/llama-cpp";
import { getLlama } from "node-llama-cpp";

const CONTEXT = 4096;
/** Room for what follows a prompt, in tokens. */
const ROOM = 32;

/**
 * Loads an embedded model for one thread: `{ read(messages, text), dispose() }`.
 *
 * `read` returns `{ logs, margin }`: the natural logarithm of the probability of each token of `text`, after the prompt and the
 * tokens before it; and the logit of the first token less the largest of any other, so that greedy sampling begins with it
 * where `margin` is positive. `undefined` for a prompt that is too long.
 */
export async function loadReader(name) {
  const { path: modelPath, chatTemplate } = await resolveModel(name);
  const engine = await LlamaCppEngine.load({ modelPath, chatTemplate, contextSize: 64, threads: 1 });
  const llama = await getLlama({ gpu: false, build: "never", skipDownload: true, maxThreads: 1 });
  const model = await llama.loadModel({ modelPath });
  // Without the full cache, a model with sliding windows could not go back to an earlier position.
  const context = await model.createContext({ contextSize: CONTEXT, threads: 1, swaFullCache: true });
  const sequence = context.getSequence();

  function tokensOf(messages) {
    const tokens = model.tokenize(engine.renderPrompt(messages), true);
    const { bos, shouldPrependBosToken } = model.tokens;
    return shouldPrependBosToken && bos !== null && tokens[0] !== bos ? [bos, ...tokens] : tokens;
  }

  /** Keeps what the sequence has in common with the prompt, and returns the rest of it: at least the last token. */
  async function rewind(prompt) {
    const known = sequence.contextTokens;
    let same = 0;
    while (same < prompt.length - 1 && known[same] === prompt[same]) same++;
    if (same < sequence.nextTokenIndex)
      await sequence.eraseContextTokenRanges([{ start: same, end: sequence.nextTokenIndex }]);
    return prompt.slice(same);
  }

  return {
    async read(messages, text) {
      const prompt = tokensOf(messages);
      if (prompt.length > CONTEXT - ROOM) return undefined;
      const rest = await rewind(prompt);
      const follows = model.tokenize(text, false, "trimLeadingSpace");
      const input = [...rest, ...follows];
      const first = rest.length - 1;
      const results = await sequence.controlledEvaluate(
        input.slice(0, -1).map((token, i) => {
          if (i < first) return token;
          const logits = { filter: { tokens: [input[i + 1]], includeTop: 2 } };
          return [token, { generateNext: { logits, totalLogitWeight: true } }];
        }),
      );
      const nexts = results.slice(first).map(({ next }) => next);
      // Logits are in descending order; the total is that of the distances to the first.
      const logOf = ({ logits, totalLogitWeight }, token) =>
        logits.get(token) - logits.values().next().value - Math.log(totalLogitWeight);
      const [{ logits }] = nexts;
      const other = [...logits].find(([token]) => token !== follows[0])[1];
      return { logs: nexts.map((next, i) => logOf(next, follows[i])), margin: logits.get(follows[0]) - other };
    },
    async dispose() {
      await llama.dispose();
      await engine.dispose();
    },
  };
}
