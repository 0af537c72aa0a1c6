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

/**
 * Refuses a key of an object that another branch of a union declares, and one that misspells a key of its own branch: libraries drop
 * both. `object`: a value of any kind.
 */
export function refuseOfOthers(
  object: unknown,
  branch: Plan,
  all: readonly Plan[],
  path: string,
  repairs: Repairs,
): void {
  if (!isObject(object) || branch.properties.size === 0 || declaresMore(branch)) return;
  for (const [key, value] of Object.entries(object).slice(0, MAX_OTHERS)) {
    if (declares(branch, key) || isEmpty(value)) continue;
    const at = join(path, key);
    const isOfAnother = all.some(({ properties }) => properties.has(key));
    // It is farther from this branch.
    if (isOfAnother) repairs.lose(at, branch);
    const known = list([...branch.properties.keys()], ", ", 12, quote);
    const meant = isOfAnother ? `This alternative has ${known}.` : misspelt(key, unsetIn(object, branch));
    if (meant !== "") repairs.refuse(UNKNOWN + meant, at);
  }
}

/** Whether a value is null, or a text, list or object without contents. */
export const isEmpty = (value: unknown): boolean =>
  value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);

/**
 * Refuses a key without which the tool would run, because the schema of its object lacks it. `args`: all arguments; `plan`: theirs.
 *
 * - Of the keys that were dropped or are lost (see {@link Repairs.lose}): one that is nearly a declared one which is not set, one
 *   that belongs elsewhere, and any key of an object that is then empty.
 * - Of the others, if the schema does not explicitly allow them: one that misspells a declared key which is not set, one that
 *   belongs elsewhere, or the first one of arguments of which none is declared.
 *
 * A key belongs elsewhere if an object directly inside or around its own declares it and lacks it.
 *
 * @example refuseUnknown({ path: "/a", dry_rn: true }, plan, repairs); // the schema declares path and dry_run: invalid
 */
export function refuseUnknown(args: unknown, plan: Plan, repairs: Repairs): void {
  for (const [path, own] of repairs.losses) {
    const steps = stepsOf(path);
    const key = steps.pop() ?? "";
    let at: Place = { value: args, plan };
    for (const step of steps) {
      const { value, plan: around, outer } = at;
      const part = { value: Object(value)[step], plan: around?.properties.get(step) };
      at = { ...part, outer: Array.isArray(value) ? outer : at };
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
export const UNKNOWN = "is not a known key. ";

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
function unknownKey(value: unknown, plan: Plan, outer?: Place): UnknownKey | undefined {
  if (!hasParts(value)) return undefined;
  const found = Array.isArray(value) ? unknownInItems(value, plan, outer) : unknownInObject(value, plan, outer);
  return found && !declaresMore(plan) ? found : undefined;
}

function unknownInItems(array: readonly unknown[], { prefix, items }: Plan, outer?: Place): UnknownKey | undefined {
  if (prefix.length > 0 || items.onlyType !== undefined) return undefined;
  for (let i = 0; i < array.length; i++) {
    const found = unknownKey(array[i], items, outer);
    if (found) return within(String(i), found);
  }
  return undefined;
}

function unknownInObject(object: object, plan: Plan, outer?: Place): UnknownKey | undefined {
  const { properties } = plan;
  if (properties.size === 0) return undefined;
  const others: string[] = [];
  const place = { value: object, plan };
  for (const key in object) {
    const part = (object as Record<string, unknown>)[key];
    const known = properties.get(key);
    const found = known && unknownKey(part, known, place);
    if (found) return within(key, found);
    if (!known && !isEmpty(part)) others.push(key);
  }
  return others.length === 0 ? undefined : unknownAmong(others, object, plan, outer);
}

const within = (key: string, { path, meant }: UnknownKey) => ({ path: join("", key) + path, meant });

function unknownAmong(others: string[], object: object, plan: Plan, outer: Place | undefined) {
  const unset = unsetIn(object, plan);
  // Without a required one, the call does not match the schema anyway.
  const areNone = !outer && unset.length === plan.properties.size && requiredOf(plan.schema).length === 0;
  return firstFound(others.slice(0, MAX_OTHERS), (key) => {
    const meant = placeOf(key, object, plan, outer) || (areNone ? didYouMean(key, unset) : misspelt(key, unset));
    return meant === "" ? undefined : { path: join("", key), meant };
  });
}

/** The end of the message about a key that misspells others; empty: it does not. */
function misspelt(key: string, unset: readonly string[]): string {
  const near = unset.filter((name) => isMisspelling(key, name));
  return near.length > 0 ? didYouMean(key, near) : "";
}

/** The most undeclared keys of an object that are compared with its declared ones. */
const MAX_OTHERS = 32;
