import { firstFound } from "../../common/first-found.js";
import { isObject } from "../../common/plain-object.js";
import { declares, type Plan, property } from "../../schema/plan.js";

/**
 * The first key of a value that is odd (`isOdd`) and that the schema does not declare, in an object with declared keys.
 *
 * @example oddKey({ city: "Rome", "a>": 1 }, planFor({ properties: { city: {} } }), (key) => key.includes(">")); // "a>"
 */
export function oddKey(value: unknown, plan: Plan, isOdd: (key: string) => boolean): string | undefined {
  if (Array.isArray(value))
    return firstFound(value, (item, i) => oddKeyWithin(item, plan.prefix[i] ?? plan.items, isOdd));
  if (!isObject(value)) return undefined;
  const isOddHere = (key: string) => plan.properties.size > 0 && !declares(plan, key) && isOdd(key);
  return firstFound(Object.keys(value), (key) =>
    isOddHere(key) ? key : oddKeyWithin(value[key], property(plan, key)?.plan, isOdd),
  );
}

const oddKeyWithin = (value: unknown, plan: Plan | undefined, isOdd: (key: string) => boolean) =>
  typeof value === "object" && plan ? oddKey(value, plan, isOdd) : undefined;
