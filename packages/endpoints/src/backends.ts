import type { ConstraintBackend } from "@toolingua/core/grammar";

/** How a kind of server differs from what all of them have in common. */
export interface BackendTraits {
  /** How many stop sequences it takes. More are cut here. */
  stops: number;
  /** What makes it go on from a message of the assistant that stands last. Undefined: nothing does. */
  continues?: Readonly<Record<string, unknown>>;
  /** Whether it reads a grammar, and not only a JSON Schema. */
  grammar?: "llama.cpp" | "vllm" | "sglang";
  /** More fields of each request. */
  fields?: Readonly<Record<string, unknown>>;
  /** More of `stream_options`. */
  streamOptions?: Readonly<Record<string, unknown>>;
}

const continueFinalMessage = { continue_final_message: true, add_generation_prompt: false };

// vLLM and SGLang drop special tokens from the text, also those that a wire format is written with.
const keepSpecialTokens = { skip_special_tokens: false };

const traits: Record<ConstraintBackend, BackendTraits> = {
  // `timings_per_token`: what a reply cost so far, with each piece; for replies that are not read to their end.
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

/** What a server is known for; of an unknown one, what OpenAI's own takes. */
export const traitsOf = (backend: ConstraintBackend | undefined): BackendTraits => traits[backend ?? "openai"];
