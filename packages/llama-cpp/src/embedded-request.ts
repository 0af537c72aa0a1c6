import type { Constraint } from "@toolingua/core";
import { anObject, aSignal, aString, checkMisspelt, type OptionRules } from "@toolingua/core/adapters";
import type { Sampling } from "./embedded-engine.js";
import { checkRequest, type GenerateRequest, samplingRules } from "./engine/generate-options.js";
import { grammarOf } from "./grammar-of.js";
import type { TextPrompt } from "./text-prompt.js";

/** Options of a single call of a framework's model. */
export interface EmbeddedCall extends Sampling {
  stop?: readonly string[] | undefined;
  signal?: AbortSignal | undefined;
  /** A GBNF grammar that constrains what the model writes. */
  grammar?: string | undefined;
  /** A grammar in the form in which Toolingua passes it. */
  constraint?: Constraint | undefined;
  /** The beginning of the reply, which the reply does not include. An assistant message at the end has the same effect. */
  prefill?: string | undefined;
}

const rules: OptionRules<EmbeddedCall> = {
  ...samplingRules,
  signal: aSignal,
  grammar: aString,
  constraint: anObject,
  prefill: aString,
};

/**
 * The engine's request for one call; `own`: the options of the model, for those that the call does not set. The options of a
 * framework may be next to those of the call, so a name is refused only where it looks like one of these.
 *
 * Errors: `OptionsError` (`bad-option`).
 */
export function embeddedRequest(
  { messages, prefill }: TextPrompt,
  call: EmbeddedCall,
  own: Pick<EmbeddedCall, keyof Sampling | "stop">,
): GenerateRequest {
  checkMisspelt(rules, call, "a call");
  const request: GenerateRequest = {
    messages,
    prefill: prefill + (call.prefill ?? ""),
    grammar: call.grammar ?? grammarOf(call.constraint),
    signal: call.signal,
    stop: call.stop ?? own.stop,
    temperature: call.temperature ?? own.temperature,
    topP: call.topP ?? own.topP,
    topK: call.topK ?? own.topK,
    minP: call.minP ?? own.minP,
    seed: call.seed ?? own.seed,
    maxTokens: call.maxTokens ?? own.maxTokens,
  };
  // Now, not only by the engine: it may have to be downloaded first.
  checkRequest(request);
  return request;
}
