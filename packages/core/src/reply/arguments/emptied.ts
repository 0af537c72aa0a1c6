import { didYouMean } from "../../common/nearest-name.js";
import { isObject } from "../../common/plain-object.js";
import { join, stepsOf } from "../../schema/json.js";
import { type Plan, takesOthers } from "../../schema/plan.js";
import { requiredOf } from "../../schema/required.js";
import { NAME_KEYS } from "./call-keys.js";
import type { Repairs } from "./repairs.js";

/**
 * Drops the value of an undeclared key. If the schema declares other keys, a value that is neither null nor empty is a
 * loss: see {@link refuseLosses}. If it declares none, models often invent an argument, and nothing is lost.
 */
export function dropKey(value: unknown, plan: Plan, path: string, repairs: Repairs): void {
  repairs.add("dropped-key", path);
  const key = path.slice(1);
  if (NAME_KEYS.has(key)) repairs.dropName(key, value);
  if (plan.properties.size + plan.patterns.length > 0 && !isEmpty(value)) repairs.lose(path, plan);
}

/** Whether a value is null, or a text, list or object without contents. */
export const isEmpty = (value: unknown): boolean =>
  value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);

/**
 * Refuses what was lost by a slip: a key that is nearly a declared one which is not set, and any key of an object that is then
 * empty. A call must not run without the arguments that the model wrote.
 *
 * @example refuseLosses({}, repairs); // after dropKey("UTC", plan, "/zone", repairs): the call is invalid
 */
export function refuseLosses(args: unknown, repairs: Repairs): void {
  for (const [path, { properties }] of repairs.losses) {
    const steps = stepsOf(path);
    const key = steps.pop() ?? "";
    const object = steps.reduce<unknown>((value, step) => Object(value)[step], args);
    if (!isObject(object)) continue;
    const unset = [...properties.keys()].filter((name) => !Object.hasOwn(object, name));
    const meant = didYouMean(key, unset, Object.keys(object).length > 0 ? "" : undefined);
    if (meant !== "") repairs.refuse(`is not a known key. ${meant}`, path);
  }
}

/**
 * Refuses arguments of which the schema declares none, unless it explicitly allows others: the tool would run as if it were
 * given none.
 */
export function refuseUndeclared(args: unknown, plan: Plan, repairs: Repairs): void {
  const { properties, patterns, branches, schema } = plan;
  // Without a required one, the call does not match the schema anyway.
  if (requiredOf(schema).length > 0) return;
  if (properties.size === 0 || patterns.length + branches.length > 0 || takesOthers(plan) || !isObject(args)) return;
  if (OTHER_DECLARING.some((keyword) => Object(schema)[keyword] !== undefined)) return;
  const keys = Object.keys(args);
  if (keys.some((key) => properties.has(key)) || keys.every((key) => isEmpty(args[key]))) return;
  const [first = ""] = keys;
  repairs.refuse(`is not a known key. ${didYouMean(first, [...properties.keys()])}`, join("", first));
}

/** Keywords beside `properties` that may declare more. */
const OTHER_DECLARING = ["allOf", "anyOf", "oneOf", "if", "$ref", "$dynamicRef", "dependentSchemas"];
