import MiniSearch from "minisearch";
import { oncePer } from "../../common/once-per.js";
import { schemaWords } from "../../schema/schema-words.js";
import { bareSpelling, separated } from "../../schema/spelling.js";
import type { ToolDefinition } from "../../types.js";

/** A word counts half if this share of the tools have it, and less the more have it: "the", "of", "get". */
const COMMON = 0.1;

/** Longer words are left out, in UTF-16 code units: no tool is found by them, and a search takes time by their length. */
const MAX_WORD_LENGTH = 40;
/** In a phrase of more words, each must be written as a tool has it; in a shorter one, its beginning or nearly it will do. */
const MAX_NEAR = 24;
/** The number of words of a phrase that are searched for: those that the fewest tools have. */
const MAX_WORDS = 200;

/** Scripts that put no space between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u;
/** Made at its first use: making it takes longer than importing any other module of this package. */
let segmenter: Intl.Segmenter | undefined;

function segments(run: string): string[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
  return Array.from(segmenter.segment(run), (one) => one.segment);
}

/** A run of letters: words, or text of at most 1,000 characters without spaces, as a segmenter's time grows with the square. */
const RUNS = /\p{L}[\p{L}\p{M}]{0,999}|\p{N}+/gu;

function words(text: string): string[] {
  const runs = text.normalize("NFKC").toLowerCase().match(RUNS) ?? [];
  const all = runs.flatMap((run) => (UNSPACED.test(run) ? segments(run) : run));
  return all.filter((word) => word.length <= MAX_WORD_LENGTH);
}

/**
 * An index of tools by name and by words of their definitions; in scripts without spaces, by the words that
 * `Intl.Segmenter` finds. Created once for each list of tools.
 */
export class ToolIndex {
  readonly #search: MiniSearch;
  readonly #bySpelling = new Map<string, string[]>();
  readonly #names: ReadonlySet<string>;
  /** How many tools have a word. */
  readonly #having = new Map<string, number>();

  static readonly of = oncePer((tools: readonly ToolDefinition[]) => new ToolIndex(tools));

  private constructor(tools: readonly ToolDefinition[]) {
    this.#names = new Set(tools.map(({ name }) => name));
    this.#search = new MiniSearch({
      idField: "name",
      fields: ["words", "description", "parameters"],
      tokenize: words,
      searchOptions: { boost: { words: 3, description: 2 } },
    });
    for (const { name, description = "", parameters } of tools) {
      const document = { name, words: separated(name), description, parameters: schemaWords(parameters) };
      this.#search.add(document);
      for (const word of new Set(words(`${document.words} ${description} ${document.parameters}`)))
        this.#having.set(word, (this.#having.get(word) ?? 0) + 1);
      this.#bySpelling.set(bareSpelling(name), [...(this.#bySpelling.get(bareSpelling(name)) ?? []), name]);
    }
  }

  /** The tools that a text names, in any case and spelling, in the order of the text. */
  named(text: string): string[] {
    const words = text.match(/[\p{L}\p{N}_./:-]+/gu) ?? [];
    const named = (word: string) => (this.#names.has(word) ? [word] : (this.#bySpelling.get(bareSpelling(word)) ?? []));
    return [...new Set(words.flatMap(named))];
  }

  /** The tools whose name, description or parameters match a phrase, the best first. */
  find(phrase: string, limit: number): string[] {
    const having = (word: string) => this.#having.get(word) ?? 0;
    const boostTerm = (word: string) => 1 / (1 + having(word) / this.#names.size / COMMON);
    const asked = [...new Set(words(phrase))];
    const isShort = asked.length <= MAX_NEAR;
    const known = isShort ? asked : asked.filter((word) => having(word) > 0).sort((a, b) => having(a) - having(b));
    const near = isShort && { prefix: (term: string) => term.length > 3, fuzzy: 0.15 };
    const found = this.#search.search(known.slice(0, MAX_WORDS).join(" "), { boostTerm, ...near });
    const least = (found[0]?.score ?? 0) / 4;
    return found
      .filter(({ score }) => score >= least)
      .slice(0, limit)
      .map(({ id }) => String(id));
  }
}
