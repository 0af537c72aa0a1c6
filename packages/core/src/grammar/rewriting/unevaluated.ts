import { isObject } from "../../plain-object.js";
import type { JsonObject } from "../../schema/json.js";
import type { JsonSchema } from "../../types.js";
import { negate } from "./negate.js";

/** Keywords that speak of what no other keyword beside or within them speaks of. */
export const UNEVALUATED = ["unevaluatedProperties", "unevaluatedItems"] as const;
export type Unevaluated = (typeof UNEVALUATED)[number];

/** More ways to fit make too many cases. */
const MOST_WAYS = 8;
/** The subsets of more branches make too many cases. */
const MOST_BRANCHES = 3;

/** One way in which a value fits a schema: what holds then, and of which of its parts the schema has spoken. */
interface Way {
  given: readonly JsonSchema[];
  keys: readonly string[];
  patterns: readonly string[];
  allKeys: boolean;
  prefix: number;
  contains: readonly JsonSchema[];
  allItems: boolean;
}

const NOTHING: Way = { given: [], keys: [], patterns: [], allKeys: false, prefix: 0, contains: [], allItems: false };

/**
 * What `unevaluatedProperties` or `unevaluatedItems` of a node in normal form asks for, said by `additionalProperties`
 * or `items`: for each way in which its `$ref`, `allOf`, `anyOf`, `oneOf`, `if` and `dependentSchemas` can fit. `true`
 * where nothing is left to speak of; undefined where that takes too many cases.
 */
export function unevaluated(
  node: JsonObject,
  keyword: Unevaluated,
  resolve: (ref: string) => JsonSchema,
): JsonSchema | undefined {
  const { [keyword]: value, ...rest } = node;
  const ways = waysOf(rest, resolve, []);
  if (!ways) return undefined;
  const left = ways.map((way): JsonSchema => {
    const others = keyword === "unevaluatedItems" ? otherItems(way, value) : otherKeys(way, value);
    const parts = [...way.given, others].filter((part) => part !== true);
    return parts.length === 0 ? true : parts.length === 1 ? parts[0]! : { allOf: parts };
  });
  if (left.includes(true)) return true;
  return left.length === 1 ? left[0] : { anyOf: left };
}

function otherKeys({ keys, patterns, allKeys }: Way, value: unknown): JsonSchema {
  if (allKeys) return true;
  const each = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, true]));
  const patternProperties = patterns.length > 0 ? { patternProperties: each(patterns) } : {};
  return { properties: each(keys), ...patternProperties, additionalProperties: value };
}

function otherItems({ prefix, contains, allItems }: Way, value: unknown): JsonSchema {
  if (allItems) return true;
  const prefixItems = prefix > 0 ? { prefixItems: Array.from({ length: prefix }, () => true) } : {};
  return { ...prefixItems, items: contains.length > 0 ? { anyOf: [...contains, value] } : value };
}

/** Undefined where there are too many, or a schema leads back to itself. */
function waysOf(
  schema: JsonSchema,
  resolve: (ref: string) => JsonSchema,
  within: readonly object[],
): readonly Way[] | undefined {
  if (!isObject(schema)) return [NOTHING];
  if (within.includes(schema)) return undefined;
  const inside = (part: JsonSchema) => waysOf(part, resolve, [...within, schema]);
  /** Those of a part that holds where `given` does. */
  const where = (given: JsonSchema, part: JsonSchema) =>
    inside(part)?.map((way) => ({ ...way, given: [given, ...way.given] }));
  const steps: (readonly Way[] | undefined)[] = [[spokenOf(schema)]];
  if (typeof schema.$ref === "string") steps.push(inside(resolve(schema.$ref)));
  for (const part of (schema.allOf as JsonSchema[] | undefined) ?? []) steps.push(inside(part));
  if (schema.anyOf) steps.push(subsets((schema.anyOf as JsonSchema[]).map((part) => where(part, part))));
  if (schema.oneOf) steps.push(either((schema.oneOf as JsonSchema[]).map((part) => where(part, part))));
  if (schema.if !== undefined) steps.push(conditional(schema, resolve, where));
  for (const [key, part] of Object.entries((schema.dependentSchemas as Record<string, JsonSchema> | undefined) ?? {}))
    steps.push(either([[NOTHING], where({ required: [key] }, part)]));
  return steps.reduce((ways, step) => product(ways, step && plainly(step)));
}

function conditional(
  { if: condition, then = true, else: otherwise = true }: JsonObject,
  resolve: (ref: string) => JsonSchema,
  where: (given: JsonSchema, part: JsonSchema) => Way[] | undefined,
): readonly Way[] | undefined {
  const not = negate(condition as JsonSchema, resolve);
  const [yes, then_] = [where(condition as JsonSchema, condition as JsonSchema), where(true, then as JsonSchema)];
  return either([product(yes, then_), not === undefined ? undefined : where(not, otherwise as JsonSchema)]);
}

/** Where a value fits none of the parts in more than one way, no case is needed. */
const plainly = (ways: readonly Way[]): readonly Way[] => (ways.every(speaksOfNothing) ? [NOTHING] : ways);

const speaksOfNothing = ({ keys, patterns, allKeys, prefix, contains, allItems }: Way) =>
  keys.length + patterns.length + prefix + contains.length === 0 && !allKeys && !allItems;

const either = (options: readonly (readonly Way[] | undefined)[]): readonly Way[] | undefined =>
  options.includes(undefined) ? undefined : options.flatMap((option) => option!);

/** For each choice of branches that fit, one at least. */
function subsets(branches: readonly (readonly Way[] | undefined)[]): readonly Way[] | undefined {
  if (branches.every((branch) => branch?.every(speaksOfNothing))) return [NOTHING];
  if (branches.length > MOST_BRANCHES) return undefined;
  let ways: readonly Way[] = [];
  for (const branch of branches) {
    const also = product(ways, branch);
    if (!branch || !also) return undefined;
    ways = [...ways, ...also, ...branch];
  }
  return ways;
}

function product(left: readonly Way[] | undefined, right: readonly Way[] | undefined): readonly Way[] | undefined {
  if (!left || !right || left.length * right.length > MOST_WAYS) return undefined;
  return left.flatMap((a) =>
    right.map((b) => ({
      given: [...a.given, ...b.given],
      keys: [...a.keys, ...b.keys],
      patterns: [...a.patterns, ...b.patterns],
      allKeys: a.allKeys || b.allKeys,
      prefix: Math.max(a.prefix, b.prefix),
      contains: [...a.contains, ...b.contains],
      allItems: a.allItems || b.allItems,
    })),
  );
}

/** What a schema's own keywords speak of. */
function spokenOf(schema: JsonObject): Way {
  const keys = Object.keys((schema.properties as object | undefined) ?? {});
  const patterns = Object.keys((schema.patternProperties as object | undefined) ?? {});
  return {
    given: [],
    keys,
    patterns,
    allKeys: schema.additionalProperties !== undefined || schema.unevaluatedProperties !== undefined,
    prefix: ((schema.prefixItems as unknown[] | undefined) ?? []).length,
    contains: schema.contains === undefined ? [] : [schema.contains as JsonSchema],
    allItems: schema.items !== undefined || schema.unevaluatedItems !== undefined,
  };
}
