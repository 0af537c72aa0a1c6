import { oncePer } from "@toolingua/core/adapters";
import { checkToolCallingOptions } from "./check-tool-calling-options.js";
import type { ToolCallingOptions } from "./options.js";
import type { AnyLanguageModel, CallOptions, LanguageModel, ToolCallingMiddleware, WrappedModel } from "./sdk.js";
import { ToolCalling } from "./tool-calling.js";

/**
 * Adds tool calling to a language model. The result works wherever the AI SDK expects a model with tool calling.
 *
 * `model`: of `ai` 6 or 7; the result has the same version. Errors: `ModelError` (`not-a-model`, `no-constraint`),
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
 * Tool calling as middleware for `wrapLanguageModel`. Put it last in the list, next to the model, so that other
 * middleware sees calls and not their text.
 *
 * Errors: `OptionsError` and `ProtocolError` at once; `ModelError` at the first request.
 *
 * @example
 * const model = wrapLanguageModel({ model: ollama("gemma3:12b"), middleware: toolCallingMiddleware({ protocol: "hermes" }) });
 */
export function toolCallingMiddleware(options: ToolCallingOptions = {}): ToolCallingMiddleware {
  checkToolCallingOptions(options);
  // One per model, because it remembers conversations.
  const callingOf = oncePer((model: AnyLanguageModel) => new ToolCalling(asVersion3(model), options));
  return {
    specificationVersion: "v3",
    wrapGenerate: <R>({ model, params }: { model: AnyLanguageModel; params: object }) =>
      callingOf(model).generate(params as CallOptions) as Promise<R>,
    wrapStream: <R>({ model, params }: { model: AnyLanguageModel; params: object }) =>
      callingOf(model).stream(params as CallOptions) as Promise<R>,
  };
}

// The casts of this file are the edge of the package: version 4 differs from 3 in the data of files, which are passed
// on.
const asVersion3 = (model: AnyLanguageModel) => model as LanguageModel;
