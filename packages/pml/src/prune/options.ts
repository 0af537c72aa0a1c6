import { OptionsError } from "@toolingua/core";
import { checkOptions, estimateTokens, isObject, type OptionRules, wholeFrom } from "@toolingua/core/adapters";
import type { Keep } from "../tree.js";
import { keepLevels, vocabulary } from "../vocabulary.js";

/** Options of {@link prunePml}. */
export interface PrunePmlOptions {
  /** The most tokens of the document's text, including `reserve`. */
  maxTokens: number;
  /** Counts the tokens of a text. Default: a fourth of its characters. */
  countTokens?: ((text: string) => number) | undefined;
  /** Tokens that are kept free, for the answer and text around the document. Default 0. */
  reserve?: number | undefined;
  /**
   * The importance of nodes, by `#id` or by element name: `{ "#plan": "always", attachment: "low" }`. A rule for an id
   * precedes the node's own `keep`, which precedes a rule for its element.
   */
  keep?: Readonly<Record<string, Keep>> | undefined;
  /** Turns at the end that are never dropped; their attachments and outputs can still be shortened. Default 1. */
  recentTurns?: number | undefined;
  /**
   * The fraction of the limit to prune to. Default 0.7: a document is pruned rarely and by much, so that its beginning
   * stays the same in between, and prefix caches keep matching.
   */
  target?: number | undefined;
  /** About how many tokens a shortened attachment or output keeps. Default 200. */
  shortenTo?: number | undefined;
  /** The indentation of the text that is counted. Default 2, as in `stringifyPml`. */
  indent?: number | undefined;
}

const ELEMENTS = Object.keys(vocabulary).filter(
  (name) => vocabulary[name]?.attributes.keep || ["thinking", "call"].includes(name),
);

const rules: OptionRules<PrunePmlOptions> = {
  maxTokens: wholeFrom(1),
  countTokens: { takes: (value) => typeof value === "function", words: "a function" },
  reserve: wholeFrom(0),
  keep: {
    takes: (value) => isObject(value) && Object.values(value).every((level) => keepLevels.some((one) => one === level)),
    words: `an object such as { "#id": "always", thinking: "low" }, with ${keepLevels.join(", ")}`,
  },
  recentTurns: wholeFrom(0),
  target: {
    takes: (value) => typeof value === "number" && value > 0 && value <= 1,
    words: "a number above 0, at most 1",
  },
  shortenTo: wholeFrom(0),
  indent: wholeFrom(0),
};

/** The options with their defaults. Errors: {@link OptionsError}. */
export function pruneOptionsOf(given: PrunePmlOptions) {
  checkOptions(rules, given, "the options of prunePml");
  const { maxTokens, reserve = 0, keep = {} } = given;
  if (maxTokens === undefined)
    throw new OptionsError("bad-option", "`maxTokens` is missing: the maximum number of tokens.");
  if (reserve >= maxTokens) {
    throw new OptionsError("bad-option", `\`reserve\` must be less than \`maxTokens\` (${maxTokens}), not ${reserve}.`);
  }
  const unknown = Object.keys(keep).find((name) => !name.startsWith("#") && !ELEMENTS.includes(name));
  if (unknown !== undefined) {
    const message = `\`keep\` names "${unknown}", which is neither an #id nor one of ${ELEMENTS.join(", ")}.`;
    throw new OptionsError("bad-option", message);
  }
  const { countTokens = ({ length }: string) => estimateTokens(length), recentTurns = 1, target = 0.7 } = given;
  const { shortenTo = 200, indent = 2 } = given;
  return { limit: maxTokens - reserve, countTokens, keep, recentTurns, target, shortenTo, indent };
}
