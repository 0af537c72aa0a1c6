import type { TextModel, Usage } from "@toolingua/core";
import type { GenerateOptions, LlamaCppEngine } from "./engine/engine.js";

/** What a TextModel's calls use where the request does not say. */
export type TextModelDefaults = Pick<
  GenerateOptions,
  "temperature" | "topP" | "topK" | "minP" | "seed" | "maxTokens" | "stop"
>;

/**
 * The engine as the one thing Toolingua needs from a model. A constraint becomes the grammar; stop sequences of the
 * request replace those of the defaults. Errors are those of `LlamaCppEngine.generate`. Leaving the loop early stops
 * generation; what it cost up to there was said before each piece.
 *
 * @example
 * const model = toTextModel(await LlamaCppEngine.load({ modelPath }), { maxTokens: 256 });
 * for await (const chunk of model({ messages: [{ role: "user", content: "Hello" }] })) console.log(chunk);
 */
export function toTextModel(engine: LlamaCppEngine, defaults: TextModelDefaults = {}): TextModel {
  return async function* ({ messages, stop, constraint, prefill, signal, maxTokens, temperature, seed }) {
    let spent: Usage | undefined;
    const stream = engine.stream({
      ...defaults,
      messages,
      prefill,
      signal,
      grammar: constraint?.grammar,
      triggers: constraint?.triggers,
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
    const { usage, finish } = await stream.result;
    yield { usage, finish };
  };
}
