import { isObject } from "../common/plain-object.js";
import { declaresMore } from "./declares-more.js";
import { hasOneOf, hasType } from "./json-types.js";
import { isMarkupOrEmpty } from "./names.js";
import { type Plan, property } from "./plan.js";

/**
 * Whether a value certainly matches a schema of the plain kind that most tools have: types, properties, required,
 * items, enum, anyOf, limits of size. False means that the full validator must decide. Twenty times faster than the
 * full validator.
 */
export const quicklyMatches = (value: unknown, plan: Plan): boolean => matches(value, plan, false, 0);

/**
 * The same for a value that coercion certainly leaves unchanged (see `matchesAsIs`, which this implies): each part has the
 * kind of its plan, and no key is another spelling of a declared one.
 */
export const quicklyMatchesAsIs = (value: unknown, plan: Plan): boolean => matches(value, plan, true, 0);

/** Whether an object certainly matches, if its properties do. */
export function quicklyMatchesAround(value: object, { schema, types, quick }: Plan): boolean {
  if (typeof schema === "boolean") return schema;
  if (!quick || quick.enum || quick.hasBranches || (types && !hasOneOf(types, value))) return false;
  for (const key of quick.required) if (!Object.hasOwn(value, key)) return false;
  return true;
}

function matches(value: unknown, plan: Plan, asItIs: boolean, branchings: number): boolean {
  const { schema, onlyType, quick } = plan;
  if (onlyType !== undefined) return hasType(value, onlyType);
  if (typeof schema === "boolean") return schema && (!asItIs || hasKind(value, plan));
  if (!quick || (asItIs && !hasKind(value, plan))) return false;
  if (plan.types && !hasOneOf(plan.types, value)) return false;
  if (quick.enum && !quick.enum.includes(value)) return false;
  if (quick.hasBranches && !matchesBranch(value, plan, asItIs, branchings)) return false;
  if (quick.hasLimits && !isWithinLimits(value, schema)) return false;
  if (!hasParts(value)) return true;
  // What is inside a value of any kind is not coerced.
  const within = asItIs && plan.kind !== "any";
  if (Array.isArray(value)) {
    const { items } = plan;
    for (const item of value) if (!matches(item, items, within, 0)) return false;
    return true;
  }
  for (const key of quick.required) if (!Object.hasOwn(value, key)) return false;
  const { properties } = plan;
  // An inherited key is checked too, which refuses at most too much.
  for (const key in value) {
    const expected = properties.get(key) ?? (within ? undeclared(plan, key) : plan.additional);
    if (!expected || !matches((value as Record<string, unknown>)[key], expected, within, 0)) return false;
  }
  return true;
}

/**
 * The plan of a key that is not declared; undefined: it is forbidden, no name, or another spelling or perhaps a misspelling
 * of a declared one.
 */
export function undeclared(plan: Plan, key: string): Plan | undefined {
  if (plan.properties.size > 0 && !declaresMore(plan)) return undefined;
  const found = property(plan, key);
  return found?.key === key && !isMarkupOrEmpty(key) ? found.plan : undefined;
}

/** Whether a value has the kind of its plan. */
function hasKind(value: unknown, { kind, types }: Plan): boolean {
  switch (kind) {
    case "any":
      return true;
    case "string":
      return typeof value === "string";
    case "array":
      return Array.isArray(value) || isNullOf(value, types);
    case "object":
      return isObject(value) || isNullOf(value, types);
    case "buffered":
      return !hasParts(value);
  }
}

/** Whether a value is null, and one of the types. */
export const isNullOf = (value: unknown, types: Plan["types"]): boolean =>
  value === null && hasOneOf(types ?? [], null);

function isWithinLimits(value: unknown, schema: { [keyword: string]: unknown }): boolean {
  const { minLength, maxLength, minItems, maxItems } = schema;
  if (typeof value === "number") return isWithin(value, schema);
  if (typeof value === "string") return hasLength(value.length, value.length >> 1, minLength, maxLength);
  return !Array.isArray(value) || hasLength(value.length, value.length, minItems, maxItems);
}

/** A branch for objects or arrays is left to the validator: nested branches could take exponential time. */
const matchesBranch = (value: unknown, { branches }: Plan, asItIs: boolean, branchings: number): boolean =>
  !hasParts(value) &&
  branchings < MAX_BRANCHINGS &&
  branches.some((branch) => matches(value, branch, asItIs, branchings + 1));

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
