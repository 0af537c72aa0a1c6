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

/** The one text in a list, or in an object under the name of its argument; `path`: the pointer to that. */
export function onlyText(value: object, path: string): string | undefined {
  const [only, ...more]: unknown[] = Object.values(value);
  if (typeof only !== "string" || more.length > 0) return undefined;
  return Array.isArray(value) || Object.hasOwn(value, stepsOf(path).at(-1) ?? "") ? only : undefined;
}

/**
 * Whether the JSON of a list or an object may be the text that the schema asks for, such as the contents of a file. A list of
 * other values may be several texts, and the schema of a text says what it is instead of giving it.
 */
export function isContents(value: object): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(hasParts);
  return !("type" in value && typeof value.type === "string" && typeNamed(value.type) !== undefined);
}
