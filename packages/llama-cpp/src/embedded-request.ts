import type { Constraint } from "@toolingua/core";
import type { Sampling } from "./embedded-engine.js";
import type { GenerateRequest } from "./engine/engine.js";
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

/** The engine's request for one call; `own`: the options of the model, for those that the call does not set. */
export const embeddedRequest = (
  { messages, prefill }: TextPrompt,
  call: EmbeddedCall,
  own: Pick<EmbeddedCall, keyof Sampling | "stop">,
): GenerateRequest => ({
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
});
