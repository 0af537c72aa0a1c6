import { editDistance } from "@toolingua/core/adapters";
import { Failure } from "../failure.js";

/** How many edits a name of this length may be away: short names of different fields resemble each other. */
const editsOf = (length: number): number => (length >= 9 ? 2 : length >= 5 ? 1 : 0);

/** `max_tokens`, `max-tokens` and `maxTokens` are one name. */
const plain = (name: string) => name.replace(/[_-]/g, "").toLowerCase();

/** A field of an object whose name is a misspelling of a known one, which it lacks, and what is wrong with it. */
export function misspeltField(body: object, known: readonly string[]): [name: string, problem: string] | undefined {
  for (const name of Object.keys(body)) {
    if (known.includes(name)) continue;
    const meant = known.find((one) => !(one in body) && isMisspelling(plain(name), plain(one)));
    if (meant !== undefined) return [name, `there is no such field. Did you mean "${meant}"?`];
  }
  return undefined;
}

/**
 * Refuses a field whose name is a misspelling of one that the gateway reads: it would be ignored silently. Other unknown fields
 * are accepted.
 *
 * Errors: {@link Failure} `invalid`, with the field.
 *
 * @example refuseMisspelt({ temprature: 1 }, ["temperature"]); // throws: `temprature`: … Did you mean "temperature"?
 */
export function refuseMisspelt(body: object, known: readonly string[]): void {
  const [param, problem] = misspeltField(body, known) ?? [];
  if (param === undefined) return;
  throw new Failure("invalid", `\`${param}\`: ${problem}`, { param, code: "unknown_parameter" });
}

/** The word of which a value is a misspelling. */
export const misspeltWord = (given: string, words: readonly string[]): string | undefined =>
  words.includes(given) ? undefined : words.find((word) => isMisspelling(plain(given), plain(word), 1));

/** `least`: how many edits are allowed in a word of any length. */
function isMisspelling(given: string, right: string, least = 0): boolean {
  const most = Math.max(least, editsOf(right.length));
  return Math.abs(given.length - right.length) <= most && edits(given, right) <= most;
}

/** The number of changed letters between two words. Neighbours that are swapped count as one. */
function edits(a: string, b: string): number {
  const count = editDistance(a, b);
  return count === 2 && sorted(a) === sorted(b) ? 1 : count;
}

const sorted = (word: string) => [...word].sort().join("");
