import { parsedJson } from "@toolingua/core/adapters";

/** The deepest nesting of what a server sends: it is read and written by functions that call themselves. */
export const MAX_LEVELS = 500;

/**
 * The value of a JSON text of a server. `undefined` for another text, and for JSON nested more than {@link MAX_LEVELS} deep.
 *
 * @example shallowJson('{"error":"overloaded"}'); // { error: "overloaded" }
 */
export function shallowJson(text: string): unknown {
  const value = parsedJson(text);
  // Each level takes two characters.
  return text.length > 2 * MAX_LEVELS && isDeeper(value, MAX_LEVELS) ? undefined : value;
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1)));
