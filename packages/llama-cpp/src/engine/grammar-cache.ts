import { clip, RecentMap } from "@toolingua/core/adapters";
import type { LlamaGrammar } from "node-llama-cpp";
import { LlamaCppError } from "../errors.js";
import type { Native } from "./native.js";

const LIMIT = 64;

/** Parsed grammars by their text, the most recently used ones: parsing again costs more than keeping them. */
export class GrammarCache {
  readonly #native: Native;
  readonly #grammars = new RecentMap<string, LlamaGrammar>(LIMIT);

  constructor(native: Native) {
    this.#native = native;
  }

  /** Throws `grammar-refused`, with the parser's reason if it gives one. */
  async get(text: string): Promise<LlamaGrammar> {
    const known = this.#grammars.get(text);
    if (known) return known;
    const grammar = await this.#parse(text);
    this.#grammars.set(text, grammar);
    return grammar;
  }

  async #parse(text: string): Promise<LlamaGrammar> {
    const outcome = await this.#native.complaints(() => this.#native.llama.createGrammar({ grammar: text }));
    if ("value" in outcome) return outcome.value;
    const reasons = outcome.complaints.filter((line) => line !== "failed to parse grammar");
    // llama.cpp passes semantic errors to its logger, but prints syntax errors.
    const reason = reasons.join("; ") || "a syntax error, which llama.cpp printed on standard error";
    throw new LlamaCppError("grammar-refused", `llama.cpp refused the grammar: ${reason}.\n${clip(text, 400)}`, {
      cause: outcome.error,
    });
  }
}
