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
  const near = nearest && nearest.far <= Math.max(2, Math.floor(asked.length / 3));
  return { ranked: ranked.map(({ name }) => name), ...(near && { meant: nearest.name }) };
}
