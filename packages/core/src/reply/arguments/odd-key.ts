import { firstOf } from "../../common/first-of.js";
import { isObject } from "../../common/plain-object.js";
import { declares, type Plan, property } from "../../schema/plan.js";

/**
 * The first key of a value that is odd (`isOdd`) and that the schema does not declare, in an object with declared keys.
 *
 * @example oddKey({ city: "Rome", "a>": 1 }, planFor({ properties: { city: {} } }), (key) => key.includes(">")); // "a>"
 */
export function oddKey(value: unknown, plan: Plan, isOdd: (key: string) => boolean): string | undefined {
  if (Array.isArray(value)) return firstOf(value, (item, i) => oddKeyWithin(item, plan.prefix[i] ?? plan.items, isOdd));
  if (!isObject(value)) return undefined;
  for (const key of Object.keys(value)) {
    if (plan.properties.size > 0 && !declares(plan, key) && isOdd(key)) return key;
    const part = value[key];
    const found = typeof part === "object" ? oddKeyWithin(part, property(plan, key)?.plan, isOdd) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

const oddKeyWithin = (value: unknown, plan: Plan | undefined, isOdd: (key: string) => boolean) =>
  typeof value === "object" && plan ? oddKey(value, plan, isOdd) : undefined;
