import type { JsonObject } from "../schema/json.js";
import type { Constraint } from "../types.js";
import { toEbnf } from "./dialects/ebnf.js";

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
 * @example constraintFields("vllm", { type: "gbnf", grammar: 'root ::= "yes" | "no"' }); // { structured_outputs: { grammar: … } }
 */
export function constraintFields(
  backend: "llama.cpp" | "vllm" | "sglang",
  { grammar: given, triggers, whole }: Pick<Constraint, "grammar" | "triggers" | "whole">,
): JsonObject | undefined {
  const grammar = triggers ? whole : given;
  if (grammar === undefined) return undefined;
  if (backend === "vllm") return { structured_outputs: { grammar: toEbnf(grammar) } };
  if (backend === "sglang") return { ebnf: toEbnf(grammar) };
  return { grammar };
}
