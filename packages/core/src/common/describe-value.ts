import { clip } from "./clip.js";

/** How many characters of a string are shown. */
const SHOWN = 80;

/**
 * A value in words, for the error about it: a string with its quotes (cut to 80 characters), a number or word as it
 * is, and the kind of everything else.
 *
 * @example
 * describeValue(null); // null
 * describeValue(["a"]); // a list
 */
export function describeValue(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(clip(value, SHOWN));
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return "a list";
  return value instanceof Promise ? "a promise" : "an object";
}
