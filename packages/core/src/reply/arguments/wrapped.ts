import { isObject } from "../../common/plain-object.js";
import { type Plan, property } from "../../schema/plan.js";
import { CALL_KEYS } from "./call-keys.js";

/**
 * The arguments inside an object whose only key is not a parameter of the tool, such as `{"args": {"city": "Rome"}}`.
 * Undefined unless the schema declares every key inside.
 */
export function wrappedArguments(value: unknown, { properties, schema }: Plan): Record<string, unknown> | undefined {
  if (!isObject(value) || properties.size === 0 || takesOthers(schema)) return undefined;
  let [inside, isWrapped] = [value, false];
  for (;;) {
    const [key, ...others] = Object.keys(inside);
    if (key === undefined || properties.has(key)) break;
    const next = inside[key];
    if (others.length > 0 || !isObject(next)) return undefined;
    [inside, isWrapped] = [next, true];
  }
  const isKnown = Object.keys(inside).every((key) => properties.has(key));
  return isWrapped && isKnown && Object.keys(inside).length > 0 ? inside : undefined;
}

/** Whether the schema allows undeclared keys. */
const takesOthers = (schema: Plan["schema"]) =>
  isObject(schema) && (schema.patternProperties !== undefined || isObject(schema.additionalProperties));

/**
 * Whether a key occurs in an object that does not declare it, inside one that declares it and lacks it: where brackets
 * are missing, the key may belong to the outer object.
 */
export function holdsMisplaced(value: unknown, plan: Plan, outer: readonly (readonly [object, Plan])[] = []): boolean {
  if (Array.isArray(value)) return value.some((item, i) => holdsMisplaced(item, plan.prefix[i] ?? plan.items, outer));
  if (!isObject(value)) return false;
  const around = [...outer, [value, plan] as const];
  return Object.entries(value).some(([key, part]) => {
    const isElsewhere = outer.some(([object, { properties }]) => properties.has(key) && !Object.hasOwn(object, key));
    if (!plan.properties.has(key) && isElsewhere) return true;
    const next = property(plan, key)?.plan;
    return next !== undefined && holdsMisplaced(part, next, around);
  });
}

/**
 * Whether an object in the arguments names a tool, by its name as a call does or by its key: where brackets are
 * missing, it may be the next call.
 */
export function holdsCall(value: unknown, isTool: (name: string) => boolean): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((part) => {
    const isCall = isObject(part) && Object.entries(part).some(([of, name]) => names(of, name, isTool));
    return isCall || holdsCall(part, isTool);
  });
}

const names = (key: string, value: unknown, isTool: (name: string) => boolean): boolean =>
  typeof value === "string" ? CALL_KEYS.has(key) && isTool(value) : isObject(value) && isTool(key);
