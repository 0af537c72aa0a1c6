import type { JsonObject } from "../../schema/json.js";
import type { Rules } from "../rules.js";
import { EXACT_FORMATS, formatPattern } from "../text/formats.js";
import { lengths, ofLength, type Pattern, parsePattern } from "../text/pattern.js";
import type { JsonRules } from "./json-rules.js";
import { dividesOne, multipleRule } from "./multiple-rules.js";
import type { NodeContext } from "./node-context.js";
import { integerRange, numberRange, type Range, withShared } from "./number-rules.js";

/** The strings that fit, but those `without`: of one pattern or format, and of the lengths that go together with it. */
export function stringRule(
  node: JsonObject,
  min: number,
  max: number | undefined,
  without: readonly string[],
  context: NodeContext,
): string | undefined {
  const { narrowed, unenforced } = context;
  const { strings } = context.json;
  if (strings.narrows) {
    narrowed("type");
    for (const keyword of ["minLength", "maxLength", "pattern", "format"]) if (keyword in node) narrowed(keyword);
  }
  if (max !== undefined && min > max) return context.nothing("maxLength");
  const isPlain = min === 0 && max === undefined && node.pattern === undefined && node.format === undefined;
  if (without.length > 0) {
    if (isPlain && !strings.hasForbidden) {
      if (strings.shortens(min, max)) narrowed("maxStringLength");
      return strings.except(without) ?? context.nothing("not");
    }
    unenforced("not");
  }
  const isBounded = min > 0 || strings.limit(0, max) !== undefined;
  let found: string | undefined;
  for (const [keyword, parse] of sources(node)) {
    const pattern = found === undefined ? parse() : undefined;
    if (pattern && keyword === "format" && !EXACT_FORMATS.has(node.format as string)) narrowed(keyword);
    const [least, most] = pattern && isBounded ? lengths(pattern) : [0, Number.POSITIVE_INFINITY];
    if (pattern && (most < min || least > (max ?? Number.POSITIVE_INFINITY))) return context.nothing(keyword);
    const limit = strings.limit(Math.max(min, least), max);
    const bounded = pattern && (min === 0 && limit === undefined ? pattern : ofLength(pattern, min, limit));
    const shortens = limit !== max && limit !== undefined && most > limit;
    found ??= bounded && strings.patterned(bounded);
    if (found !== undefined && bounded) {
      if (shortens) narrowed("maxStringLength");
      continue;
    }
    const loose = pattern && strings.patterned(pattern);
    if (loose === undefined) unenforced(keyword);
    else {
      for (const length of ["minLength", "maxLength"]) if (length in node) unenforced(length);
      if (shortens) unenforced("maxStringLength");
    }
    found ??= loose;
  }
  if (found === undefined && strings.shortens(min, max)) narrowed("maxStringLength");
  return found ?? strings.ofLength(min, max);
}

function sources({ pattern, format }: JsonObject): [keyword: string, parse: () => Pattern | undefined][] {
  const result: [string, () => Pattern | undefined][] = [];
  if (typeof pattern === "string") result.push(["pattern", () => parsePattern(pattern)]);
  if (typeof format === "string") result.push(["format", () => formatPattern(format)]);
  return result;
}

/** The numbers that fit; undefined where there are none. */
export function numberRule(
  node: JsonObject,
  isInteger: boolean,
  json: JsonRules,
  rules: Rules,
  notes: Pick<NodeContext, "unenforced" | "nothing">,
): string | undefined {
  const factor = node.multipleOf as number | undefined;
  const whole = isInteger || (factor !== undefined && Number.isInteger(factor));
  const isPartly = factor !== undefined && !(whole && dividesOne(factor));
  const range = whole ? wholeRange(rangeOf(node)) : rangeOf(node);
  if (range.min > range.max) return notes.nothing("minimum" in node ? "minimum" : "exclusiveMinimum");
  const isBounded = Number.isFinite(range.min) || Number.isFinite(range.max);
  const isWritable = [range.min, range.max].every((bound) => !Number.isFinite(bound) || isPlain(bound));
  if (isPartly) {
    const rule = isWritable ? multipleRule(factor, range, whole, rules) : undefined;
    if (rule !== undefined) return rule === "" ? notes.nothing("multipleOf") : rule;
    notes.unenforced("multipleOf");
  }
  if (!isBounded) return whole ? json.integer() : json.number();
  if (!isWritable) {
    for (const keyword of BOUNDS) if (keyword in node) notes.unenforced(keyword);
    return whole ? json.integer() : json.number();
  }
  const written = whole ? integerRange(range.min, range.max) : numberRange(range);
  if (written === undefined) return notes.nothing("maximum" in node ? "maximum" : "exclusiveMaximum");
  return whole ? rules.add("int", written) : rules.add("num", withShared(rules, written));
}

const BOUNDS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];

function rangeOf(node: JsonObject): Range {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = node as Record<string, number | undefined>;
  const min = Math.max(minimum ?? Number.NEGATIVE_INFINITY, exclusiveMinimum ?? Number.NEGATIVE_INFINITY);
  const max = Math.min(maximum ?? Number.POSITIVE_INFINITY, exclusiveMaximum ?? Number.POSITIVE_INFINITY);
  return { min, max, minOpen: min === exclusiveMinimum, maxOpen: max === exclusiveMaximum };
}

/** The integers of a range, with its ends. */
function wholeRange({ min, max, minOpen, maxOpen }: Range): Range {
  const from = minOpen && Number.isInteger(min) ? min + 1 : Math.ceil(min);
  const to = maxOpen && Number.isInteger(max) ? max - 1 : Math.floor(max);
  return { min: from + 0, max: to + 0, minOpen: false, maxOpen: false };
}

/** A bound that is written without an exponent, and exactly. */
const isPlain = (bound: number) =>
  /^-?\d+(?:\.\d+)?$/.test(String(bound)) && Math.abs(bound) <= Number.MAX_SAFE_INTEGER;
