import { checkArgument } from "../check-argument.js";
import type { JsonObject } from "../schema/json.js";
import type { Constraint } from "../types.js";
import type { GrammarBackend } from "./backends.js";
import { toEbnf } from "./dialects/ebnf.js";
import { toLark } from "./dialects/lark.js";

/**
 * The request fields that make a server constrain a reply with this grammar. No server starts a grammar late on request
 * (llama.cpp's overwrites `grammar_lazy` of a chat request), so of a lazy grammar its `whole` is sent, which applies from
 * the first token on. Returns `undefined` for a lazy grammar without `whole`: it would force a call.
 *
 * There is no field for special tokens, such as a `<tool_call>` that is one token: llama.cpp's server leaves them out of the
 * text, and overwrites `preserved_tokens` of a chat request too. Started with `--special`, it keeps them.
 *
 * Errors: those of `toEbnf`.
 *
 * @example
 * constraintFields("vllm", { type: "gbnf", grammar: 'root ::= "yes" | "no"' }); // { structured_outputs: { grammar: … } }
 */
export function constraintFields(
  backend: GrammarBackend,
  constraint: Pick<Constraint, "grammar" | "triggers" | "whole">,
): JsonObject | undefined {
  checkArgument("constraint", "object", constraint);
  const { grammar: given, triggers, whole } = constraint;
  const grammar = triggers ? whole : given;
  return grammar === undefined ? undefined : grammarFields(backend, grammar);
}

/**
 * The request fields of a grammar of the whole reply, in the dialect of the server's grammar engine: its own, or
 * llguidance.
 */
export function grammarFields(backend: GrammarBackend, gbnf: string, engine?: "llguidance"): JsonObject {
  const ownDialect = backend === "llama.cpp" ? (grammar: string) => grammar : toEbnf;
  const grammar = engine === "llguidance" ? toLark(gbnf) : ownDialect(gbnf);
  if (backend === "vllm") return { structured_outputs: { grammar } };
  return backend === "sglang" ? { ebnf: grammar } : { grammar };
}
