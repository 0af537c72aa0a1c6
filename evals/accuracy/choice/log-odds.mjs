// Log-probabilities of texts that could follow a prompt, read from the model without generating anything.
import { LlamaCppEngine, resolveModel } from "@toolingua/llama-cpp";
import { getLlama } from "node-llama-cpp";

const CONTEXT = 4096;

/**
 * Loads an embedded model, for one thread: `{ read(messages, between), dispose() }`.
 *
 * `read` returns `{ call, answer, margin }`: the log-probabilities of beginning a call and of beginning something else, each
 * summed over the given texts; without texts for an answer it is everything but the call. `margin`: the logit of the call's first
 * token less the largest of any other, so greedy sampling begins a call where it is positive; for an answer with texts it is the
 * difference of both log-probabilities, as a grammar allows nothing else. `undefined` for a prompt that is too long.
 */
export async function loadReader(name, { threads = 1 } = {}) {
  const { path: modelPath, chatTemplate } = await resolveModel(name);
  const engine = await LlamaCppEngine.load({ modelPath, chatTemplate, contextSize: 64, threads });
  const llama = await getLlama({ gpu: false, build: "never", skipDownload: true, maxThreads: threads });
  const model = await llama.loadModel({ modelPath });
  // Without the full cache, models with sliding windows could not go back to an earlier position.
  const context = await model.createContext({ contextSize: CONTEXT, threads, swaFullCache: true });
  const sequence = context.getSequence();

  function tokenize(messages) {
    const tokens = model.tokenize(engine.renderPrompt(messages), true);
    const { bos, shouldPrependBosToken } = model.tokens;
    return shouldPrependBosToken && bos !== null && tokens[0] !== bos ? [bos, ...tokens] : tokens;
  }

  /** Keeps what the sequence has in common with the prompt, at most all but its last token. */
  async function rewindTo(prompt) {
    const known = sequence.contextTokens;
    let same = 0;
    while (same < prompt.length - 1 && known[same] === prompt[same]) same++;
    if (same < sequence.nextTokenIndex)
      await sequence.eraseContextTokenRanges([{ start: same, end: sequence.nextTokenIndex }]);
    return prompt.slice(same);
  }

  /** Log-probability of a continuation, and the first token's distance to the best other one. */
  async function follow(prompt, continuation) {
    const rest = await rewindTo(prompt);
    const all = [...rest, ...continuation];
    const first = rest.length - 1;
    const asked = all.slice(0, -1).map((token, i) => {
      if (i < first) return token;
      const logits = { filter: { tokens: [all[i + 1]], includeTop: 2 } };
      return [token, { generateNext: { logits, totalLogitWeight: true } }];
    });
    const read = (await sequence.controlledEvaluate(asked)).slice(first).map(({ next }, i) => {
      const own = continuation[i];
      const [top] = next.logits.values();
      const logit = next.logits.get(own);
      const other = [...next.logits].find(([token]) => token !== own)[1];
      return { log: logit - top - Math.log(next.totalLogitWeight), margin: logit - other };
    });
    return { log: read.reduce((sum, { log }) => sum + log, 0), margin: read[0].margin };
  }

  return {
    async read(messages, { call, answer }) {
      const prompt = tokenize(messages);
      if (prompt.length > CONTEXT - 32) return undefined;
      const followAll = async (texts) => {
        const read = [];
        for (const text of texts) read.push(await follow(prompt, model.tokenize(text, false, "trimLeadingSpace")));
        return { log: logSum(read.map(({ log }) => log)), margin: read[0].margin };
      };
      const begun = await followAll(call);
      if (!answer) return { call: begun.log, answer: logOther(begun.log), margin: begun.margin };
      const other = await followAll(answer);
      return { call: begun.log, answer: other.log, margin: begun.log - other.log };
    },
    async dispose() {
      await llama.dispose();
      await engine.dispose();
    },
  };
}

const logSum = (logs) => {
  const most = Math.max(...logs);
  return most + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - most), 0));
};

/** The logarithm of 1 − exp(log). */
const logOther = (log) => Math.log(-Math.expm1(Math.min(log, -1e-12)));
