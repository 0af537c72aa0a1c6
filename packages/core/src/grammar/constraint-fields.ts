import type { JsonObject } from "../schema/json.js";
import type { Constraint } from "../types.js";
import { toEbnf } from "./dialects/ebnf.js";

/** llama.cpp's numbers for the triggers of a lazy grammar: `common_grammar_trigger_type` in its `common/common.h`. */
const triggerTypes = { word: 1, pattern: 2 } as const;

/**
 * The request fields that make a server constrain a reply with this grammar. Returns `undefined` for a lazy grammar
 * (one with triggers) on a server that cannot start a grammar late: there the grammar would force a call.
 *
 * Errors: those of `toEbnf`.
 *
 * @example constraintFields("vllm", { type: "gbnf", grammar: 'root ::= "yes" | "no"' }); // { structured_outputs: { grammar: … } }
 */
export function constraintFields(
  backend: "llama.cpp" | "vllm" | "sglang",
  { grammar, triggers }: Pick<Constraint, "grammar" | "triggers">,
): JsonObject | undefined {
  if (backend !== "llama.cpp") {
    if (triggers) return undefined;
    const ebnf = toEbnf(grammar);
    return backend === "vllm" ? { structured_outputs: { grammar: ebnf } } : { ebnf };
  }
  if (!triggers) return { grammar };
  const grammar_triggers = triggers.map(({ type, value }) => ({ type: triggerTypes[type], value }));
  // The server refuses a word trigger that is a single token of the model, unless the token is preserved.
  const preserved_tokens = triggers.filter(({ type }) => type === "word").map(({ value }) => value);
  return { grammar, grammar_lazy: true, grammar_triggers, preserved_tokens };
}
