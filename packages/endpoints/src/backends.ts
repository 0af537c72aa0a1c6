import type { ConstraintBackend } from "@toolingua/core/grammar";

/** How a kind of server differs from the common behaviour. */
export interface BackendTraits {
  /** The most stop sequences that it accepts. The endpoint itself cuts replies at any further ones. */
  stops: number;
  /** Fields that make the server continue a final assistant message. Undefined: it cannot. */
  continues?: Readonly<Record<string, unknown>>;
  /** The grammar dialect, if it accepts grammars and not only JSON Schemas. */
  grammar?: "llama.cpp" | "vllm" | "sglang";
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
    grammar: "llama.cpp",
    fields: { timings_per_token: true },
  },
  vllm: {
    stops: Number.POSITIVE_INFINITY,
    continues: continueFinalMessage,
    grammar: "vllm",
    fields: keepSpecialTokens,
    streamOptions: { continuous_usage_stats: true },
  },
  sglang: {
    stops: Number.POSITIVE_INFINITY,
    continues: continueFinalMessage,
    grammar: "sglang",
    fields: keepSpecialTokens,
    streamOptions: { continuous_usage_stats: true },
  },
  ollama: { stops: Number.POSITIVE_INFINITY, continues: {} },
  openai: { stops: 4 },
};

/** The traits of a server; for an unknown one, those of OpenAI's own. */
export const traitsOf = (backend: ConstraintBackend | undefined): BackendTraits => traits[backend ?? "openai"];
