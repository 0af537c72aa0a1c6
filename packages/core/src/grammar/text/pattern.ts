/** A set of code points, as ranges. */
export type CodePoints = readonly (readonly [from: number, to: number])[];

/** A regular expression as a tree. `max` undefined: no limit. */
export type Pattern =
  | { set: CodePoints }
  | { all: Pattern[] }
  | { any: Pattern[] }
  | { repeat: Pattern; min: number; max: number | undefined };

const MAX = 0x10ffff;
const digit: CodePoints = [[48, 57]];
const wordCharacters: CodePoints = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
];
const space: CodePoints = [
  [9, 13],
  [32, 32],
  [160, 160],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
const lineEnds: CodePoints = [
  [10, 10],
  [13, 13],
  [0x2028, 0x2029],
];
const anything: Pattern = { repeat: { set: [[0, MAX]] }, min: 0, max: undefined };

/** All code points except these. */
function complement(set: CodePoints): CodePoints {
  const result: [number, number][] = [];
  let next = 0;
  for (const [from, to] of [...set].sort(([a], [b]) => a - b)) {
    if (from > next) result.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  if (next <= MAX) result.push([next, MAX]);
  return result;
}

/**
 * The strings that contain a match of an ECMA-262 regular expression, as a tree without anchors. Undefined for what a
 * grammar cannot express or this parser does not read: assertions except `^` at the beginning and `$` at the end,
 * references, `\p`.
 */
export function parsePattern(source: string): Pattern | undefined {
  try {
    return new PatternParser(source).parse();
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

class Unreadable extends Error {}

class PatternParser {
  private at = 0;
  private readonly chars: string[];

  constructor(source: string) {
    this.chars = [...source];
  }

  parse(): Pattern {
    const options = [this.anchored()];
    while (this.take("|")) options.push(this.anchored());
    if (this.at < this.chars.length) throw new Unreadable();
    return options.length === 1 ? options[0]! : { any: options };
  }

  /** One alternative at the top. Where it has no anchor, any text may precede or follow it. */
  private anchored(): Pattern {
    const begins = this.take("^");
    const parts = this.sequence();
    const ends = this.take("$");
    return { all: [...(begins ? [] : [anything]), ...parts, ...(ends ? [] : [anything])] };
  }

  private sequence(): Pattern[] {
    const parts: Pattern[] = [];
    for (let next = this.chars[this.at]; next !== undefined && !"|)$".includes(next); next = this.chars[this.at]) {
      parts.push(this.repeated(this.atom(next)));
    }
    return parts;
  }

  private atom(char: string): Pattern {
    this.at++;
    if (char === "(") return this.group();
    if (char === "[") return { set: this.charClass() };
    if (char === ".") return { set: complement(lineEnds) };
    if (char === "\\") return { set: this.escape(false) };
    if ("^*+?{".includes(char)) throw new Unreadable();
    return { set: one(char) };
  }

  private group(): Pattern {
    if (this.take("?") && !this.take(":")) throw new Unreadable();
    const options: Pattern[] = [];
    do options.push({ all: this.sequence() });
    while (this.take("|"));
    if (!this.take(")")) throw new Unreadable();
    return options.length === 1 ? options[0]! : { any: options };
  }

  private repeated(part: Pattern): Pattern {
    const rest = this.chars.slice(this.at, this.at + 16).join("");
    const found = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})/.exec(rest);
    if (!found) return part;
    const [char, least, comma, most] = found;
    this.at += char.length;
    // A lazy repetition matches the same strings.
    this.take("?");
    if (least === undefined) return { repeat: part, min: char === "+" ? 1 : 0, max: char === "?" ? 1 : undefined };
    const max = comma === "" ? Number(least) : most === "" ? undefined : Number(most);
    return { repeat: part, min: Number(least), max };
  }

  private charClass(): CodePoints {
    const not = this.take("^");
    const set: (readonly [number, number])[] = [];
    while (!this.take("]")) {
      const from = this.classCharacter();
      if (this.chars[this.at] !== "-" || this.chars[this.at + 1] === "]") {
        set.push(...from);
        continue;
      }
      this.at++;
      const to = this.classCharacter();
      const [[first = 0, same = 0] = [], [last = 0, end = 0] = []] = [from[0], to[0]];
      if (from.length !== 1 || to.length !== 1 || first !== same || last !== end) throw new Unreadable();
      set.push([first, last]);
    }
    return not ? complement(set) : set;
  }

  private classCharacter(): CodePoints {
    const char = this.chars[this.at++];
    if (char === undefined) throw new Unreadable();
    return char === "\\" ? this.escape(true) : one(char);
  }

  private escape(inClass: boolean): CodePoints {
    const char = this.chars[this.at++] ?? "";
    const sets: Record<string, CodePoints> = { d: digit, w: wordCharacters, s: space };
    const set = sets[char.toLowerCase()];
    if (set) return char === char.toLowerCase() ? set : complement(set);
    const plain: Record<string, string> = { n: "\n", r: "\r", t: "\t", f: "\f", v: "\v", "0": "\0" };
    if (plain[char] !== undefined) return one(plain[char]);
    if (inClass && char === "b") return one("\b");
    if (char === "x" || char === "u") {
      const rest = this.chars.slice(this.at, this.at + 8).join("");
      const found = char === "x" ? /^([0-9a-f]{2})/i.exec(rest) : /^(?:([0-9a-f]{4})|\{([0-9a-f]+)\})/i.exec(rest);
      if (!found) throw new Unreadable();
      this.at += found[0].length;
      const code = Number.parseInt(found[1] ?? found[2]!, 16);
      if (code >= 0xd800 && code <= 0xdfff) return this.pair(code);
      return [[code, code]];
    }
    if (char === "" || /[a-z0-9]/i.test(char)) throw new Unreadable();
    return one(char);
  }

  /** The code point of two escaped surrogates; empty for a single one, which no text contains. */
  private pair(high: number): CodePoints {
    const low = /^\\u(d[c-f][0-9a-f]{2})/i.exec(this.chars.slice(this.at, this.at + 6).join(""));
    if (high > 0xdbff || !low) return [];
    this.at += 6;
    const code = 0x10000 + (high - 0xd800) * 0x400 + Number.parseInt(low[1]!, 16) - 0xdc00;
    return [[code, code]];
  }

  private take(char: string): boolean {
    if (this.chars[this.at] !== char) return false;
    this.at++;
    return true;
  }
}

const one = (char: string): CodePoints => [[char.codePointAt(0)!, char.codePointAt(0)!]];

/** The minimum and maximum length of the strings, in code points. */
export function lengths(pattern: Pattern): [min: number, max: number] {
  if ("set" in pattern) return [1, 1];
  if ("repeat" in pattern) {
    const [min, max] = lengths(pattern.repeat);
    return [min * pattern.min, max === 0 ? 0 : max * (pattern.max ?? Number.POSITIVE_INFINITY)];
  }
  let [least, most] = ["all" in pattern ? 0 : Number.POSITIVE_INFINITY, 0];
  for (const part of "all" in pattern ? pattern.all : pattern.any) {
    const [min, max] = lengths(part);
    least = "all" in pattern ? least + min : Math.min(least, min);
    most = "all" in pattern ? most + max : Math.max(most, max);
  }
  return [least, most];
}

/**
 * Restricts a pattern to strings of `min` to `max` code points; undefined where that takes more than a repetition with
 * other counts.
 */
export function ofLength(pattern: Pattern, min: number, max: number | undefined): Pattern | undefined {
  const [least, most] = lengths(pattern);
  const limit = max ?? Number.POSITIVE_INFINITY;
  if (least >= min && most <= limit) return pattern;
  if ("any" in pattern) {
    const options = pattern.any.map((part) => ofLength(part, min, max));
    return options.includes(undefined) ? undefined : { any: options as Pattern[] };
  }
  if ("repeat" in pattern) {
    const [unit, same] = lengths(pattern.repeat);
    if (unit !== same || unit === 0) return undefined;
    const from = Math.max(pattern.min, Math.ceil(min / unit));
    const to = Math.min(pattern.max ?? Number.POSITIVE_INFINITY, Math.floor(limit / unit));
    return from > to ? undefined : { ...pattern, min: from, max: to === Number.POSITIVE_INFINITY ? undefined : to };
  }
  if (!("all" in pattern)) return undefined;
  const flexible = pattern.all.filter((part) => lengths(part)[0] !== lengths(part)[1]);
  const [only] = flexible;
  if (flexible.length === 2) return divided(pattern.all, flexible[0]!, least, min, max);
  if (flexible.length !== 1 || !only) return undefined;
  const fixed = least - lengths(only)[0];
  const bounded = ofLength(only, Math.max(0, min - fixed), max === undefined ? undefined : max - fixed);
  return bounded && { all: pattern.all.map((part) => (part === only ? bounded : part)) };
}

/** The maximum number of ways to divide a length between two parts. */
const MAX_DIVISIONS = 32;

/** Parts of which two have no fixed length: one alternative for each number of repetitions of the first. */
function divided(
  all: readonly Pattern[],
  first: Pattern,
  least: number,
  min: number,
  max: number | undefined,
): Pattern | undefined {
  if (!("repeat" in first)) return undefined;
  const [unit, same] = lengths(first.repeat);
  const room = (max ?? min) - least;
  const most = Math.min(first.max ?? Number.POSITIVE_INFINITY, first.min + Math.floor(room / unit));
  if (unit !== same || unit === 0 || most - first.min > MAX_DIVISIONS) return undefined;
  const options: Pattern[] = [];
  for (let times = first.min; times <= most; times++) {
    const isLast = max === undefined && times === most;
    const share = { ...first, min: times, max: isLast ? first.max : times };
    const rest = { all: all.map((part) => (part === first ? share : part)) };
    const option = isLast ? rest : ofLength(rest, min, max);
    if (option === undefined) return undefined;
    options.push(option);
  }
  return options.length === 0 ? undefined : { any: options };
}
