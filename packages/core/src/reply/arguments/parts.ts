import { isObject } from "../../common/plain-object.js";
import { stepsOf } from "../../schema/json.js";
import { typeNamed } from "../../schema/json-types.js";
import type { Plan } from "../../schema/plan.js";
import { hasParts } from "../../schema/quickly-matches.js";
import { requiredOf } from "../../schema/required.js";
import { listed } from "./text-values.js";

// Lists and objects in the place of texts, and items of lists that are none of these.

/**
 * Whether an item of a list is meant as something else than its schema asks for: a list or an object in a list of texts is not
 * its JSON, and a value in a list of lists is not the only item of one.
 */
export const isOther = (item: unknown, { kind, types, items }: Plan): boolean =>
  kind === "array"
    ? !Array.isArray(item) && item !== null && !(typeof item === "string" && mayBeList(item, items))
    : hasParts(item) && types?.every((type) => type === "string" || type === "null") === true;

const mayBeList = (text: string, items: Plan) => /^\s*[[(<]/.test(text) || listed(text, items) !== undefined;

/** Keys that say nothing of a list, as elements around its items have them. */
const LIST_NAMES = new Set(["item", "items", "value", "values", "element", "elements", "list", "array"]);

/**
 * The items of a list that is written as an object: under the numbers from 0 on, or in a list whose only key says nothing of
 * it, or is the argument's name again. `item`: the plan of an item; undefined if the object itself may be one. `path`: the
 * pointer to the list.
 *
 * @example itemsIn({ values: [1, 2] }, planOf({ type: "number" }), "/points"); // [1, 2]
 */
export function itemsIn(value: unknown, item: Plan, path: string): unknown[] | undefined {
  if (!isObject(value) || mayBe(value, item)) return undefined;
  const entries = Object.entries(value);
  if (entries.length > 0 && entries.every(([key], i) => key === String(i))) return entries.map(([, part]) => part);
  const [[name, list] = [], ...others] = entries;
  const saysNothing = name !== undefined && (LIST_NAMES.has(name) || name === stepsOf(path).at(-1));
  return saysNothing && others.length === 0 && Array.isArray(list) ? list : undefined;
}

/** Whether an object may be a value of this plan: it has all keys that are required. */
const mayBe = (value: object, { types, schema }: Plan): boolean =>
  types === undefined || (types.includes("object") && requiredOf(schema).every((key) => Object.hasOwn(value, key)));

/**
 * Whether the JSON of a list or an object may be the text that the schema asks for, such as the contents of a file. A list of
 * other values may be several texts; an object may be the schema of the text, or hold the text under its argument's name or as
 * its only `value`. `path`: the pointer to the argument.
 */
export function isContents(value: object, path: string): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(hasParts);
  const [key, ...others] = Object.keys(value);
  const holdsText =
    key === stepsOf(path).at(-1) || (key === "value" && "value" in value && typeof value.value === "string");
  if (holdsText && others.length === 0) return false;
  return !("type" in value && typeof value.type === "string" && typeNamed(value.type) === "string");
}
