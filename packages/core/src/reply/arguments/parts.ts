import { stepsOf } from "../../schema/json.js";
import { typeNamed } from "../../schema/json-types.js";
import type { Plan } from "../../schema/plan.js";
import { hasParts } from "../../schema/quickly-matches.js";
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

/**
 * Whether the JSON of a list or an object may be the text that the schema asks for, such as the contents of a file. A list of
 * other values may be several texts; an object may be the schema of the text, or hold the text under its argument's name.
 * `path`: the pointer to the argument.
 */
export function isContents(value: object, path: string): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(hasParts);
  const [key, ...others] = Object.keys(value);
  if (key === stepsOf(path).at(-1) && others.length === 0) return false;
  return !("type" in value && typeof value.type === "string" && typeNamed(value.type) === "string");
}
