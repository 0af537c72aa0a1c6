import { jsonSigns, markupSigns, type StringSigns } from "./text/string-signs.js";

/** How JSON is written in a grammar. */
export interface JsonStyle {
  /** `markup`: inside markup, where `<`, `&` and `'` are spelt `\u00XX`. */
  escape?: "markup" | undefined;
  /** The most characters of a string that the schema gives no smaller bound; without it strings have no end. */
  maxStringLength?: number | undefined;
  /**
   * The most items of an array that the schema gives no bound, or one too large to be held to; not of listed values that come once.
   * Without it arrays have no end, and small models may not find one.
   */
  maxItems?: number | undefined;
  /** How deep a value may nest where the schema says nothing of it; without it nesting has no end. */
  maxDepth?: number | undefined;
  /**
   * Where space may stand. `none`: nowhere; `spaced`: one after `,` and `:`; `pretty`: there and at the beginning and end
   * of objects and arrays one space, or a new line with its indentation; `any`: wherever JSON allows it.
   */
  whitespace?: Whitespace | undefined;
  /** Objects that do not say what other keys they may have hold only the declared ones. */
  closed?: boolean | undefined;
  /** The most keys of an object that may come in any order; those of larger ones come in the order of the schema. */
  maxUnordered?: number | undefined;
}

/** For more keys the rules for any order become too many. */
export const MAX_UNORDERED = 4;

export type Whitespace = "none" | "spaced" | "pretty" | "any";

/** What a format writes in its own way around the same values. */
export interface Spelling {
  strings: StringSigns;
  /** The words for `true`, `false` and `null`. */
  words: readonly [yes: string, no: string, nothing: string];
  whitespace: Whitespace;
  /** Keys stand without marks, as names. */
  bareKeys: boolean;
}

/** JSON on one line, as calls are rendered. */
export const jsonSpelling: Spelling = {
  strings: jsonSigns,
  words: ["true", "false", "null"],
  whitespace: "spaced",
  bareKeys: false,
};

const markupSpelling: Spelling = { ...jsonSpelling, strings: markupSigns };

/** The spelling of calls in JSON; `markup`: inside markup. */
export const spellingOf = (style: Pick<JsonStyle, "escape">): Spelling =>
  style.escape === "markup" ? markupSpelling : jsonSpelling;
