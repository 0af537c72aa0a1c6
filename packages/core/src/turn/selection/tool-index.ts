import MiniSearch from "minisearch";
import { schemaText } from "../../schema/schema-text.js";
import { bareSpelling, separated } from "../../schema/spelling.js";
import type { ToolDefinition } from "../../types.js";

/** A word counts half if this share of the tools have it, and less the more have it: "the", "of", "get". */
const COMMON = 0.1;

const words = (text: string): string[] => text.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? [];

/** An index of tools by name and by words of their descriptions. Created once for each list of tools. */
export class ToolIndex {
  static readonly #made = new WeakMap<readonly ToolDefinition[], ToolIndex>();
  readonly #search: MiniSearch;
  readonly #bySpelling = new Map<string, string>();
  /** How many tools have a word. */
  readonly #having = new Map<string, number>();

  static of(tools: readonly ToolDefinition[]): ToolIndex {
    const index = ToolIndex.#made.get(tools) ?? new ToolIndex(tools);
    ToolIndex.#made.set(tools, index);
    return index;
  }

  private constructor(tools: readonly ToolDefinition[]) {
    this.#search = new MiniSearch({
      idField: "name",
      fields: ["words", "description", "parameters"],
      tokenize: words,
      searchOptions: { boost: { words: 3, description: 2 }, prefix: (term) => term.length > 3, fuzzy: 0.15 },
    });
    for (const { name, description = "", parameters } of tools) {
      const document = { name, words: separated(name), description, parameters: schemaText(parameters) };
      this.#search.add(document);
      for (const word of new Set(words(`${document.words} ${description} ${document.parameters}`)))
        this.#having.set(word, (this.#having.get(word) ?? 0) + 1);
      this.#bySpelling.set(bareSpelling(name), name);
    }
  }

  /** The tools that a text names, in any case and spelling, in the order of the text. */
  named(text: string): string[] {
    const words = text.match(/[\p{L}\p{N}_./:-]+/gu) ?? [];
    const names = words.map((word) => this.#bySpelling.get(bareSpelling(word))).filter((name) => name !== undefined);
    return [...new Set(names)];
  }

  /** The tools whose name, description or parameters match a phrase, the best first. */
  find(phrase: string, limit: number): string[] {
    const share = (word: string) => (this.#having.get(word) ?? 0) / this.#bySpelling.size;
    const found = this.#search.search(phrase, { boostTerm: (word) => 1 / (1 + share(word) / COMMON) });
    const least = (found[0]?.score ?? 0) / 4;
    return found
      .filter(({ score }) => score >= least)
      .slice(0, limit)
      .map(({ id }) => String(id));
  }
}
