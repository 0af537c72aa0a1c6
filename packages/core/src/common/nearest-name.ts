import { distance } from "fastest-levenshtein";

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

/** Whether a name is near enough to be what was meant. Letters in another order are one mistake, and so is a missing end. */
function isNear(asked: string, { name, far }: { name: string; far: number }): boolean {
  if (asked.length > SHORT) return far <= Math.max(2, Math.floor(asked.length / 3));
  const known = name.toLowerCase();
  return far <= 1 || (far === 2 && (known.startsWith(asked) || sorted(asked) === sorted(known)));
}

const sorted = (word: string) => [...word].sort().join("");

/** How many names a message lists. */
const LISTED = 20;

/** A shorter text begins names by chance. */
const SHORTEST_BEGINNING = 3;

/**
 * The end of a message about an unknown name: the known names that begin with it, the one that was probably meant, or
 * else all, nearest first.
 *
 * @example
 * didYouMean("wether", ["time", "weather"]); // Did you mean "weather"?
 * didYouMean("glm", ["glm4", "glm45"]); // Did you mean "glm4" or "glm45"?
 * didYouMean("add", ["time", "weather"]); // There are "time", "weather".
 */
export function didYouMean(wanted: string, names: readonly string[]): string {
  const { ranked, meant } = nearestNames(wanted, names);
  const quoted = (name: string) => JSON.stringify(name.slice(0, LENGTH));
  const begun = wanted.length < SHORTEST_BEGINNING ? [] : ranked.filter((name) => name.startsWith(wanted));
  if (begun.length > 0 && begun.length <= LISTED) return `Did you mean ${begun.map(quoted).join(" or ")}?`;
  if (meant !== undefined) return `Did you mean ${quoted(meant)}?`;
  if (ranked.length === 0) return "There is none.";
  const more = ranked.length > LISTED ? ` and ${ranked.length - LISTED} more` : "";
  return `There ${ranked.length === 1 ? "is" : "are"} ${ranked.slice(0, LISTED).map(quoted).join(", ")}${more}.`;
}
