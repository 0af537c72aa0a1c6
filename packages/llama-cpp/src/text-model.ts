import type { TextModel, Usage } from "@toolingua/core";
import { checkOptions, checkOptionValues } from "@toolingua/core/adapters";
import type { GenerateOptions, LlamaCppEngine } from "./engine/engine.js";
import { anEngine, samplingRules } from "./engine/generate-options.js";
import { grammarOf } from "./grammar-of.js";

/** Values for calls of the TextModel whose request has none. */
export type TextModelDefaults = Pick<
  GenerateOptions,
  "temperature" | "topP" | "topK" | "minP" | "seed" | "maxTokens" | "stop"
>;

/**
 * Adapts the engine to Toolingua's model interface. A constraint becomes the grammar of the whole reply. Stop sequences
 * of the request replace the default ones. Errors of a call are those of `LlamaCppEngine.generate`. Leaving the loop early
 * stops generation; the usage so far precedes each piece.
 *
 * Errors, at once: `OptionsError` (`bad-option`).
 *
 * @example
 * const model = toTextModel(await LlamaCppEngine.load({ modelPath }), { maxTokens: 256 });
 * for await (const chunk of model({ messages: [{ role: "user", content: "Hello" }] })) console.log(chunk);
 */
export function toTextModel(engine: LlamaCppEngine, defaults: TextModelDefaults = {}): TextModel {
  checkOptionValues({ engine: anEngine }, { engine });
  checkOptions(samplingRules, defaults, "the defaults of toTextModel");
  return async function* ({ messages, stop, constraint, prefill, signal, maxTokens, temperature, seed }) {
    let spent: Usage | undefined;
    const stream = engine.stream({
      ...defaults,
      messages,
      prefill,
      signal,
      grammar: grammarOf(constraint),
      ...(stop !== undefined && { stop }),
      ...(maxTokens !== undefined && { maxTokens }),
      ...(temperature !== undefined && { temperature }),
      ...(seed !== undefined && { seed }),
      onText: (_text, usage) => {
        spent = usage;
      },
    });
    for await (const text of stream) {
      if (spent) yield { usage: spent };
      yield text;
    }
    const { usage, finish, timings } = await stream.result;
    yield { usage: { ...usage, cacheReadTokens: timings.cachedTokens }, finish };
  };
}
