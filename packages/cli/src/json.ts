import { clip, isObject, jsonObject, nearestNames } from "@toolingua/core/adapters";

// Reads untrusted JSON without assuming its shape.

/**
 * The value at a path of a JSON value; `undefined` if there is none.
 *
 * @example at({ choices: [{ delta: { content: "Hi" } }] }, "choices", 0, "delta", "content"); // "Hi"
 */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  let here = value;
  for (const step of path) {
    if (typeof step === "number") here = Array.isArray(here) ? here[step] : undefined;
    else here = isObject(here) && Object.hasOwn(here, step) ? here[step] : undefined;
  }
  return here;
}

/** The string at a path; `undefined` if there is none. */
export function textAt(value: unknown, ...path: (string | number)[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === "string" ? found : undefined;
}

/** The `type` of a JSON object; empty if it has none. */
export const typeOf = (value: unknown): string => textAt(value, "type") ?? "";

/** The array at a path; empty if there is none. */
export function listAt(value: unknown, ...path: (string | number)[]): unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Whether a text is a JSON object, like the arguments of a call. */
export const isObjectText = (text: string): boolean => jsonObject(text) !== undefined;

/** A value quoted for a sentence: short, on one line, and without terminal control characters. */
export function quoted(value: unknown, most = 120): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
  return clip(text.replace(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim(), most);
}

/**
 * A hint after an error about a missing key: the key of the object that is probably a misspelling of one of `keys`; empty if
 * there is none.
 *
 * @example misspelt({ rol: "user" }, ["role"]); // ' There is "rol": did you mean "role"?'
 */
export function misspelt(object: unknown, keys: readonly string[]): string {
  for (const key of isObject(object) ? Object.keys(object) : []) {
    const { meant } = nearestNames(key, keys);
    if (meant !== undefined && !keys.includes(key)) return ` There is "${quoted(key)}": did you mean "${meant}"?`;
  }
  return "";
}
