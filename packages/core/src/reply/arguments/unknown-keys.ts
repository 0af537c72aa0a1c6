import { firstFound } from "../../common/first-found.js";
import { didYouMean, isMisspelling } from "../../common/nearest-name.js";
import { isObject } from "../../common/plain-object.js";
import { declaresMore } from "../../schema/declares-more.js";
import { join, stepsOf } from "../../schema/json.js";
import { declares, type Plan } from "../../schema/plan.js";
import { hasParts } from "../../schema/quickly-matches.js";
import { requiredOf } from "../../schema/required.js";
import { list, quote } from "../../schema/words.js";
import { NAME_KEYS } from "./call-keys.js";
import type { Repairs } from "./repairs.js";

/**
 * Drops the value of an undeclared key. If the schema declares other keys, a value that is neither null nor empty is a
 * loss: see {@link refuseUnknown}. If it declares none, models often invent an argument, and nothing is lost.
 */
export function dropKey(value: unknown, plan: Plan, path: string, repairs: Repairs): void {
  repairs.add("dropped-key", path);
  const key = path.slice(1);
  if (NAME_KEYS.has(key)) repairs.dropName(key, value);
  if (plan.properties.size + plan.patterns.length > 0 && !isEmpty(value)) repairs.lose(path, plan);
}

/** A union that is read. `matches`: whether the value matches a branch. */
interface Union {
  all: readonly Plan[];
  matches: (branch: Plan) => boolean;
  path: string;
  repairs: Repairs;
}

/**
 * Refuses a key of an object that only branches of a union declare which it does not match, and one that misspells a key of
 * its own branch: libraries drop both. `object`: a value of any kind.
 */
export function refuseOfOthers(object: unknown, branch: Plan, { all, matches, path, repairs }: Union): void {
  if (!isObject(object) || branch.properties.size === 0 || declaresMore(branch)) return;
  const others = Object.keys(object).filter((key) => !declares(branch, key) && !isEmpty(object[key]));
  for (const key of others.slice(0, MAX_OTHERS)) {
    const declaring = all.filter(({ properties }) => properties.has(key));
    if (declaring.some(matches)) continue;
    const at = join(path, key);
    const isOfAnother = declaring.length > 0;
    // It is farther from this branch.
    if (isOfAnother) repairs.lose(at, branch);
    const meant = isOfAnother ? alternative(branch) : misspelt(key, unsetIn(object, branch));
    if (meant !== "") repairs.refuse(UNKNOWN + meant, at);
  }
}

const alternative = ({ properties }: Plan) => `This alternative has ${list([...properties.keys()], ", ", 12, quote)}.`;

/** Whether a value is null, or a text, list or object without contents. */
export const isEmpty = (value: unknown): boolean =>
  value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);

/**
 * Refuses a key without which the tool would run, because the schema of its object lacks it. `args`: all arguments; `plan`:
 * theirs.
 *
 * - Of the keys that were dropped or are lost (see {@link Repairs.lose}): one that is nearly a declared one which is not set,
 * one
 *   that an object directly inside or around its own declares and lacks, and any key of an object that is then empty.
 * - Of the others, which the tool gets, if the schema does not explicitly allow them: one that misspells a declared key which
 *   is not set, or the first one of arguments of which none is declared.
 *
 * @example refuseUnknown({ path: "/a", dry_rn: true }, plan, repairs); // the schema declares path and dry_run: invalid
 */
export function refuseUnknown(args: unknown, plan: Plan, repairs: Repairs): void {
  for (const [path, own] of repairs.losses) {
    const steps = stepsOf(path);
    const key = steps.pop() ?? "";
    let at: Place = { value: args, plan };
    for (const step of steps) {
      const { value, plan: around } = at;
      const part = { value: Object(value)[step], plan: around?.properties.get(step) };
      // A key of the object around a list belongs to none of its items.
      at = { ...part, outer: Array.isArray(value) ? undefined : at };
    }
    const { value: object, outer } = at;
    if (!isObject(object)) continue;
    const meant =
      placeOf(key, object, own, outer) ||
      didYouMean(key, unsetIn(object, own), Object.keys(object).length > 0 ? "" : undefined);
    if (meant !== "") repairs.refuse(UNKNOWN + meant, path);
  }
  const found = unknownKey(args, plan);
  if (found) repairs.refuse(UNKNOWN + found.meant, found.path);
}

/** How the message about an unknown key begins. */
const UNKNOWN = "is not a known key. ";

/** A value in the arguments, its plan if that is known, and the object around it. */
interface Place {
  value: unknown;
  plan: Plan | undefined;
  outer?: Place | undefined;
}

const unsetIn = (object: object, { properties }: Plan) =>
  [...properties.keys()].filter((name) => !Object.hasOwn(object, name));

/** Where a key that the schema of its object lacks belongs, as the end of a message. */
function placeOf(key: string, object: object, { properties }: Plan, outer: Place | undefined): string {
  const lacks = ({ value, plan }: Place) => plan?.properties.has(key) && !Object.hasOwn(Object(value), key);
  for (const [name, plan] of properties)
    if (lacks({ value: (object as Record<string, unknown>)[name], plan })) return `It belongs into "${name}".`;
  return outer && lacks(outer) ? "It belongs outside of its object." : "";
}

/** A key that the tool does not know, and what was probably meant. */
interface UnknownKey {
  path: string;
  meant: string;
}

/** An unknown key in a value, see {@link refuseUnknown}. */
function unknownKey(value: unknown, plan: Plan, isRoot = true): UnknownKey | undefined {
  if (!hasParts(value)) return undefined;
  const found = Array.isArray(value) ? unknownInItems(value, plan) : unknownInObject(value, plan, isRoot);
  return found && !declaresMore(plan) ? found : undefined;
}

function unknownInItems(array: readonly unknown[], { prefix, items }: Plan): UnknownKey | undefined {
  if (prefix.length > 0 || items.onlyType !== undefined) return undefined;
  for (let i = 0; i < array.length; i++) {
    const found = unknownKey(array[i], items, false);
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

function unknownAmong(others: string[], object: object, plan: Plan, isRoot: boolean) {
  const unset = unsetIn(object, plan);
  // Without a required one, the call does not match the schema anyway.
  const areNone = isRoot && unset.length === plan.properties.size && requiredOf(plan.schema).length === 0;
  return firstFound(others.slice(0, MAX_OTHERS), (key) => {
    const meant = areNone ? didYouMean(key, unset) : misspelt(key, unset);
    return meant === "" ? undefined : { path: join("", key), meant };
  });
}

/** The end of the message about a key that misspells declared ones; empty: it does not. */
function misspelt(key: string, unset: readonly string[]): string {
  const near = unset.filter((name) => isMisspelling(key, name));
  return near.length > 0 ? didYouMean(key, near) : "";
}

/** The most undeclared keys of an object that are compared with its declared ones. */
const MAX_OTHERS = 32;
