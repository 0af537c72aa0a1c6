import { clip } from "../common/clip.js";
import { nearestNames } from "../common/nearest-name.js";
import { printJson } from "./json.js";

/** Names of JSON Schema's types in other languages and APIs, in lower case. */
const types: ReadonlyMap<string, string> = new Map([
  ...["string", "number", "integer", "boolean", "object", "array", "null"].map((type) => [type, type] as const),
  ["str", "string"],
  ["text", "string"],
  ["int", "integer"],
  ["long", "integer"],
  ["float", "number"],
  ["double", "number"],
  ["bool", "boolean"],
  ["dict", "object"],
  ["list", "array"],
  ["tuple", "array"],
  ["none", "null"],
  ["any", "any"],
]);

/**
 * The type with a name, in any case: one of JSON Schema's, or `any`. Undefined if the name is not a type.
 *
 * @example typeNamed("STRING"); // "string"
 */
export const typeNamed = (name: unknown): string | undefined =>
  typeof name === "string" ? (types.get(name) ?? types.get(name.toLowerCase())) : undefined;

/**
 * What is wrong with a name that is no type, and the type of which it is a misspelling. Short names and those with other
 * characters than letters (`url`, `int32`) are types of other systems, and misspell none.
 *
 * @example unknownType("objct"); // { message: 'should be a JSON type, is "objct". Did you mean "object"?', meant: "object" }
 */
export function unknownType(name: unknown): { message: string; meant: string | undefined } {
  const isWord = typeof name === "string" && /^[a-z]{4,}$/i.test(name);
  const meant = isWord ? nearestNames(name, [...new Set(types.values())]).meant : undefined;
  const hint = meant === undefined ? "" : `. Did you mean "${meant}"?`;
  return { message: `should be a JSON type, is ${clip(printJson(name), 60)}${hint}`, meant };
}

/**
 * The JSON type of a value; of any number it is `number`.
 *
 * @example typeOf([1]); // "array"
 */
export const typeOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value;

/** Whether a value has one of JSON Schema's types, or `any`. */
export function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "integer":
      return typeof value === "number" && Number.isInteger(value);
    case "any":
      return true;
    default:
      return typeof value === type;
  }
}

/** Whether a value has one of these types. */
export function hasOneOf(types: readonly string[], value: unknown): boolean {
  for (const type of types) if (hasType(value, type)) return true;
  return false;
}
