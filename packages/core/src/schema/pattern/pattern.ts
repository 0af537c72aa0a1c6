import { type CompiledPattern, compilePattern, EDGES, type Look, type Program } from "./pattern-program.js";
import { readPattern, Unmatchable } from "./pattern-tree.js";
import { STEP_LOOK, STEP_MATCH, STEP_NO_LOOK, STEP_ONE, STEP_SPLIT } from "./step.js";

/** Whether a text contains a match. Takes time linear in the text; errors: {@link TooCostly}. */
export type Matcher = (text: string, budget?: Budget) => boolean;

/** A match would exceed its budget. */
export class TooCostly extends Error {}

/** The steps that matches may take: a fixed number, and more for each character. */
export class Budget {
  private left = 5_000_000;

  add(characters: number): void {
    this.left += 50 * characters;
  }

  spend(steps: number): void {
    this.left -= steps;
    if (this.left < 0) throw new TooCostly("matching takes too many steps");
  }
}

/**
 * A matcher for an expression of ECMAScript (flag `u`). It matches as `RegExp.prototype.test` does, but takes time
 * linear in the text for any expression, even `^(a+)+$`. Lookaheads, lookbehinds and `\p{…}` are supported.
 *
 * Errors: SyntaxError for an invalid expression; {@link Unmatchable} for back-references and too many repetitions.
 *
 * @example matcherFor("^(a+)+$")("aaaa!"); // false
 */
export function matcherFor(source: string): Matcher {
  const known = matchers.get(source);
  if (known) return known;
  new RegExp(source, "u");
  const automaton = new Automaton(compilePattern(readPattern(source)));
  const matcher: Matcher = (text, budget = new Budget()) => automaton.isFoundIn(text, budget);
  // The oldest matchers are removed, because untrusted schemas could otherwise fill the memory.
  if (matchers.size >= MAX_MATCHERS)
    for (const key of [...matchers.keys()].slice(0, MAX_MATCHERS / 2)) matchers.delete(key);
  matchers.set(source, matcher);
  return matcher;
}

const matchers = new Map<string, Matcher>();
const MAX_MATCHERS = 200;

/**
 * Why an expression cannot be matched, as a phrase that continues "it …"; undefined if it can.
 *
 * @example whyUnmatchable("(a)\\1"); // "has a back-reference"
 */
export function whyUnmatchable(source: string): string | undefined {
  try {
    matcherFor(source);
    return undefined;
  } catch (error) {
    return error instanceof Unmatchable ? error.message : "is not a valid ECMAScript regular expression";
  }
}

class Automaton {
  private readonly sets: CharacterSet[];

  constructor(private readonly pattern: CompiledPattern) {
    this.sets = pattern.sets.map((expression) => new CharacterSet(expression));
  }

  isFoundIn(text: string, budget: Budget): boolean {
    const codes = codePoints(text);
    budget.add(codes.length);
    const holds: Uint8Array[] = [];
    for (const look of this.pattern.looks) holds.push(this.places(look, codes, holds, budget));
    return this.run(this.pattern.main, codes, holds, budget);
  }

  /** The places where a lookaround matches. */
  private places({ program, behind }: Look, codes: Int32Array, holds: Uint8Array[], budget: Budget): Uint8Array {
    const places = new Uint8Array(codes.length + 1);
    this.run(program, codes, holds, budget, places, !behind);
    return places;
  }

  /**
   * Whether the program matches anywhere. Fills `places` with the places where a match ends, if it is given.
   * `backwards`: reads the text from its end.
   */
  private run(
    program: Program,
    codes: Int32Array,
    holds: readonly Uint8Array[],
    budget: Budget,
    places?: Uint8Array,
    backwards = false,
  ): boolean {
    const { steps, args, nexts, start, isAnchored } = program;
    // States that take a character, reached at this place and at the next; `marks`: when each was last reached.
    let [now, after]: [number[], number[]] = [[], []];
    const marks = new Int32Array(steps.length).fill(-1);
    const waiting: number[] = [];
    const length = codes.length;
    /**
     * Follows all paths from a state that take no character, after `taken` ones. Returns whether one reaches a match.
     */
    const reach = (from: number, taken: number, into: number[]): boolean => {
      const place = backwards ? length - taken : taken;
      let isMatch = false;
      waiting.push(from);
      for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
        if (marks[state] === taken) continue;
        marks[state] = taken;
        budget.spend(1);
        const step = steps[state]!;
        if (step === STEP_ONE) into.push(state);
        else if (step === STEP_MATCH) isMatch = true;
        else {
          if (step === STEP_SPLIT) waiting.push(args[state]!);
          else if (!assertionHolds(step, args[state]!, place, codes, holds)) continue;
          waiting.push(nexts[state]!);
        }
      }
      return isMatch;
    };
    let isFound = false;
    for (let taken = 0; taken <= length; taken++) {
      if (taken === 0 || !isAnchored || places) isFound = reach(start, taken, now) || isFound;
      if (places) {
        places[backwards ? length - taken : taken] = Number(isFound);
        isFound = false;
      } else if (isFound) return true;
      if (taken === length || (isAnchored && !places && now.length === 0)) break;
      const code = codes[backwards ? length - taken - 1 : taken]!;
      for (const state of now)
        if (this.sets[args[state]!]!.has(code)) isFound = reach(nexts[state]!, taken + 1, after) || isFound;
      now.length = 0;
      [now, after] = [after, now];
    }
    return false;
  }
}

function assertionHolds(
  step: number,
  arg: number,
  place: number,
  codes: Int32Array,
  holds: readonly Uint8Array[],
): boolean {
  if (step === STEP_LOOK) return holds[arg]![place] === 1;
  if (step === STEP_NO_LOOK) return holds[arg]![place] === 0;
  const edge = EDGES[arg];
  if (edge === "start") return place === 0;
  if (edge === "end") return place === codes.length;
  return (isWord(codes[place - 1]) !== isWord(codes[place])) === (edge === "word");
}

const isWord = (code: number | undefined) => code !== undefined && code < 128 && /\w/.test(String.fromCharCode(code));

/** The code points of a text; a lone surrogate is one. */
function codePoints(text: string): Int32Array {
  const codes = new Int32Array(text.length);
  let count = 0;
  for (let i = 0; i < text.length; count++) {
    const code = text.codePointAt(i)!;
    codes[count] = code;
    i += code > 0xffff ? 2 : 1;
  }
  return codes.subarray(0, count);
}

/** The set of characters that an expression for one character matches. */
class CharacterSet {
  private readonly expression: RegExp;
  /** For ASCII characters: 1 if in the set, 2 if not, 0 if not tested yet. */
  private readonly ascii = new Uint8Array(128);

  constructor(expression: string) {
    this.expression = new RegExp(`^${expression}$`, "u");
  }

  has(code: number): boolean {
    if (code >= 128) return this.expression.test(String.fromCodePoint(code));
    if (this.ascii[code] === 0) this.ascii[code] = this.expression.test(String.fromCharCode(code)) ? 1 : 2;
    return this.ascii[code] === 1;
  }
}
