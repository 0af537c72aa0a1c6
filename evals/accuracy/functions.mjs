// node-llama-cpp's own function calling.
import { getLlama, LlamaChat, resolveChatWrapper } from "node-llama-cpp";

/** A model of which the functions can be asked; it is loaded for the first question. */
export function loadFunctions(modelPath, { threads = 1 }) {
  let loading;
  async function load() {
    const llama = await getLlama({ gpu: false, build: "never", skipDownload: true, maxThreads: threads });
    const model = await llama.loadModel({ modelPath });
    const context = await model.createContext({ contextSize: 4096, threads });
    const sequence = context.getSequence();
    return {
      llama,
      sequence,
      chat: new LlamaChat({ contextSequence: sequence, chatWrapper: resolveChatWrapper(model) }),
    };
  }
  return {
    /** `turns`: a history as node-llama-cpp has it. */
    async ask(turns, tools, { maxTokens, temperature, seed }) {
      loading ??= load();
      const { chat, sequence } = await loading;
      const described = tools.map(({ name, description, parameters }) => [name, { description, params: parameters }]);
      const before = sequence.tokenMeter.getState();
      const { response, functionCalls = [] } = await chat.generateResponse(
        [...turns, { type: "model", response: [] }],
        {
          functions: Object.fromEntries(described),
          documentFunctionParams: true,
          ...{ maxTokens, temperature, seed },
        },
      );
      const { usedInputTokens, usedOutputTokens } = sequence.tokenMeter.diff(before);
      const calls = functionCalls.map(({ functionName, params }) => ({ name: functionName, arguments: params ?? {} }));
      return {
        ...{ calls, failed: false, text: response, tokensIn: usedInputTokens, tokensOut: usedOutputTokens },
        reply: `${response}${functionCalls.map(({ raw }) => JSON.stringify(raw)).join("")}`,
      };
    },
    async dispose() {
      await (await loading)?.llama.dispose();
    },
  };
}
