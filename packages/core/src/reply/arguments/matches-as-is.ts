import { isObject } from "../../common/plain-object.js";
import { hasOneOf } from "../../schema/json-types.js";
import type { Plan } from "../../schema/plan.js";
import { hasParts, isNullOf, MAX_BRANCHINGS, undeclared } from "../../schema/quickly-matches.js";

/**
 * Whether coercion certainly leaves a value unchanged, so that it can be emitted as it is.
 *
 * @example matchesAsIs(5, planFor({ properties: { n: { type: "integer" } } }).properties.get("n")!); // true
 */
export function matchesAsIs(value: unknown, plan: Plan, branchings = 0): boolean {
  switch (plan.kind) {
    case "any":
      return true;
    case "string":
      return typeof value === "string";
    case "array":
      return Array.isArray(value) ? hasItsItems(value, plan) : isNullOf(value, plan.types);
    case "object":
      return isObject(value) ? hasItsKeys(value, plan) : isNullOf(value, plan.types);
    case "buffered":
      return !hasParts(value) && isChosen(value, plan, branchings);
  }
}

function hasItsItems(value: readonly unknown[], { prefix, items }: Plan): boolean {
  for (let i = 0; i < value.length; i++) if (!matchesAsIs(value[i], prefix[i] ?? items)) return false;
  return true;
}

function hasItsKeys(value: Record<string, unknown>, plan: Plan): boolean {
  const { properties } = plan;
  for (const key in value) {
    const part = properties.get(key) ?? undeclared(plan, key);
    if (!part || !matchesAsIs(value[key], part)) return false;
  }
  return true;
}

function isChosen(value: unknown, plan: Plan, branchings: number): boolean {
  const { schema, types, branches } = plan;
  if (typeof schema === "object") {
    if (Array.isArray(schema.enum)) return schema.enum.includes(value);
    if ("const" in schema) return schema.const === value;
  }
  if (branches.length === 0) return !types || types.length === 0 || hasOneOf(types, value);
  return branchings < MAX_BRANCHINGS && branches.some((branch) => matchesAsIs(value, branch, branchings + 1));
}
