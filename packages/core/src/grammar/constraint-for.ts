import { checkOptions } from "../options/check-options.js";
import type { JsonObject } from "../schema/json.js";
import type { ConstraintBackend } from "./backends.js";
import { constraintOf } from "./calls/constraint-of.js";
import { toolCallGrammar } from "./calls/tool-call-grammar.js";
import { grammarFields } from "./constraint-fields.js";
import { structuralTag } from "./dialects/structural-tag.js";
import type { ConstraintOptions } from "./grammar-options.js";
import { backendRules, constraintRules, NEEDED } from "./options.js";
import { replySchema } from "./reply-schema.js";

/**
 * The request fields that constrain a server's replies to calls of these tools:
 *
 * - `llama.cpp`: `grammar`,
 * - `vllm`: `structured_outputs` with a `grammar`, or a `structural_tag` where it is lazy (since vLLM 0.12),
 * - `sglang`: `ebnf`, or a structural tag as `response_format` where it is lazy,
 * - `ollama` and `openai`: a JSON Schema as `format` and as `response_format`, for formats in which the whole reply is
 *   JSON. vLLM, SGLang and llama.cpp's server accept `response_format` as well. These servers compile the schema
 *   themselves, so that options of the grammar (`maxItems`, `onUnenforced` …) have no effect.
 *
 * Where a server cannot start a grammar late (llama.cpp's chat requests overwrite `grammar_lazy`; a call begins with no
 * fixed word; `engine` is `llguidance`), `lazy` returns a grammar of the whole reply: text and calls. If calls have no
 * marker at all, `lazy` is an error (`unsupported`).
 *
 * Errors: those of `toolCallGrammar` and {@link replySchema}; `OptionsError` (`bad-option`), also for an unknown backend.
 *
 * @example
 * const fields = constraintFor("llama.cpp", { tools, protocol: "hermes", toolChoice: "auto", lazy: true });
 * // { grammar: "root ::= …" }
 * constraintFor("vllm", { tools, protocol: "hermes", toolChoice: "required" });
 * // { structured_outputs: { grammar: "root ::= …" } }
 */
export function constraintFor(backend: ConstraintBackend, options: ConstraintOptions): JsonObject {
  checkOptions(backendRules, { backend }, "the arguments of constraintFor", ["backend"]);
  checkOptions(constraintRules, options, "the options of constraintFor", NEEDED);
  const { engine, ...calls } = options;
  const { tools, protocol, toolChoice, maxCalls } = calls;
  const schema = () => replySchema({ tools, protocol, toolChoice, maxCalls });
  if (backend === "ollama") return { format: schema() };
  if (backend === "openai") {
    const json_schema = { name: "reply", schema: schema(), strict: false };
    return { response_format: { type: "json_schema", json_schema } };
  }
  if (engine !== undefined) return grammarFields(backend, toolCallGrammar({ ...calls, lazy: false }).grammar, engine);
  const tag = backend !== "llama.cpp" && calls.lazy && toolChoice === "auto" ? structuralTag(calls) : undefined;
  if (tag && backend === "vllm") return { structured_outputs: { structural_tag: JSON.stringify(tag) } };
  if (tag) return { response_format: tag };
  const { grammar, whole = grammar } = constraintOf(calls);
  return grammarFields(backend, whole);
}
