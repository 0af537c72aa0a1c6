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
