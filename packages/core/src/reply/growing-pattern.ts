/** A pattern at the beginning of a text. */
export interface GrowingPattern {
  whole: RegExp;
  /** All of the text is a part of it, which may still become the whole. */
  part: RegExp;
}

/**
 * A pattern that a text of which more may come has, or may get. Each way to match it is a list of pieces: classes of
 * characters, once or a number of times.
 *
 * @example
 * const { whole, part } = growingPattern([["\\{", "\\s*", "x"]]);
 * whole.test("{ x: 1"); // true
 * part.test("{ "); // true
 */
export function growingPattern(ways: readonly (readonly string[])[], flags = "u"): GrowingPattern {
  const parts = ways.map((way) => way.reduceRight((rest, piece) => `(?:${piece}${rest})?`, ""));
  return {
    whole: new RegExp(`^(?:${ways.map((way) => way.join("")).join("|")})`, flags),
    part: new RegExp(`^(?:${parts.join("|")})$`, flags),
  };
}
