import { firstOf } from "../../common/first-of.js";
import { isObject } from "../../common/plain-object.js";
import { declares, type Plan, property } from "../../schema/plan.js";

/**
 * The first key of a value that is odd (`isOdd`) and that the schema does not declare, in an object with declared keys.
 *
 * @example oddKey({ city: "Rome", "a>": 1 }, planFor({ properties: { city: {} } }), (key) => key.includes(">")); // "a>"
 */
export function oddKey(value: unknown, plan: Plan, isOdd: (key: string) => boolean): string | undefined {
  if (Array.isArray(value)) return firstOf(value, (item, i) => oddKey(item, plan.prefix[i] ?? plan.items, isOdd));
  if (!isObject(value)) return undefined;
  return firstOf(Object.entries(value), ([key, part]) => {
    if (plan.properties.size > 0 && isOdd(key) && !declares(plan, key)) return key;
    const within = typeof part === "object" ? property(plan, key)?.plan : undefined;
    return within && oddKey(part, within, isOdd);
  });
}
