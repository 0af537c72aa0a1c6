import { deepCompareStrict } from "@cfworker/json-schema";
import { common } from "../../schema/identity.js";
import type { JsonObject } from "../../schema/json.js";
import { matcherFor } from "../../schema/pattern/pattern.js";
import { typesOf } from "../../schema/words.js";
import type { JsonSchema } from "../../types.js";

/**
 * The key of a merged schema for the schemas that could not be merged into it; a value must match these as well. No
 * keyword of the normal form has this name.
 */
export const UNMERGED = "unmerged";

/**
 * Merges two schemas into one for the values that match both; `false` where no value does. Both are in normal form,
 * without `$ref` and `allOf` at the top. A part that both describe becomes an `allOf`.
 */
export function mergeSchemas(a: JsonSchema, b: JsonSchema): JsonSchema {
  if (a === false || b === false) return false;
  if (a === true || b === true) return a === true ? b : a;
  const merged: JsonObject = { ...a };
  const unmerged: JsonObject[] = [];
  for (const [keyword, value] of Object.entries(b)) {
    if (groups.has(keyword) || keyword === "$defs") continue;
    if (!(keyword in a) || deepCompareStrict(a[keyword], value)) {
      merged[keyword] = value;
      continue;
    }
    const both = Object.hasOwn(mergers, keyword) ? mergers[keyword]!(a[keyword], value, a, b) : undefined;
    if (both === NOTHING) return false;
    if (both === undefined) unmerged.push({ [keyword]: value });
    else merged[keyword] = both;
  }
  mergeItems(merged, a, b);
  mergeProperties(merged, a, b, unmerged);
  mergeContains(merged, a, b, unmerged);
  if (unmerged.length > 0) merged[UNMERGED] = [...((merged[UNMERGED] as JsonObject[] | undefined) ?? []), ...unmerged];
  return merged;
}

const NOTHING = Symbol("nothing matches");
/** The maximum number of pairs of alternatives: more make too many cases. */
const MAX_PAIRS = 32;

type Merger = (a: unknown, b: unknown, nodeA: JsonObject, nodeB: JsonObject) => unknown;

const larger: Merger = (a, b) => Math.max(a as number, b as number);
const smaller: Merger = (a, b) => Math.min(a as number, b as number);

/** Combines each alternative of one side with each of the other. */
const pairs: Merger = (a, b) => {
  const [left, right] = [a as JsonSchema[], b as JsonSchema[]];
  if (left.length * right.length > MAX_PAIRS) return undefined;
  return left.flatMap((one) => right.map((other) => both(one, other)));
};

const both = (a: JsonSchema, b: JsonSchema): JsonSchema => {
  if (a === false || b === false) return false;
  if (a === true || b === true) return a === true ? b : a;
  return a === b ? a : { allOf: [a, b] };
};

const mergers: Record<string, Merger> = {
  type(_, __, a, b) {
    const [left, right] = [typesOf(a), typesOf(b)];
    const integers = (types: string[]) => types.includes("integer") || types.includes("number");
    const common = left.filter((type) => right.includes(type));
    if (!common.includes("number") && !common.includes("integer") && integers(left) && integers(right))
      common.push("integer");
    return common.length === 0 ? NOTHING : common;
  },
  enum(a, b) {
    const both = common(a as unknown[], b as unknown[]);
    return both.length === 0 ? NOTHING : both;
  },
  const: () => NOTHING,
  not: (a, b) => ({ anyOf: [a, b] }),
  anyOf: pairs,
  oneOf: pairs,
  uniqueItems: (a, b) => a === true || b === true,
  multipleOf(a, b) {
    const [x, y] = [a as number, b as number];
    return Number.isInteger(x) && Number.isInteger(y) ? (x * y) / divisor(x, y) : undefined;
  },
  propertyNames: (a, b) => both(a as JsonSchema, b as JsonSchema),
  unmerged: (a, b) => [...(a as JsonObject[]), ...(b as JsonObject[])],
  minimum: larger,
  exclusiveMinimum: larger,
  minLength: larger,
  minItems: larger,
  minProperties: larger,
  maximum: smaller,
  exclusiveMaximum: smaller,
  maxLength: smaller,
  maxItems: smaller,
  maxProperties: smaller,
};

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));

/** Keywords for the parts of a value, merged in groups because they depend on each other. */
const groups = new Set([
  ...["properties", "patternProperties", "required", "additionalProperties"],
  ...["prefixItems", "items"],
  ...["contains", "minContains", "maxContains"],
]);

/** An item at each position of a tuple must match both sides. */
function mergeItems(merged: JsonObject, a: JsonObject, b: JsonObject): void {
  const sides = [a, b].map((side) => ({
    prefix: (side.prefixItems as JsonSchema[] | undefined) ?? [],
    items: (side.items as JsonSchema | undefined) ?? true,
  }));
  const length = Math.max(...sides.map(({ prefix }) => prefix.length));
  const at = (i: number) => sides.map(({ prefix, items }) => prefix[i] ?? items).reduce(both);
  if (length > 0) merged.prefixItems = Array.from({ length }, (_, i) => at(i));
  if (a.items !== undefined || b.items !== undefined) merged.items = at(length);
}

/** `minContains` and `maxContains` count matches of the `contains` beside them, and have no effect without one. */
function mergeContains(merged: JsonObject, a: JsonObject, b: JsonObject, unmerged: JsonObject[]): void {
  const [left, right] = [containsOf(a), containsOf(b)];
  for (const keyword of ["contains", "minContains", "maxContains"]) delete merged[keyword];
  if (!left || !right || !deepCompareStrict(left.contains, right.contains)) {
    Object.assign(merged, left ?? right);
    if (left && right) unmerged.push(right.minContains === 1 ? withoutCount(right) : right);
    return;
  }
  merged.contains = left.contains;
  merged.minContains = Math.max(left.minContains, right.minContains);
  const most = Math.min(...[left, right].map(({ maxContains = Number.POSITIVE_INFINITY }) => maxContains));
  if (Number.isFinite(most)) merged.maxContains = most;
}

const withoutCount = ({ minContains: _, ...rest }: Contains): JsonObject => rest;

interface Contains extends JsonObject {
  contains: JsonSchema;
  minContains: number;
  maxContains?: number;
}

/** The keywords of `contains`; undefined where every array matches. */
function containsOf({ contains, minContains = 1, maxContains }: JsonObject): Contains | undefined {
  if (contains === undefined || (minContains === 0 && maxContains === undefined)) return undefined;
  const counts = { contains: contains as JsonSchema, minContains: minContains as number };
  return maxContains === undefined ? counts : { ...counts, maxContains: maxContains as number };
}

/** A key that only one side declares must match `additionalProperties` of the other side. */
function mergeProperties(merged: JsonObject, a: JsonObject, b: JsonObject, unmerged: JsonObject[]): void {
  if (a.required || b.required)
    merged.required = [...new Set([...((a.required as string[]) ?? []), ...((b.required as string[]) ?? [])])];
  const sides = [a, b].map((side) => ({
    properties: (side.properties as Record<string, JsonSchema> | undefined) ?? {},
    patterns: Object.entries((side.patternProperties as Record<string, JsonSchema> | undefined) ?? {}),
    others: (side.additionalProperties as JsonSchema | undefined) ?? true,
  }));
  const of = ({ properties, patterns, others }: (typeof sides)[number], key: string): JsonSchema => {
    const named = patterns.filter(([pattern]) => matcherFor(pattern)(key)).map(([, part]) => part);
    if (Object.hasOwn(properties, key)) named.unshift(properties[key]!);
    return named.length === 0 ? others : named.reduce(both);
  };
  const keys = new Set(sides.flatMap(({ properties }) => Object.keys(properties)));
  if (keys.size > 0) {
    const entries = [...keys].map((key): [string, JsonSchema] => [
      key,
      sides.map((side) => of(side, key)).reduce(both),
    ]);
    merged.properties = Object.fromEntries(entries);
  }
  const [left, right] = sides as [(typeof sides)[0], (typeof sides)[0]];
  const patterns = new Map(left.patterns);
  for (const [pattern, part] of right.patterns) patterns.set(pattern, both(patterns.get(pattern) ?? true, part));
  if (patterns.size > 0) merged.patternProperties = Object.fromEntries(patterns);
  const isStated = a.additionalProperties !== undefined || b.additionalProperties !== undefined;
  if (!isStated) return;
  merged.additionalProperties = both(left.others, right.others);
  // A pattern of one side may match keys to which `additionalProperties` of the other side applies.
  const isApart = ({ patterns: own, others }: typeof left, other: typeof left) =>
    others === true || other.patterns.every(([pattern]) => own.some(([same]) => same === pattern));
  if (!isApart(left, right) || !isApart(right, left))
    unmerged.push({ additionalProperties: isApart(left, right) ? right.others : left.others });
}
