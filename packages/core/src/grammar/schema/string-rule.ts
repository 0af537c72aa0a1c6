import type { JsonObject } from "../../schema/json.js";
import { EXACT_FORMATS, formatPattern } from "../text/formats.js";
import { lengths, ofLength, type Pattern, parsePattern } from "../text/pattern.js";
import type { NodeContext } from "./node-context.js";

/** Matching strings except those in `without`: of one pattern or format, and of the lengths that combine with it. */
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
  if (without.length > 0) {
    const isPlain = min === 0 && max === undefined && node.pattern === undefined && node.format === undefined;
    if (isPlain && !strings.hasForbidden) {
      if (strings.shortens(min, max)) narrowed("maxStringLength");
      return strings.except(without) ?? context.nothing("not");
    }
    unenforced("not");
  }
  let found: string | undefined;
  for (const [keyword, parse] of sources(node)) {
    const pattern = found === undefined ? parse() : undefined;
    if (pattern === undefined) {
      unenforced(keyword);
      continue;
    }
    if (keyword === "format" && !EXACT_FORMATS.has(node.format as string)) narrowed(keyword);
    const bounds = boundsOf(pattern, min, max, context);
    if (bounds === undefined) return context.nothing(keyword);
    found = patternRule(node, pattern, bounds, context);
    if (found === undefined) unenforced(keyword);
  }
  if (found === undefined && strings.shortens(min, max)) narrowed("maxStringLength");
  return found ?? strings.ofLength(min, max);
}

/** The lengths of a pattern's strings that a rule admits. */
interface Bounds {
  min: number;
  limit: number | undefined;
  /** Whether the limit is that of the options, and some of the strings are longer. */
  shortens: boolean;
}

/** The lengths that a pattern's strings may have; undefined where no string has one of them. */
function boundsOf(pattern: Pattern, min: number, max: number | undefined, { json }: NodeContext): Bounds | undefined {
  const isBounded = min > 0 || json.strings.limit(0, max) !== undefined;
  const [least, most] = isBounded ? lengths(pattern) : [0, Number.POSITIVE_INFINITY];
  if (most < min || least > (max ?? Number.POSITIVE_INFINITY)) return undefined;
  const limit = json.strings.limit(Math.max(min, least), max);
  return { min, limit, shortens: limit !== max && limit !== undefined && most > limit };
}

/** The strings of a pattern: of these lengths, or of any if the grammar cannot count them; undefined if it is too large. */
function patternRule(
  node: JsonObject,
  pattern: Pattern,
  { min, limit, shortens }: Bounds,
  context: NodeContext,
): string | undefined {
  const { strings } = context.json;
  const bounded = min === 0 && limit === undefined ? pattern : ofLength(pattern, min, limit);
  const exact = bounded && strings.patterned(bounded);
  if (exact !== undefined) {
    if (shortens) context.narrowed("maxStringLength");
    return exact;
  }
  const loose = strings.patterned(pattern);
  if (loose === undefined) return undefined;
  for (const length of ["minLength", "maxLength"]) if (length in node) context.unenforced(length);
  if (shortens) context.unenforced("maxStringLength");
  return loose;
}

function sources({ pattern, format }: JsonObject): [keyword: string, parse: () => Pattern | undefined][] {
  const result: [string, () => Pattern | undefined][] = [];
  if (typeof pattern === "string") result.push(["pattern", () => parsePattern(pattern)]);
  if (typeof format === "string") result.push(["format", () => formatPattern(format)]);
  return result;
}
