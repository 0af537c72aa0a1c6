import { firstFound } from "../../common/first-found.js";
import { didYouMean, isMisspelling } from "../../common/nearest-name.js";
import { isObject } from "../../common/plain-object.js";
import { declaresMore } from "../../schema/declares-more.js";
import { join, stepsOf } from "../../schema/json.js";
import type { Plan } from "../../schema/plan.js";
import { hasParts } from "../../schema/quickly-matches.js";
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

/** A key that the tool does not know, and what was probably meant. */
interface UnknownKey {
  path: string;
  meant: string;
}

/**
 * Refuses the key that {@link unknownKey} finds: the tool would run as if it were not given.
 *
 * @example refuseUndeclared({ path: "/a", dry_rn: true }, plan, repairs); // the schema declares path and dry_run: invalid
 */
export function refuseUndeclared(args: unknown, plan: Plan, repairs: Repairs): void {
  const found = unknownKey(args, plan);
  if (found) repairs.refuse(`is not a known key. ${found.meant}`, found.path);
}

/**
 * A key in arguments that its object's schema does not declare, unless it explicitly allows others: one that misspells a
 * declared key which is not set, or the first one of arguments of which none is declared.
 */
function unknownKey(value: unknown, plan: Plan, isRoot = true): UnknownKey | undefined {
  if (!hasParts(value)) return undefined;
  const found = Array.isArray(value) ? unknownInItems(value, plan) : unknownInObject(value, plan, isRoot);
  return found && !declaresMore(plan) ? found : undefined;
}

function unknownInItems(list: readonly unknown[], { prefix, items }: Plan): UnknownKey | undefined {
  if (prefix.length > 0 || items.onlyType !== undefined) return undefined;
  for (let i = 0; i < list.length; i++) {
    const found = unknownKey(list[i], items, false);
    if (found) return within(String(i), found);
  }
  return undefined;
}

function unknownInObject(object: object, plan: Plan, isRoot: boolean): UnknownKey | undefined {
  const { properties } = plan;
  if (properties.size === 0) return undefined;
  const others: string[] = [];
  for (const key in object) {
    const part = (object as Record<string, unknown>)[key];
    const known = properties.get(key);
    const found = known && unknownKey(part, known, false);
    if (found) return within(key, found);
    if (!known && !isEmpty(part)) others.push(key);
  }
  return others.length === 0 ? undefined : unknownAmong(others, object, plan, isRoot);
}

const within = (key: string, { path, meant }: UnknownKey) => ({ path: join("", key) + path, meant });

function unknownAmong(others: string[], object: object, { properties, schema }: Plan, isRoot: boolean) {
  const [first = ""] = others;
  const unset = [...properties.keys()].filter((name) => !Object.hasOwn(object, name));
  // Without a required one, the call does not match the schema anyway.
  if (isRoot && unset.length === properties.size && requiredOf(schema).length === 0)
    return { path: join("", first), meant: didYouMean(first, unset) };
  return firstFound(others.slice(0, MAX_OTHERS), (key) => {
    const meant = unset.filter((name) => isMisspelling(key, name));
    return meant.length > 0 ? { path: join("", key), meant: didYouMean(key, meant) } : undefined;
  });
}

/** The most undeclared keys of an object that are compared with its declared ones. */
const MAX_OTHERS = 32;
