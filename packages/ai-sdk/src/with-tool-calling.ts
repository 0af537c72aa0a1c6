import { checkOptions } from "./check-options.js";
import type { ToolCallingOptions } from "./options.js";
import type { AnyLanguageModel, CallOptions, LanguageModel, ToolCallingMiddleware, WrappedModel } from "./sdk.js";
import { ToolCalling } from "./tool-calling.js";

/**
 * Gives a language model tool calling: what comes back works wherever the AI SDK takes a model that calls tools.
 *
 * `model`: of `ai` 6 or 7; what comes back is of the same version. Errors: `ModelError` (`not-a-model`, `no-constraint`),
 * `OptionsError` (`bad-option`), `ProtocolError` (`unknown-protocol`).
 *
 * @example
 * const model = withToolCalling(ollama("gemma3:12b"), { protocol: "hermes" });
 * const { text } = await generateText({ model, tools, stopWhen: stepCountIs(5), prompt: "How is the weather in Oslo?" });
 */
export function withToolCalling<M extends AnyLanguageModel>(
  model: M,
  options: ToolCallingOptions = {},
): WrappedModel<M> {
  const inner = asVersion3(model);
  const calling = new ToolCalling(inner, options);
  const wrapped: AnyLanguageModel = {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    get supportedUrls() {
      return model.supportedUrls;
    },
    doGenerate: (call: Parameters<LanguageModel["doGenerate"]>[0]) => calling.generate(call),
    doStream: (call: Parameters<LanguageModel["doStream"]>[0]) => calling.stream(call),
  };
  return wrapped as WrappedModel<M>;
}

/**
 * The same as middleware of `wrapLanguageModel`. Put it last in the list, next to the model, so that other middleware sees
 * calls and not the text that they are made of.
 *
 * Errors: at once `OptionsError` and `ProtocolError`; `ModelError` with the first call.
 *
 * @example
 * const model = wrapLanguageModel({ model: ollama("gemma3:12b"), middleware: toolCallingMiddleware({ protocol: "hermes" }) });
 */
export function toolCallingMiddleware(options: ToolCallingOptions = {}): ToolCallingMiddleware {
  checkOptions(options);
  // One for each model: it remembers conversations.
  const known = new WeakMap<AnyLanguageModel, ToolCalling>();
  const callingOf = (model: AnyLanguageModel) => {
    const calling = known.get(model) ?? new ToolCalling(asVersion3(model), options);
    known.set(model, calling);
    return calling;
  };
  return {
    specificationVersion: "v3",
    wrapGenerate: async <R>({ model, params }: { model: AnyLanguageModel; params: object }) =>
      (await callingOf(model).generate(params as CallOptions)) as R,
    wrapStream: async <R>({ model, params }: { model: AnyLanguageModel; params: object }) =>
      (await callingOf(model).stream(params as CallOptions)) as R,
  };
}

// The casts of this file are the edge of the package: version 4 differs from 3 in the data of files, which are passed on.
const asVersion3 = (model: AnyLanguageModel) => model as LanguageModel;
