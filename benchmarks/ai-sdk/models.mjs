// Models that answer at once: natively with a call, or with text in which a model without tool calling would write it.
const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 20, text: 20, reasoning: 0 },
};

/** A model whose whole answer is `content`, and whose stream has `parts`. */
function model(content, parts, finish) {
  const finishReason = { unified: finish, raw: finish };
  return {
    specificationVersion: "v3",
    provider: "benchmark.chat",
    modelId: "benchmark",
    supportedUrls: {},
    doGenerate: async () => ({ content, finishReason, usage, warnings: [] }),
    doStream: async () => {
      const source = (function* () {
        yield { type: "stream-start", warnings: [] };
        yield* parts();
        yield { type: "finish", finishReason, usage };
      })();
      const pull = (controller) => {
        const { done, value } = source.next();
        if (done) controller.close();
        else controller.enqueue(value);
      };
      return { stream: new ReadableStream({ pull }, { highWaterMark: 0 }) };
    },
  };
}

/** How many characters a token has, about. */
const TOKEN = 4;
const tokens = (text) =>
  Array.from({ length: Math.ceil(text.length / TOKEN) }, (_, i) => text.substr(i * TOKEN, TOKEN));

/** Calls a tool by itself. */
export function nativeModel(toolName, args) {
  const input = JSON.stringify(args);
  const id = "call-1";
  const call = { type: "tool-call", toolCallId: id, toolName, input };
  return model(
    [call],
    function* () {
      yield { type: "tool-input-start", id, toolName };
      for (const delta of tokens(input)) yield { type: "tool-input-delta", id, delta };
      yield { type: "tool-input-end", id };
      yield call;
    },
    "tool-calls",
  );
}

/** Only writes text. */
export const textModel = (text) =>
  model(
    [{ type: "text", text }],
    function* () {
      yield { type: "text-start", id: "0" };
      for (const delta of tokens(text)) yield { type: "text-delta", id: "0", delta };
      yield { type: "text-end", id: "0" };
    },
    "stop",
  );
