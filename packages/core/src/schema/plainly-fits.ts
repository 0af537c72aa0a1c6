import { hasOneOf, hasType } from "./json-types.js";
import type { Plan } from "./plan.js";

/**
 * Whether a value certainly matches a schema of the plain kind that most tools have: types, properties, required,
 * items, enum, anyOf, limits of size. False means that the full validator must decide. Twenty times faster than the
 * full validator.
 */
export function plainlyFits(value: unknown, plan: Plan, branchings = 0): boolean {
  const { schema, onlyType } = plan;
  if (onlyType !== undefined) return hasType(value, onlyType);
  if (typeof schema === "boolean") return schema;
  if (!plan.isPlain) return false;
  if (plan.types && !hasOneOf(plan.types, value)) return false;
  if (Array.isArray(schema.enum) && !schema.enum.includes(value)) return false;
  if (schema.anyOf !== undefined && !fitsBranch(value, plan, branchings)) return false;
  if (typeof value === "number") return isWithin(value, schema);
  if (typeof value === "string") return hasLength(value.length, value.length >> 1, schema.minLength, schema.maxLength);
  if (!hasParts(value)) return true;
  if (Array.isArray(value)) {
    if (!hasLength(value.length, value.length, schema.minItems, schema.maxItems)) return false;
    const { items } = plan;
    for (const item of value) if (!plainlyFits(item, items)) return false;
    return true;
  }
  if (Array.isArray(schema.required))
    for (const key of schema.required) if (!Object.hasOwn(value, String(key))) return false;
  const { properties } = plan;
  for (const key of Object.keys(value)) {
    const expected = properties.get(key) ?? plan.additional;
    if (expected === false || !plainlyFits((value as Record<string, unknown>)[key], expected)) return false;
  }
  return true;
}

/** A branch for objects or arrays is left to the validator: nested branches could take exponential time. */
const fitsBranch = (value: unknown, { branches }: Plan, branchings: number): boolean =>
  !hasParts(value) &&
  branchings < MAX_BRANCHINGS &&
  branches.some((branch) => plainlyFits(value, branch, branchings + 1));

/** The maximum depth of branches, because a schema may be a branch of itself. */
export const MAX_BRANCHINGS = 4;

export const hasParts = (value: unknown): value is object => typeof value === "object" && value !== null;

/** A limit that is not a number (draft 4 has booleans) is left to the validator, so no value is within it. */
function isWithin(value: number, limits: { [keyword: string]: unknown }): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = limits;
  return (
    (minimum === undefined || (typeof minimum === "number" && value >= minimum)) &&
    (maximum === undefined || (typeof maximum === "number" && value <= maximum)) &&
    (exclusiveMinimum === undefined || (typeof exclusiveMinimum === "number" && value > exclusiveMinimum)) &&
    (exclusiveMaximum === undefined || (typeof exclusiveMaximum === "number" && value < exclusiveMaximum))
  );
}

/**
 * Compares bounds of a string's length: it has at most as many characters as UTF-16 units, and at least half as many.
 */
const hasLength = (most: number, least: number, min: unknown, max: unknown): boolean =>
  (min === undefined || (typeof min === "number" && (least >= min || (min <= 1 && most >= min)))) &&
  (max === undefined || (typeof max === "number" && most <= max));
