import { CHARACTER, type PatternTree, readPattern } from "../../schema/pattern/pattern-tree.js";

/** A set of code points, as ranges. */
export type CodePoints = readonly (readonly [from: number, to: number])[];

/** The strings of a regular expression, as a tree without anchors. `max` undefined: no limit. */
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
 * The strings that contain a match of an ECMA-262 regular expression that can be matched in linear time (see
 * `whyUnmatchable`). Undefined for what a grammar cannot express or this function does not read: assertions except `^` at
 * the beginning and `$` at the end, `\p`, `\c`.
 */
export function parsePattern(source: string): Pattern | undefined {
  const tree = readPattern(source);
  try {
    return "any" in tree ? { any: tree.any.map(withText) } : withText(tree);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

class Unreadable extends Error {}

/** One alternative at the top. Where it has no anchor, any text may precede or follow it. */
function withText(tree: PatternTree): Pattern {
  const parts = "all" in tree ? tree.all : [tree];
  const begins = isEdge(parts[0], "start");
  const ends = isEdge(parts.at(-1), "end");
  const own = parts.slice(begins ? 1 : 0, ends ? -1 : undefined).map(withoutEdges);
  return { all: [...(begins ? [] : [anything]), ...own, ...(ends ? [] : [anything])] };
}

const isEdge = (tree: PatternTree | undefined, edge: string) => tree && "edge" in tree && tree.edge === edge;

function withoutEdges(tree: PatternTree): Pattern {
  if ("one" in tree) return { set: setOf(tree.one) };
  if ("all" in tree) return { all: tree.all.map(withoutEdges) };
  if ("any" in tree) return { any: tree.any.map(withoutEdges) };
  if ("repeat" in tree) return { ...tree, repeat: withoutEdges(tree.repeat) };
  throw new Unreadable();
}

/** The characters that an expression for one character matches. */
function setOf(expression: string): CodePoints {
  if (expression === ".") return complement(lineEnds);
  const [, not, inner] = /^\[(\^?)(.*)\]$/s.exec(expression) ?? [];
  if (inner === undefined) return memberOf(expression);
  const set: (readonly [number, number])[] = [];
  const members = inner.match(CHARACTER) ?? [];
  for (let i = 0; i < members.length; i++) {
    const isRange = members[i + 1] === "-" && i + 2 < members.length;
    if (!isRange) set.push(...memberOf(members[i]!));
    else {
      const [[from], [to]] = [memberOf(members[i]!), memberOf(members[i + 2]!)];
      if (!from || !to) throw new Unreadable();
      set.push([from[0], to[0]]);
      i += 2;
    }
  }
  return not ? complement(set) : set;
}

const classes: Readonly<Record<string, CodePoints>> = { d: digit, w: wordCharacters, s: space };
const controls: Readonly<Record<string, string>> = {
  ...{ n: "\n", r: "\r", t: "\t", f: "\f", v: "\v", b: "\b", "0": "\0" },
};

/** A character or an escape; empty for half of a surrogate pair, which no text contains. */
function memberOf(member: string): CodePoints {
  if (!member.startsWith("\\")) return one(member);
  const name = member.charAt(1);
  const found = classes[name.toLowerCase()];
  if (found) return name in classes ? found : complement(found);
  const units = [...member.matchAll(/\\[ux]\{?([0-9a-f]+)/gi)].map(([, digits]) => Number.parseInt(digits!, 16));
  const char = controls[name] ?? (units.length > 0 ? String.fromCodePoint(...units) : name);
  if (char === name && /[a-z0-9]/i.test(name)) throw new Unreadable();
  return /^\p{Cs}/u.test(char) ? [] : one(char);
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
