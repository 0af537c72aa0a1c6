import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
  LanguageModelV3StreamResult,
  SharedV3Warning,
} from "@ai-sdk/provider";
import { anObject, checkMisspelt } from "@toolingua/core/adapters";
import { jsonSchemaToGbnf } from "@toolingua/core/grammar";
import { EmbeddedEngine } from "../embedded-engine.js";
import { checkEmbeddedOptions, type EmbeddedOptions } from "../embedded-options.js";
import { embeddedRequest } from "../embedded-request.js";
import type { GenerateRequest, Generation, LlamaCppEngine } from "../engine/engine.js";
import { grammarOf } from "../grammar-of.js";
import { toTextPrompt } from "./messages.js";

/** Selects the engine, and sets the sampling of calls that do not. */
export type EmbeddedChatModelFields = EmbeddedOptions;

/**
 * A local model in this process as a language model of the AI SDK, version 3, which `ai` 6 and 7 accept. It generates
 * text only, and warns about tools in a call; `withToolCalling` of @toolingua/ai-sdk adds tool calls. For JSON
 * (`Output.object`), a grammar of the schema constrains the reply. `providerOptions.toolingua.constraint` takes any
 * grammar.
 *
 * @example
 * const model = new EmbeddedChatModel({ model: "smollm2-135m" });
 * const { text } = await generateText({ model, prompt: "Say hello." });
 * await model.dispose();
 */
export class EmbeddedChatModel implements LanguageModelV3 {
  readonly specificationVersion = "v3";
  readonly provider = "toolingua.llama-cpp";
  /** The model's name, or that of its file. */
  readonly modelId: string;
  readonly supportedUrls = {};
  readonly #engine: EmbeddedEngine;
  readonly #fields: EmbeddedChatModelFields;

  /** Errors: `OptionsError` (`bad-option`) for an option that is misspelt or cannot have its value. */
  constructor(fields: EmbeddedChatModelFields = {}) {
    this.#fields = fields;
    checkEmbeddedOptions(fields, "EmbeddedChatModel");
    this.#engine = new EmbeddedEngine(fields);
    this.modelId = this.#engine.name;
  }

  /** Loads the engine now rather than at the first call. Errors are those of `resolveModel` and of loading. */
  async load(): Promise<LlamaCppEngine> {
    return this.#engine.load();
  }

  /** Frees the engine if it was loaded here. Later calls throw `disposed`. */
  async dispose(): Promise<void> {
    await this.#engine.dispose();
  }

  /** Errors: `LlamaCppError`, as `LlamaCppEngine.generate`; the signal's reason. */
  async doGenerate(options: LanguageModelV3CallOptions): Promise<LanguageModelV3GenerateResult> {
    const request = this.#request(options);
    const engine = await this.#engine.load(options.abortSignal);
    const generation = await engine.generate(request);
    return {
      content: generation.text === "" ? [] : [{ type: "text", text: generation.text }],
      ...endOf(generation),
      warnings: warningsOf(options),
      response: { modelId: engine.modelName, timestamp: new Date() },
    };
  }

  /** Errors: those of `doGenerate`. Cancelling the stream stops generation. */
  async doStream(options: LanguageModelV3CallOptions): Promise<LanguageModelV3StreamResult> {
    const request = this.#request(options);
    const engine = await this.#engine.load(options.abortSignal);
    const parts = streamed(engine, request, warningsOf(options));
    const stream = new ReadableStream<LanguageModelV3StreamPart>(
      {
        async pull(controller) {
          const { done, value } = await parts.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        async cancel() {
          await parts.return(undefined);
        },
      },
      { highWaterMark: 0 },
    );
    return { stream };
  }

  #request(options: LanguageModelV3CallOptions): GenerateRequest {
    const {
      temperature,
      topP,
      topK,
      seed,
      stopSequences: stop,
      maxOutputTokens: maxTokens,
      abortSignal: signal,
    } = options;
    const call = { temperature, topP, topK, seed, stop, maxTokens, signal, grammar: grammarFor(options) };
    return embeddedRequest(toTextPrompt(options.prompt), call, this.#fields);
  }
}

async function* streamed(
  engine: LlamaCppEngine,
  request: GenerateRequest,
  warnings: SharedV3Warning[],
): AsyncGenerator<LanguageModelV3StreamPart> {
  yield { type: "stream-start", warnings };
  yield { type: "response-metadata", modelId: engine.modelName, timestamp: new Date() };
  const id = "text";
  let isOpen = false;
  const stream = engine.stream(request);
  for await (const delta of stream) {
    if (!isOpen) yield { type: "text-start", id };
    isOpen = true;
    yield { type: "text-delta", id, delta };
  }
  if (isOpen) yield { type: "text-end", id };
  yield { type: "finish", ...endOf(await stream.result) };
}

const endOf = ({ usage: { inputTokens: total, outputTokens }, finish, timings: { cachedTokens } }: Generation) => ({
  finishReason: { unified: finish, raw: finish },
  usage: {
    inputTokens: { total, noCache: total - cachedTokens, cacheRead: cachedTokens, cacheWrite: undefined },
    outputTokens: { total: outputTokens, text: outputTokens, reasoning: 0 },
  },
});

/** The grammar of a call: that of the given constraint, or of the requested JSON. */
function grammarFor({ providerOptions, responseFormat }: LanguageModelV3CallOptions): string | undefined {
  const { constraint, ...others } = providerOptions?.toolingua ?? {};
  checkMisspelt({ constraint: anObject }, others, "providerOptions.toolingua");
  if (constraint !== undefined && constraint !== null) return grammarOf(constraint);
  if (responseFormat?.type !== "json") return undefined;
  const schema = { ...(responseFormat.schema ?? { type: "object" }) };
  return jsonSchemaToGbnf(schema).grammar;
}

/** Warnings for requested options that the engine does not support. */
function warningsOf(options: LanguageModelV3CallOptions): SharedV3Warning[] {
  const warnings: SharedV3Warning[] = [];
  if (options.tools?.length) {
    const details = "Wrap the model with withToolCalling of @toolingua/ai-sdk.";
    warnings.push({ type: "unsupported", feature: "tools", details });
  }
  for (const feature of ["presencePenalty", "frequencyPenalty"] as const) {
    if (options[feature]) warnings.push({ type: "unsupported", feature });
  }
  return warnings;
}
