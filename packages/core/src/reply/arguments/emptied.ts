import { isObject } from "../../plain-object.js";
import { join, stepsOf } from "../../schema/json.js";
import type { Plan } from "../../schema/plan.js";
import type { Repairs } from "./repairs.js";

/**
 * Drops the value of a key that the schema does not declare. A value that is neither null nor empty is a loss where the
 * schema declares others: see {@link refuseEmptied}. Where there are none, models write an argument because one must be.
 */
export function dropKey(value: unknown, plan: Plan, path: string, repairs: Repairs): void {
  repairs.add("dropped-key", path);
  if (plan.properties.size + plan.patterns.length > 0 && !isEmpty(value)) repairs.losses.add(path);
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);

/**
 * Refuses objects of which nothing is left after a loss: what the model wrote must not run with nothing.
 *
 * @example refuseEmptied({}, repairs); // after dropKey("UTC", plan, "/zone", repairs): the call is invalid
 */
export function refuseEmptied(args: unknown, repairs: Repairs): void {
  for (const path of repairs.losses) {
    const steps = stepsOf(path);
    const key = steps.pop();
    const object = steps.reduce<unknown>((value, step) => Object(value)[step], args);
    if (!isObject(object) || Object.keys(object).length > 0) continue;
    repairs.refuse(
      `the key ${JSON.stringify(key)} is none of those that there are, and no other is given`,
      join("", ...steps),
    );
  }
}
