import { isObject } from "../../common/plain-object.js";
import type { JsonObject } from "../../schema/json.js";
import type { JsonSchema } from "../../types.js";
import { negate } from "./negate.js";

/** Keywords for the parts of a value that no other keyword beside them, or in a subschema, evaluates. */
export const UNEVALUATED = ["unevaluatedProperties", "unevaluatedItems"] as const;
export type Unevaluated = (typeof UNEVALUATED)[number];

/** The maximum number of ways to match a schema: more make too many cases. */
const MAX_WAYS = 8;
/** The maximum number of branches of an `anyOf`: more have too many subsets. */
const MAX_BRANCHES = 3;

/** One way to match a schema: the schemas that then apply, and the parts of the value that they evaluate. */
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
 * Rewrites `unevaluatedProperties` or `unevaluatedItems` of a node in normal form as `additionalProperties` or `items`,
 * with one case for each way in which its `$ref`, `allOf`, `anyOf`, `oneOf`, `if` and `dependentSchemas` can match.
 * Returns `true` where every part is evaluated already, and undefined where there are too many cases.
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

/** The ways to match a schema; undefined where there are too many, or the schema contains itself. */
function waysOf(
  schema: JsonSchema,
  resolve: (ref: string) => JsonSchema,
  within: readonly object[],
): readonly Way[] | undefined {
  if (!isObject(schema)) return [NOTHING];
  if (within.includes(schema)) return undefined;
  const inside = (part: JsonSchema) => waysOf(part, resolve, [...within, schema]);
  /** The ways to match a part, for values that match `given`. */
  const where = (given: JsonSchema, part: JsonSchema) =>
    inside(part)?.map((way) => ({ ...way, given: [given, ...way.given] }));
  const steps: (readonly Way[] | undefined)[] = [[evaluatedBy(schema)]];
  if (typeof schema.$ref === "string") steps.push(inside(resolve(schema.$ref)));
  for (const part of (schema.allOf as JsonSchema[] | undefined) ?? []) steps.push(inside(part));
  if (schema.anyOf) steps.push(subsets((schema.anyOf as JsonSchema[]).map((part) => where(part, part))));
  if (schema.oneOf) steps.push(either((schema.oneOf as JsonSchema[]).map((part) => where(part, part))));
  if (schema.if !== undefined) steps.push(conditional(schema, resolve, where));
  for (const [key, part] of Object.entries((schema.dependentSchemas as Record<string, JsonSchema> | undefined) ?? {}))
    steps.push(either([[NOTHING], where({ required: [key] }, part)]));
  return steps.reduce((ways, step) => product(ways, step && simplified(step)));
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

/** Ways that evaluate nothing need no separate cases. */
const simplified = (ways: readonly Way[]): readonly Way[] => (ways.every(evaluatesNothing) ? [NOTHING] : ways);

const evaluatesNothing = ({ keys, patterns, allKeys, prefix, contains, allItems }: Way) =>
  keys.length + patterns.length + prefix + contains.length === 0 && !allKeys && !allItems;

const either = (options: readonly (readonly Way[] | undefined)[]): readonly Way[] | undefined =>
  options.includes(undefined) ? undefined : options.flatMap((option) => option!);

/** The ways to match any subset of the branches, at least one of them. */
function subsets(branches: readonly (readonly Way[] | undefined)[]): readonly Way[] | undefined {
  if (branches.every((branch) => branch?.every(evaluatesNothing))) return [NOTHING];
  if (branches.length > MAX_BRANCHES) return undefined;
  let ways: readonly Way[] = [];
  for (const branch of branches) {
    const also = product(ways, branch);
    if (!branch || !also) return undefined;
    ways = [...ways, ...also, ...branch];
  }
  return ways;
}

function product(left: readonly Way[] | undefined, right: readonly Way[] | undefined): readonly Way[] | undefined {
  if (!left || !right || left.length * right.length > MAX_WAYS) return undefined;
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

/** The parts that a schema's own keywords evaluate. */
function evaluatedBy(schema: JsonObject): Way {
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
