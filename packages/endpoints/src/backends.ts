import { checkOptionValues, takesGrammar } from "@toolingua/core/adapters";
import type { ConstraintBackend } from "@toolingua/core/grammar";
import { endpointRules } from "./options.js";

/** How a kind of server differs from the common behaviour. */
export interface BackendTraits {
  /** The most stop sequences that it accepts. The endpoint itself cuts replies at any further ones. */
  stops: number;
  /** Fields that make the server continue a final assistant message. Undefined: it cannot. */
  continues?: Readonly<Record<string, unknown>>;
  /** Additional fields of each request. */
  fields?: Readonly<Record<string, unknown>>;
  /** Additional `stream_options`. */
  streamOptions?: Readonly<Record<string, unknown>>;
}

const continueFinalMessage = { continue_final_message: true, add_generation_prompt: false };

// vLLM and SGLang remove special tokens from the text, including those of a wire format.
const keepSpecialTokens = { skip_special_tokens: false };

const traits: Record<ConstraintBackend, BackendTraits> = {
  // `timings_per_token` adds the usage so far to each piece, for replies that are not read to their end.
  "llama.cpp": {
    stops: Number.POSITIVE_INFINITY,
    continues: continueFinalMessage,
    fields: { timings_per_token: true },
  },
  vllm: {
    stops: Number.POSITIVE_INFINITY,
    continues: continueFinalMessage,
    fields: keepSpecialTokens,
    streamOptions: { continuous_usage_stats: true },
  },
  sglang: {
    stops: Number.POSITIVE_INFINITY,
    continues: continueFinalMessage,
    fields: keepSpecialTokens,
    streamOptions: { continuous_usage_stats: true },
  },
  ollama: { stops: Number.POSITIVE_INFINITY, continues: {} },
  openai: { stops: 4 },
};

/** The traits of a server; for an unknown one, those of OpenAI's own. */
export const traitsOf = (backend: ConstraintBackend | undefined): BackendTraits => traits[backend ?? "openai"];

/**
 * What a server of this kind can do, as options of `generateWithTools`. A model of `chatEndpoint` or `completionEndpoint` has
 * them as its `abilities`, and a turn uses those; this is for a model of your own around an endpoint. A server that takes a
 * grammar gets one (`gbnf`), another one a JSON Schema in OpenAI's field, and one that continues no prefill gets none. A
 * server of an unknown kind, `undefined`, gets no prefill either, and there is no `backend` for it: `constraint` then throws,
 * unless you give one.
 *
 * Errors: `OptionsError` (`bad-option`) for a name that is none of these kinds.
 *
 * @example
 * const backend = "ollama";
 * const endpoint = chatEndpoint({ baseURL: "http://localhost:11434/v1", model: "llama3.1:8b", backend });
 * const model = (request) => endpoint({ ...request, seed: 1 }); // has no abilities
 * generateWithTools({ model, messages, tools, constraint: "auto", ...turnOptionsFor(backend) });
 */
export function turnOptionsFor(backend: ConstraintBackend | undefined): {
  prefill: boolean;
  backend?: "gbnf" | "openai";
} {
  checkOptionValues({ backend: endpointRules.backend }, { backend });
  const prefill = traitsOf(backend).continues !== undefined;
  return backend === undefined ? { prefill } : { prefill, backend: takesGrammar(backend) ? "gbnf" : "openai" };
}
