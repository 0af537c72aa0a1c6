/**
 * Servers that can constrain a reply.
 *
 * @example backends.includes("vllm"); // true
 */
export const backends = ["llama.cpp", "ollama", "openai", "vllm", "sglang"] as const;

/** One of them. */
export type ConstraintBackend = (typeof backends)[number];

/** Those of them that take a JSON Schema only. */
const schemaBackends = ["ollama", "openai"] as const satisfies readonly ConstraintBackend[];

type SchemaBackend = (typeof schemaBackends)[number];

/** The others: they take a grammar, each in a field and a dialect of its own. */
export type GrammarBackend = Exclude<ConstraintBackend, SchemaBackend>;

/**
 * Whether a constraint is sent as a grammar: to a model that reads grammars itself (`gbnf`, the default), or to a server that
 * takes them. The others get a JSON Schema.
 *
 * @example takesGrammar("ollama"); // false
 */
export const takesGrammar = <T extends string | undefined>(target: T): target is Exclude<T, SchemaBackend> =>
  !(schemaBackends as readonly unknown[]).includes(target);
