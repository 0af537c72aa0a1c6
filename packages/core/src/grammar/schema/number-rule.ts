import type { JsonObject } from "../../schema/json.js";
import { isFraction } from "../rewriting/negate.js";
import { choice } from "../rules.js";
import { dividesOne, multipleRule } from "./multiples.js";
import type { NodeContext } from "./node-context.js";
import { anyFraction, integerRange, numberRange, type Range, withShared } from "./number-ranges.js";

/** The maximum number of excluded numbers. */
const MAX_EXCLUDED = 16;

/** The matching numbers except those in `without`; undefined where there are none. */
export function numberRule(
  node: JsonObject,
  isInteger: boolean,
  without: readonly number[],
  context: NodeContext,
): string | undefined {
  if (isFraction(node)) return isInteger ? context.nothing("not") : fractionRule(node, context);
  if (without.length === 0) return ofRange(node, isInteger, context);
  if (node.multipleOf !== undefined || without.length > MAX_EXCLUDED || !without.every(isPlain)) {
    context.unenforced("not");
    return ofRange(node, isInteger, context);
  }
  // The ranges below, between and above the excluded numbers.
  const bounds = [undefined, ...[...without].sort((a, b) => a - b), undefined];
  const options = bounds
    .slice(1)
    .map((to, i) => ofRange(between(node, bounds[i], to), isInteger, context, node))
    .filter((option) => option !== undefined);
  return options.length === 0 ? context.nothing("not") : choice(options);
}

/** The schema, limited to numbers between two others. */
function between(node: JsonObject, from: number | undefined, to: number | undefined): JsonObject {
  const { exclusiveMinimum: low = Number.NEGATIVE_INFINITY, exclusiveMaximum: high = Number.POSITIVE_INFINITY } =
    node as Record<string, number | undefined>;
  const lower = from === undefined ? {} : { exclusiveMinimum: Math.max(low, from) };
  const upper = to === undefined ? {} : { exclusiveMaximum: Math.min(high, to) };
  return { ...node, ...lower, ...upper };
}

/** Numbers that are not whole. */
function fractionRule(node: JsonObject, context: NodeContext): string {
  for (const keyword of ["multipleOf", ...BOUNDS]) if (keyword in node) context.unenforced(keyword);
  return context.rules.add("fraction", anyFraction());
}

/** The numbers of a range. A bound that `given` lacks comes from its `not`. */
function ofRange(
  node: JsonObject,
  isInteger: boolean,
  context: NodeContext,
  given: JsonObject = node,
): string | undefined {
  const { json, rules } = context;
  const factor = node.multipleOf as number | undefined;
  const whole = isInteger || (factor !== undefined && Number.isInteger(factor));
  const isPartly = factor !== undefined && !(whole && dividesOne(factor));
  const bounds = whole ? wholeRange(rangeOf(node)) : rangeOf(node);
  const range = isInteger ? exactly(bounds) : bounds;
  if (range.min > range.max) return context.nothing("minimum" in node ? "minimum" : "exclusiveMinimum");
  const isBounded = Number.isFinite(range.min) || Number.isFinite(range.max);
  const isWritable = [range.min, range.max].every((bound) => !Number.isFinite(bound) || isPlain(bound));
  if (isPartly) {
    const rule = isWritable ? multipleRule(factor, range, whole, rules) : undefined;
    if (rule !== undefined) return rule === "" ? context.nothing("multipleOf") : rule;
    context.unenforced("multipleOf");
  }
  if (!isBounded) return whole ? json.integer() : json.number();
  if (!isWritable) {
    for (const keyword of BOUNDS) if (keyword in node) context.unenforced(keyword in given ? keyword : "not");
    return whole ? json.integer() : json.number();
  }
  const written = whole ? integerRange(range.min, range.max) : numberRange(range);
  if (written === undefined) return context.nothing("maximum" in node ? "maximum" : "exclusiveMaximum");
  return whole ? rules.add("int", written) : rules.add("num", withShared(rules, written));
}

const BOUNDS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];

function rangeOf(node: JsonObject): Range {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = node as Record<string, number | undefined>;
  const min = Math.max(minimum ?? Number.NEGATIVE_INFINITY, exclusiveMinimum ?? Number.NEGATIVE_INFINITY);
  const max = Math.min(maximum ?? Number.POSITIVE_INFINITY, exclusiveMaximum ?? Number.POSITIVE_INFINITY);
  return { min, max, minOpen: min === exclusiveMinimum, maxOpen: max === exclusiveMaximum };
}

/** The range without the ends where integers may be rounded, if it has others. */
function exactly(range: Range): Range {
  const most = Number.MAX_SAFE_INTEGER;
  const min = Number.isFinite(range.min) ? Math.max(range.min, -most) : range.min;
  const max = Number.isFinite(range.max) ? Math.min(range.max, most) : range.max;
  return min <= max ? { ...range, min, max } : range;
}

/** The range from the first to the last integer, both included. */
function wholeRange({ min, max, minOpen, maxOpen }: Range): Range {
  const from = minOpen && Number.isInteger(min) ? min + 1 : Math.ceil(min);
  const to = maxOpen && Number.isInteger(max) ? max - 1 : Math.floor(max);
  return { min: from + 0, max: to + 0, minOpen: false, maxOpen: false };
}

/** Whether a bound has an exact decimal notation without an exponent. */
const isPlain = (bound: number) =>
  /^-?\d+(?:\.\d+)?$/.test(String(bound)) && Math.abs(bound) <= Number.MAX_SAFE_INTEGER;
