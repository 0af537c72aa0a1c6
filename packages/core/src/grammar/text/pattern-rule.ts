import { oncePer } from "../../common/once-per.js";
import { choice, literal, MAX_REPEAT, type Rules, repeat, sequence, tokenEnd } from "../rules.js";
import { keptOut } from "./forbidden.js";
import type { CodePoints, Pattern } from "./pattern.js";
import type { StringNotation } from "./string-notation.js";

/**
 * An expression for the strings of a pattern as a format writes them; undefined where a repetition is too long. The
 * result is cached for all grammars, and shared by formats that spell the same characters alike.
 */
export function patternRule(rules: Rules, notation: PatternNotation, pattern: Pattern): string | undefined {
  const known = written(pattern);
  let found = known.find(({ kept, spell }) => kept === notation.kept && spell === notation.spell);
  if (!found) {
    const parts = new Fragment();
    found = { ...notation, parts, whole: expressionOf(parts, notation, pattern) };
    known.push(found);
  }
  return found.whole === undefined ? undefined : found.parts.addTo(rules, found.whole);
}

/** The expression of a pattern in one notation. */
interface Written extends PatternNotation {
  parts: Fragment;
  whole: string | undefined;
}

/** The expressions of a pattern so far. */
const written = oncePer((_pattern: Pattern): Written[] => []);

/** The characters that a format does not write as they are, sorted, and how it spells them. */
export interface PatternNotation {
  kept: string;
  spell: StringNotation["spell"];
}

export function patternNotation({ notRaw, forbidden, controls, spell }: StringNotation): PatternNotation {
  const kept = new Set(notRaw + keptOut(forbidden));
  if (controls) for (let code = 0; code < 32; code++) kept.add(String.fromCharCode(code));
  return { kept: [...kept].sort((a, b) => a.codePointAt(0)! - b.codePointAt(0)!).join(""), spell };
}

/** Rules that do not belong to a grammar yet. Their names are numbers between `§`, which occurs in no expression. */
class Fragment {
  private readonly hints: string[] = [];
  private readonly bodies: string[] = [];

  add(hint: string, body: string): string {
    let index = this.bodies.indexOf(body);
    if (index < 0) {
      index = this.bodies.push(body) - 1;
      this.hints.push(hint);
    }
    return `§${index}§`;
  }

  /** Adds the rules that an expression needs to a grammar, and returns the expression with their names. */
  addTo(rules: Rules, expression: string): string {
    const names: string[] = [];
    const named = (text: string) => text.replace(/§(\d+)§/g, (_, index: string) => names[Number(index)]!);
    for (const [i, body] of this.bodies.entries()) names.push(rules.add(this.hints[i]!, named(body)));
    return named(expression);
  }
}

function expressionOf(rules: Fragment, notation: PatternNotation, pattern: Pattern): string | undefined {
  if ("set" in pattern) return setRule(rules, notation, pattern.set);
  if ("repeat" in pattern) {
    const part = expressionOf(rules, notation, pattern.repeat);
    if (part === undefined || Math.max(pattern.min, pattern.max ?? 0) > MAX_REPEAT) return undefined;
    return part === "" ? "" : repeat(part, pattern.min, pattern.max);
  }
  const parts: string[] = [];
  for (const part of "all" in pattern ? pattern.all : pattern.any) {
    const rule = expressionOf(rules, notation, part);
    if (rule === undefined) return undefined;
    parts.push(rule);
  }
  if ("all" in pattern) return sequence(...joined(parts));
  const options = parts.map((part) => (part === "" ? '""' : part));
  const text = choice(options);
  return text.length > LONG ? rules.add("part", options.join(" | ")) : text;
}

/** Alternatives longer than this become a rule, which several patterns may share. */
const LONG = 40;

const isLiteral = (part: string) => part.startsWith('"') && tokenEnd(part, 0) === part.length;

/** Joins neighbouring literals into one. */
function joined(parts: readonly string[]): string[] {
  const result: string[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (last !== undefined && isLiteral(last) && isLiteral(part))
      result.push(result.pop()!.slice(0, -1) + part.slice(1));
    else result.push(part);
  }
  return result;
}

/** One character of a set. A forbidden text cannot occur, because a character that it needs is left out. */
function setRule(rules: Fragment, notation: PatternNotation, set: CodePoints): string | undefined {
  const raw: [number, number][] = [];
  const spelt: string[] = [];
  for (const [from, to] of set) {
    let next = from;
    for (const char of notation.kept) {
      const code = char.codePointAt(0)!;
      if (code < from || code > to) continue;
      if (code > next) raw.push([next, code - 1]);
      next = code + 1;
      const text = notation.spell(char);
      if (text !== undefined) spelt.push(literal(text));
    }
    if (next <= to) raw.push([next, to]);
  }
  const options = raw.length > 0 ? [classOfRanges(raw), ...spelt] : spelt;
  if (options.length === 0) return undefined;
  return options.length > 4 ? rules.add("character", options.join(" | ")) : choice(options);
}

function classOfRanges(ranges: readonly (readonly [number, number])[]): string {
  const [[from, to]] = ranges as [readonly [number, number]];
  return ranges.length === 1 && from === to && from >= 32 && from < 127
    ? literal(String.fromCharCode(from))
    : `[${ranges.map(rangeText).join("")}]`;
}

function rangeText([from, to]: readonly [number, number]): string {
  return from === to ? character(from) : `${character(from)}-${character(to)}`;
}

function character(code: number): string {
  const char = String.fromCodePoint(code);
  if (code > 32 && code < 127 && !"\\]^-[".includes(char)) return char;
  if (code === 92 || code === 91 || code === 93) return `\\${char}`;
  return code < 128 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\U${code.toString(16).padStart(8, "0")}`;
}
