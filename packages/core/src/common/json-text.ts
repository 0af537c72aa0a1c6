import { isObject } from "./plain-object.js";

/**
 * The value of a JSON text.
 *
 * Errors: none: `undefined` for a text that is not JSON.
 *
 * @example parsedJson("[1]"); // [1]
 * @example parsedJson("[1"); // undefined
 */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The value of a JSON text, or the text itself.
 *
 * Errors: none.
 *
 * @example jsonOrText("[1]"); // [1]
 * @example jsonOrText("[1"); // "[1"
 */
export function jsonOrText(text: string): unknown {
  const value = parsedJson(text);
  return value === undefined ? text : value;
}

/**
 * The object of a JSON text, such as the arguments of a call.
 *
 * Errors: none: `undefined` for a text that is not JSON, or that is another value, such as a list.
 *
 * @example jsonObject('{"a":1}'); // { a: 1 }
 * @example jsonObject("[1]"); // undefined
 */
export function jsonObject(text: string): Record<string, unknown> | undefined {
  const value = parsedJson(text);
  return isObject(value) ? value : undefined;
}

/**
 * Whether a text is strict JSON.
 *
 * @example isJson("[1]"); // true
 */
export const isJson = (text: string): boolean => parsedJson(text) !== undefined;

/**
 * The value as `JSON.stringify` reads it: what its `toJSON` returns, if it has one.
 *
 * @example jsonOf(new Date(0)); // "1970-01-01T00:00:00.000Z"
 */
export const jsonOf = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "toJSON" in value && typeof value.toJSON === "function"
    ? value.toJSON()
    : value;

/** The deepest nesting of data that functions which call themselves read and write, as `JSON.stringify` does. */
export const MAX_JSON_LEVELS = 500;

/**
 * Whether data is nested more than {@link MAX_JSON_LEVELS} deep. Data that contains itself is.
 *
 * @example isTooDeep([[1]]); // false
 */
export const isTooDeep = (value: unknown, levels = MAX_JSON_LEVELS): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((part) => isTooDeep(part, levels - 1)));

/**
 * The path of the first part of a value that JSON lacks, and what it is; `undefined` if there is none.
 *
 * @example lackedByJson({ a: [1n] }); // { path: ".a[0]", what: "is a bigint" }
 */
export function lackedByJson(given: unknown, level = 1): { path: string; what: string } | undefined {
  const value = jsonOf(given);
  const type = typeof value;
  if (type === "number" && !Number.isFinite(value)) return { path: "", what: `is ${value}` };
  if (type === "bigint" || type === "symbol" || type === "function") return { path: "", what: `is a ${type}` };
  if (typeof value !== "object" || value === null) return undefined;
  if (level > MAX_JSON_LEVELS)
    return { path: "", what: `is more than ${MAX_JSON_LEVELS} levels deep, or contains itself` };
  if (value instanceof Map || value instanceof Set)
    return { path: "", what: `is a ${value instanceof Map ? "Map" : "Set"}` };
  for (const key of Object.keys(value)) {
    const part: unknown = (value as Record<string, unknown>)[key];
    const found = typeof part === "string" ? undefined : lackedByJson(part, level + 1);
    if (found) return { ...found, path: (Array.isArray(value) ? `[${key}]` : `.${key}`) + found.path };
  }
  return undefined;
}

/**
 * The value of a JSON text of a server or a file.
 *
 * Errors: none: `undefined` for a text that is not JSON, and for JSON nested more than {@link MAX_JSON_LEVELS} deep.
 *
 * @example shallowJson('{"error":"overloaded"}'); // { error: "overloaded" }
 */
export function shallowJson(text: string): unknown {
  const value = parsedJson(text);
  // Each level takes two characters.
  return text.length > 2 * MAX_JSON_LEVELS && isTooDeep(value) ? undefined : value;
}
