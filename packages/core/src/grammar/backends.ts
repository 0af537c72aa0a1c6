/** Servers that can constrain a reply. */
export const backends = ["llama.cpp", "ollama", "openai", "vllm", "sglang"] as const;

/** One of them. */
export type ConstraintBackend = (typeof backends)[number];

/** Those of them that take a grammar, each in a field and a dialect of its own. The others take a JSON Schema. */
export type GrammarBackend = "llama.cpp" | "vllm" | "sglang";

/** Whether a server takes a grammar, or a model that reads grammars itself (`gbnf`). The others take a JSON Schema. */
export const takesGrammar = <T extends string>(backend: T): backend is T & ("gbnf" | GrammarBackend) =>
  ["gbnf", "llama.cpp", "vllm", "sglang"].includes(backend);
