/** A regular expression of ECMAScript with the flag `u`, as a tree. */
export type PatternTree =
  /** One character, by the expression for it: `a`, `.`, `\d`, `[a-z]`, `\p{L}`. */
  | { one: string }
  | { all: PatternTree[] }
  | { any: PatternTree[] }
  /** `max` undefined: no limit. */
  | { repeat: PatternTree; min: number; max: number | undefined }
  | { edge: Edge }
  /** A lookahead or lookbehind. */
  | { look: PatternTree; behind: boolean; not: boolean };

export type Edge = "start" | "end" | "word" | "no word";

/** The reason why an expression cannot be matched in linear time. */
export class Unmatchable extends Error {}

/** The maximum nesting of groups; more could exhaust the stack. */
const MAX_NESTING = 200;

/**
 * Parses an expression that `new RegExp(source, "u")` has accepted. Captures become groups, because nothing reads them.
 *
 * Errors: {@link Unmatchable} for back-references, which no automaton can match.
 *
 * @example readPattern("a|b*"); // { any: [{ one: "a" }, { repeat: { one: "b" }, min: 0, max: undefined }] }
 */
export const readPattern = (source: string): PatternTree => new PatternReader(source).choice();

class PatternReader {
  private at = 0;
  private depth = 0;

  constructor(private readonly source: string) {}

  choice(): PatternTree {
    if (++this.depth > MAX_NESTING) throw new Unmatchable(`nests groups more than ${MAX_NESTING} levels deep`);
    const options = [this.sequence()];
    while (this.take("|")) options.push(this.sequence());
    this.depth--;
    return options.length === 1 ? options[0]! : { any: options };
  }

  private sequence(): PatternTree {
    const parts: PatternTree[] = [];
    while (this.at < this.source.length && !"|)".includes(this.source.charAt(this.at)))
      parts.push(this.repeated(this.part()));
    return parts.length === 1 ? parts[0]! : { all: parts };
  }

  private part(): PatternTree {
    if (this.take("^")) return { edge: "start" };
    if (this.take("$")) return { edge: "end" };
    if (this.take("\\b")) return { edge: "word" };
    if (this.take("\\B")) return { edge: "no word" };
    if (this.take("(")) return this.group();
    if (this.source.charAt(this.at) === "[") return { one: this.found(CLASS) };
    if (this.source.charAt(this.at) !== "\\") return { one: this.found(/[\s\S]/uy) };
    const escaped = this.found(ESCAPE);
    if (/^\\[1-9k]/.test(escaped)) throw new Unmatchable("has a back-reference");
    return { one: escaped };
  }

  private group(): PatternTree {
    const look = this.found(/(?:\?<?[=!])?/y);
    // A group's name or `?:` is skipped.
    if (look === "" && this.found(/(?:\?(?::|<[^>]*>))?/y) === "" && this.source.charAt(this.at) === "?")
      throw new Unmatchable("switches flags within");
    const inner = this.choice();
    this.take(")");
    return look === "" ? inner : { look: inner, behind: look.includes("<"), not: look.endsWith("!") };
  }

  private repeated(part: PatternTree): PatternTree {
    const [quantifier, least, comma, most] = this.exec(/(?:[*+?]|\{(\d+)(,?)(\d*)\})/y) ?? [];
    if (quantifier === undefined) return part;
    // A lazy repetition matches the same strings.
    this.take("?");
    if (least === undefined)
      return { repeat: part, min: quantifier === "+" ? 1 : 0, max: quantifier === "?" ? 1 : undefined };
    const max = comma === "" ? Number(least) : most === "" ? undefined : Number(most);
    return { repeat: part, min: Number(least), max };
  }

  private take(text: string): boolean {
    if (!this.source.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  private found(expression: RegExp): string {
    return this.exec(expression)?.[0] ?? "";
  }

  private exec(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.at;
    const found = expression.exec(this.source);
    if (found) this.at += found[0].length;
    return found;
  }
}

const CLASS = /\[(?:[^\]\\]|\\[\s\S])*\]/uy;

/** One escape; two escaped surrogates that make a pair are one character. */
const ESCAPE =
  /\\(?:u\{[0-9a-fA-F]+\}|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[a-zA-Z]|[pP]\{[^}]*\}|[1-9]\d*|[\s\S])/uy;

/** A character of a class, or an escape. */
export const CHARACTER = new RegExp(`${ESCAPE.source}|[\\s\\S]`, "gu");
