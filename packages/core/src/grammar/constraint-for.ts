import type { JsonObject } from "../schema/json.js";
import { type ToolCallGrammarOptions, toolCallGrammar } from "./calls/tool-call-grammar.js";
import { toEbnf } from "./dialects/ebnf.js";
import { toLark } from "./dialects/lark.js";
import { structuralTag } from "./dialects/structural-tag.js";
import { backendRules, checkOptions, constraintRules, NEEDED } from "./options.js";
import { replySchema } from "./reply-schema.js";

/** Servers that can constrain a reply. */
export type ConstraintBackend = "llama.cpp" | "ollama" | "openai" | "vllm" | "sglang";

export interface ConstraintOptions extends ToolCallGrammarOptions {
  /**
   * `llguidance`: the server's grammar engine is llguidance (llama.cpp built with it, `--grammar-backend llguidance` in
   * SGLang, `guidance` in vLLM). Default: the server's own engine (GBNF in llama.cpp, xgrammar in the others).
   */
  engine?: "llguidance" | undefined;
}

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
  const whole = () => wholeReply(calls, engine);
  const tag = () => (calls.lazy && toolChoice === "auto" && engine === undefined ? structuralTag(calls) : undefined);
  const schema = () => replySchema({ tools, protocol, toolChoice, maxCalls });
  switch (backend) {
    case "llama.cpp":
      return engine === undefined ? forLlamaCpp(calls) : { grammar: whole() };
    case "vllm": {
      const lazy = tag();
      return { structured_outputs: lazy ? { structural_tag: JSON.stringify(lazy) } : { grammar: whole() } };
    }
    case "sglang": {
      const lazy = tag();
      return lazy ? { response_format: lazy } : { ebnf: whole() };
    }
    case "ollama":
      return { format: schema() };
    case "openai": {
      const json_schema = { name: "reply", schema: schema(), strict: false };
      return { response_format: { type: "json_schema", json_schema } };
    }
  }
}

/** The server cannot start a grammar late, so a lazy one becomes that of the whole reply. */
function forLlamaCpp(calls: ToolCallGrammarOptions): JsonObject {
  const { grammar, triggers } = toolCallGrammar(calls);
  return { grammar: triggers ? toolCallGrammar({ ...calls, lazy: false }).grammar : grammar };
}

function wholeReply(calls: ToolCallGrammarOptions, engine: ConstraintOptions["engine"]): string {
  const { grammar } = toolCallGrammar({ ...calls, lazy: false });
  return engine === undefined ? toEbnf(grammar) : toLark(grammar);
}
