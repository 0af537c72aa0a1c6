import MiniSearch from "minisearch";
import { bareSpelling } from "../../schema/spelling.js";
import type { ToolDefinition } from "../../types.js";

/** An index of tools by name and by words of their descriptions. Created once for each list of tools. */
export class ToolIndex {
  static readonly #made = new WeakMap<readonly ToolDefinition[], ToolIndex>();
  readonly #search: MiniSearch;
  readonly #bySpelling = new Map<string, string>();

  static of(tools: readonly ToolDefinition[]): ToolIndex {
    const index = ToolIndex.#made.get(tools) ?? new ToolIndex(tools);
    ToolIndex.#made.set(tools, index);
    return index;
  }

  private constructor(tools: readonly ToolDefinition[]) {
    this.#search = new MiniSearch({
      idField: "name",
      fields: ["words", "description", "parameters"],
      tokenize: (text) => text.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? [],
      searchOptions: { boost: { words: 3, description: 2 }, prefix: (term) => term.length > 3, fuzzy: 0.15 },
    });
    for (const { name, description = "", parameters } of tools) {
      const properties = typeof parameters === "object" ? Object.keys((parameters.properties ?? {}) as object) : [];
      this.#search.add({ name, words: separated(name), description, parameters: properties.map(separated).join(" ") });
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
    const found = this.#search.search(phrase);
    const least = (found[0]?.score ?? 0) / 4;
    return found
      .filter(({ score }) => score >= least)
      .slice(0, limit)
      .map(({ id }) => String(id));
  }
}

/** Splits `getUserId` and `get_user_id` into words. */
const separated = (name: string) => name.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").replace(/[^\p{L}\p{N}]+/gu, " ");
