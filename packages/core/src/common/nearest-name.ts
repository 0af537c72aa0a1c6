import { distance } from "fastest-levenshtein";
import { clip } from "./clip.js";

/** Beyond this length an edit distance is meaningless, and its cost is quadratic. */
const LENGTH = 100;

/**
 * Sorts names by their edit distance from an unknown one, nearest first, and picks the one that was probably meant.
 *
 * @example nearestNames("wether", ["time", "weather"]); // { ranked: ["weather", "time"], meant: "weather" }
 */
export function nearestNames(wanted: string, names: readonly string[]): { ranked: string[]; meant?: string } {
  const asked = wanted.slice(0, LENGTH).toLowerCase();
  const ranked = names
    .map((name) => ({ name, far: distance(asked, name.slice(0, LENGTH).toLowerCase()) }))
    .sort((a, b) => a.far - b.far);
  const [nearest] = ranked;
  const near = nearest && isNear(asked, nearest);
  return { ranked: ranked.map(({ name }) => name), ...(near && { meant: nearest.name }) };
}

/** Up to this length, two words that differ in two letters are mostly different words. */
const SHORT = 4;

/** Whether a name is near enough to be what was meant. Letters in another order are one mistake. */
function isNear(asked: string, { name, far }: { name: string; far: number }): boolean {
  if (asked.length > SHORT) return far <= Math.max(2, Math.floor(asked.length / 3));
  return far <= 1 || (far === 2 && sorted(asked) === sorted(name.toLowerCase()));
}

/** `max_tokens`, `max-tokens` and `maxTokens` are one name. */
export const plainName = (name: string): string => name.replace(/[_-]/g, "").toLowerCase();

/**
 * Whether a word is certainly a misspelling of another: one letter is wrong, of nine or more two; neighbours that are swapped
 * count as one. Short words differ by chance: up to four letters `least` may be wrong.
 *
 * @example isMisspelling("temprature", "temperature"); // true
 */
export function isMisspelling(given: string, right: string, least = 0): boolean {
  const [a, b] = [plainName(given), plainName(right)];
  const most = Math.max(least, b.length >= 9 ? 2 : b.length >= 5 ? 1 : 0);
  if (Math.abs(a.length - b.length) > most) return false;
  const edits = distance(a, b);
  return edits <= most || (edits === 2 && most === 1 && sorted(a) === sorted(b));
}

const sorted = (word: string) => [...word].sort().join("");

/** How many names a message lists. */
const LISTED = 20;

/** A shorter text begins names by chance. */
const SHORTEST_BEGINNING = 3;

/**
 * The end of a message about an unknown name: the known name that was probably meant and those that begin like it. If there are
 * none: `otherwise`, or all known names in their order; of more than twenty the nearest.
 *
 * @example
 * didYouMean("wether", ["time", "weather"]); // Did you mean "weather"?
 * didYouMean("glm", ["glm4", "glm45"]); // Did you mean "glm4" or "glm45"?
 * didYouMean("add", ["time", "weather"]); // There are "time", "weather".
 */
export function didYouMean(wanted: string, names: readonly string[], otherwise?: string): string {
  const { ranked, meant } = nearestNames(wanted, names);
  const quoted = (name: string) => JSON.stringify(clip(name, LENGTH));
  const asked = wanted.toLowerCase();
  const begun = asked.length < SHORTEST_BEGINNING ? [] : ranked.filter((name) => name.toLowerCase().startsWith(asked));
  const hinted = [...new Set([...(meant === undefined ? [] : [meant]), ...begun])];
  if (hinted.length > 0 && hinted.length <= LISTED) return `Did you mean ${hinted.map(quoted).join(" or ")}?`;
  if (otherwise !== undefined) return otherwise;
  if (ranked.length === 0) return "There is none.";
  if (ranked.length > LISTED)
    return `There are ${ranked.slice(0, LISTED).map(quoted).join(", ")} and ${ranked.length - LISTED} more.`;
  return `There ${names.length === 1 ? "is" : "are"} ${names.map(quoted).join(", ")}.`;
}
