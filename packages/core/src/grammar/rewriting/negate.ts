import { isObject } from "../../common/plain-object.js";
import type { JsonObject } from "../../schema/json.js";
import { typesOf } from "../../schema/words.js";
import type { JsonSchema } from "../../types.js";

/** The maximum number of alternatives in a negation: more make too many cases. */
const MAX_WAYS = 8;
const TYPES = ["string", "number", "boolean", "null", "array", "object"];

/**
 * A schema for exactly the values that do not match this one; undefined where reversing its keywords is not enough. For
 * listed values it is `{ not: { enum } }`, for integers it includes `{ type: "number", not: { type: "integer" } }`.
 * Both are in normal form; `resolve` follows references.
 */
export function negate(schema: JsonSchema, resolve: (ref: string) => JsonSchema, depth = 0): JsonSchema | undefined {
  if (typeof schema === "boolean") return !schema;
  if (depth > 4) return undefined;
  const inner = (part: JsonSchema) => negate(part, resolve, depth + 1);
  if (typeof schema.$ref === "string") return inner(resolve(schema.$ref));
  // A value that violates one keyword does not match.
  const ways: JsonSchema[] = [];
  for (const keyword of Object.keys(schema)) {
    if (keyword === "$defs") continue;
    const way = Object.hasOwn(opposites, keyword) ? opposites[keyword]!(schema[keyword], schema, inner) : undefined;
    if (way === undefined) return undefined;
    ways.push(...way.filter((one) => one !== false));
  }
  if (ways.length > MAX_WAYS) return undefined;
  return ways.length === 0 ? false : ways.length === 1 ? ways[0]! : { anyOf: ways };
}

type Opposite = (
  value: unknown,
  node: JsonObject,
  inner: (part: JsonSchema) => JsonSchema | undefined,
) => JsonSchema[] | undefined;

const bound =
  (opposite: string): Opposite =>
  (value) => [{ type: "number", [opposite]: value }];

const count =
  (type: string, opposite: string, by: number): Opposite =>
  (value) =>
    (value as number) + by < 0 ? [] : [{ type, [opposite]: (value as number) + by }];

const each = (
  parts: readonly JsonSchema[],
  inner: (part: JsonSchema) => JsonSchema | undefined,
): JsonSchema[] | undefined => {
  const all = parts.map(inner);
  return all.includes(undefined) ? undefined : (all as JsonSchema[]);
};

const opposites: Record<string, Opposite> = {
  type(_, node) {
    const types = typesOf(node);
    const others = TYPES.filter((type) => !types.includes(type) && !(type === "number" && types.includes("integer")));
    const isWhole = types.includes("integer") && !types.includes("number");
    const fractions = isWhole ? [{ type: "number", not: { type: "integer" } }] : [];
    return [...(others.length === 0 ? [] : [{ type: others }]), ...fractions];
  },
  const: (value) => [{ not: { enum: [value] } }],
  enum: (values, node) => ("const" in node ? undefined : [{ not: { enum: values } }]),
  minimum: bound("exclusiveMaximum"),
  maximum: bound("exclusiveMinimum"),
  exclusiveMinimum: bound("maximum"),
  exclusiveMaximum: bound("minimum"),
  minLength: count("string", "maxLength", -1),
  maxLength: count("string", "minLength", 1),
  minItems: count("array", "maxItems", -1),
  maxItems: count("array", "minItems", 1),
  minProperties: count("object", "maxProperties", -1),
  maxProperties: count("object", "minProperties", 1),
  required: (keys) => (keys as string[]).map((key) => ({ type: "object", properties: { [key]: false } })),
  properties(value, _, inner) {
    const entries = Object.entries(value as Record<string, JsonSchema>);
    const all = each(
      entries.map(([, part]) => part),
      inner,
    );
    return all?.flatMap((part, i): JsonSchema[] => {
      const [key] = entries[i]!;
      return part === false ? [] : [{ type: "object", properties: Object.fromEntries([[key, part]]), required: [key] }];
    });
  },
  anyOf(parts, _, inner) {
    const all = each(parts as JsonSchema[], inner);
    return all && [{ allOf: all }];
  },
  allOf: (parts, _, inner) => each(parts as JsonSchema[], inner),
  not: (part) => [part as JsonSchema],
};

/** The values that a schema under `not` excludes, if it consists of `const` or `enum` alone. */
export function excluded(schema: unknown): unknown[] | undefined {
  if (!isObject(schema)) return undefined;
  const keys = Object.keys(schema);
  if (keys.length !== 1) return undefined;
  return keys[0] === "const" ? [schema.const] : keys[0] === "enum" ? (schema.enum as unknown[]) : undefined;
}

/** Whether a node admits only numbers that are not integers. */
export const isFraction = (node: JsonObject): boolean =>
  isObject(node.not) && Object.keys(node.not).length === 1 && typesOf(node.not).join() === "integer" && isNumeric(node);

const isNumeric = (node: JsonObject) =>
  typesOf(node).length > 0 && typesOf(node).every((type) => type === "number" || type === "integer");
