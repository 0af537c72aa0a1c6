import { anyJsonStrings, inMarkup, jsonStrings, type StringNotation } from "./text/string-notation.js";

/** Options for the JSON in a grammar. */
export interface JsonStyle {
  /** `markup`: the JSON is inside markup, where `<`, `&` and `'` are written as `\u00XX`. */
  escape?: "markup" | undefined;
  /** The maximum length, in characters, of a string for which the schema sets no smaller one. Default: no limit. */
  maxStringLength?: number | undefined;
  /**
   * The maximum length of an array for which the schema sets none, or one too large to enforce. Does not apply to
   * listed values that each occur once. Default: no limit, and small models may then never end an array.
   */
  maxItems?: number | undefined;
  /** The maximum nesting depth of values that the schema does not describe. Default: no limit. */
  maxDepth?: number | undefined;
  /**
   * Where whitespace may occur. `none`: nowhere; `spaced`: one space after `,` and `:`; `pretty`: as `spaced`, and at
   * the beginning and end of objects and arrays one space, or a new line with its indentation; `any`: wherever JSON
   * allows it.
   */
  whitespace?: Whitespace | undefined;
  /** Whether objects with no keyword for other keys admit only the declared ones. */
  closed?: boolean | undefined;
  /** The maximum number of keys that may come in any order; objects with more keys follow the order of the schema. */
  maxUnordered?: number | undefined;
}

/** Default of `maxUnordered`. For more keys the rules for any order become too many. */
export const MAX_UNORDERED = 4;

export type Whitespace = "none" | "spaced" | "pretty" | "any";

/** How a format writes JSON values. */
export interface Spelling {
  strings: StringNotation;
  /** The words for `true`, `false` and `null`. */
  words: readonly [yes: string, no: string, nothing: string];
  whitespace: Whitespace;
  /** Keys are written as names, without quotes. */
  bareKeys: boolean;
}

/** JSON on one line, as calls are rendered. */
export const jsonSpelling: Spelling = {
  strings: jsonStrings,
  words: ["true", "false", "null"],
  whitespace: "spaced",
  bareKeys: false,
};

const markupSpelling: Spelling = { ...jsonSpelling, strings: inMarkup(jsonStrings) };

/** The spelling of JSON in calls; `markup`: inside markup. */
export const spellingOf = (style: Pick<JsonStyle, "escape">): Spelling =>
  style.escape === "markup" ? markupSpelling : jsonSpelling;

/** The spelling of JSON texts that are not calls. */
export const anySpellingOf = (style: Pick<JsonStyle, "escape">): Spelling => ({
  ...jsonSpelling,
  strings: style.escape === "markup" ? inMarkup(anyJsonStrings) : anyJsonStrings,
});
