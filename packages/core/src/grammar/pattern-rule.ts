import type { CodePoints, Pattern } from "./pattern.js";
import { choice, literal, MAX_REPEAT, type Rules, repeat, sequence } from "./rules.js";
import type { StringSigns } from "./string-signs.js";
import { keptOut } from "./text-without.js";

/** An expression for the strings of a pattern as a format writes them; undefined where a repetition is too long. */
export function patternRule(rules: Rules, signs: StringSigns, pattern: Pattern): string | undefined {
  if ("set" in pattern) return setRule(rules, signs, pattern.set);
  if ("repeat" in pattern) {
    const part = patternRule(rules, signs, pattern.repeat);
    if (part === undefined || Math.max(pattern.min, pattern.max ?? 0) > MAX_REPEAT) return undefined;
    return part === "" ? "" : repeat(part, pattern.min, pattern.max);
  }
  const parts: string[] = [];
  for (const part of "all" in pattern ? pattern.all : pattern.any) {
    const rule = patternRule(rules, signs, part);
    if (rule === undefined) return undefined;
    parts.push(rule);
  }
  if ("all" in pattern) return sequence(...joined(parts));
  const options = parts.map((part) => (part === "" ? '""' : part));
  const text = choice(options);
  return text.length > LONG ? rules.add("part", options.join(" | ")) : text;
}

/** Alternatives that are longer than this are a rule, which several patterns may share. */
const LONG = 40;

const LITERAL = /^"(?:[^"\\]|\\.)*"$/;

/** Neighbouring literals as one. */
function joined(parts: readonly string[]): string[] {
  const result: string[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (last !== undefined && LITERAL.test(last) && LITERAL.test(part))
      result.push(result.pop()!.slice(0, -1) + part.slice(1));
    else result.push(part);
  }
  return result;
}

/** One sign of a set. What is forbidden inside strings is kept out by a sign that it must have. */
function setRule(rules: Rules, signs: StringSigns, set: CodePoints): string | undefined {
  const kept = keptBy(signs);
  const raw: [number, number][] = [];
  const spelt: string[] = [];
  for (const [from, to] of set) {
    let next = from;
    for (const code of kept) {
      if (code < from || code > to) continue;
      if (code > next) raw.push([next, code - 1]);
      next = code + 1;
      const text = signs.spell(String.fromCodePoint(code));
      if (text !== undefined) spelt.push(literal(text));
    }
    if (next <= to) raw.push([next, to]);
  }
  const options = raw.length > 0 ? [classOfRanges(raw), ...spelt] : spelt;
  if (options.length === 0) return undefined;
  return options.length > 4 ? rules.add("sign", options.join(" | ")) : choice(options);
}

const keptSigns = new WeakMap<StringSigns, readonly number[]>();

/** The signs that do not stand as they are, in order. */
function keptBy(signs: StringSigns): readonly number[] {
  let kept = keptSigns.get(signs);
  if (!kept) {
    const codes = new Set([...(signs.notRaw + keptOut(signs.forbidden))].map((char) => char.codePointAt(0)!));
    if (signs.controls) for (let code = 0; code < 32; code++) codes.add(code);
    kept = [...codes].sort((a, b) => a - b);
    keptSigns.set(signs, kept);
  }
  return kept;
}

function classOfRanges(ranges: readonly (readonly [number, number])[]): string {
  const [[from, to]] = ranges as [readonly [number, number]];
  return ranges.length === 1 && from === to && from >= 32 && from < 127
    ? literal(String.fromCharCode(from))
    : `[${ranges.map(rangeText).join("")}]`;
}

function rangeText([from, to]: readonly [number, number]): string {
  return from === to ? sign(from) : `${sign(from)}-${sign(to)}`;
}

function sign(code: number): string {
  const char = String.fromCodePoint(code);
  if (code > 32 && code < 127 && !"\\]^-[".includes(char)) return char;
  return code < 128 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\U${code.toString(16).padStart(8, "0")}`;
}
