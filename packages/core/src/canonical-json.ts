import { isObject } from "./plain-object.js";

const inOrder = (_key: string, value: unknown) =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;

/**
 * JSON that is the same text for equal values: the keys of every object are sorted.
 *
 * @example canonicalJson({ b: 1, a: 2 }); // '{"a":2,"b":1}'
 */
export const canonicalJson = (value: unknown): string => JSON.stringify(value, inOrder) ?? "undefined";
