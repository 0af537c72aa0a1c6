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
