import { LOOKAHEAD } from "./input.js";
import type { Lookahead } from "./lookahead.js";

/** A pattern at the beginning of a text. */
export interface GrowingPattern {
  whole: RegExp;
  /** Matches text that is a part of it and may still become the whole. */
  part: RegExp;
}

/**
 * A pattern for text that may be incomplete. Each alternative is a list of pieces: words, and character classes, each with an
 * optional quantifier.
 *
 * @example
 * const { whole, part } = growingPattern([["\\{", "\\s*", "name"]]);
 * whole.test("{ name: 1"); // true
 * part.test("{ na"); // true
 */
export function growingPattern(ways: readonly (readonly string[])[], flags = "u"): GrowingPattern {
  let whole: RegExp | undefined;
  let part: RegExp | undefined;
  // Parsing the classes of an expression takes time, and a reply tries few of these.
  return {
    get whole() {
      whole ??= new RegExp(`^(?:${ways.map((way) => way.join("")).join("|")})`, flags);
      return whole;
    },
    get part() {
      part ??= new RegExp(`^(?:${ways.map(beginningOf).join("|")})$`, flags);
      return part;
    },
  };
}

/** Letters, backticks or slashes that are a word. */
const WORD = /^[a-z`/]{2,}$/;

/** The expression of the beginning of an alternative: each piece and, within it, what follows. */
const beginningOf = (way: readonly string[]): string =>
  way
    .flatMap((piece) => (WORD.test(piece) ? [...piece] : piece))
    .reduceRight((rest, piece) => `(?:${piece}${rest})?`, "");

/** The match of a pattern at an index, within `length` characters. `end`: what is after the end of the reply. */
export function matchAt(
  look: Lookahead,
  at: number,
  { whole, part }: GrowingPattern,
  length = LOOKAHEAD,
  end = "",
): RegExpExecArray | undefined {
  const text = look.text.slice(at, at + length) + (look.isWhole ? end : "");
  const found = whole.exec(text) ?? undefined;
  if (!found && text.length < length && part.test(text)) look.atEnd();
  return found;
}
