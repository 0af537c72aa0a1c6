import type { Opening } from "../forms/opening.js";

/** The number of characters that distinguish most markers. */
const PREFIX = 4;

/** Finds the places of a text where a marker may be, and the markers that may be at such a place. */
export class MarkerTable {
  private readonly byFirst: ReadonlyMap<string, readonly Opening[]>;
  /**
   * Candidate markers by the hash of their first characters, because cutting out a string takes longer. Shorter markers
   * are in the list of each prefix.
   */
  private readonly byPrefix = new Map<number, { prefix: string; openings: Opening[] }[]>();
  private readonly short: Opening[];
  /** Two characters that may begin a marker (or one, at the end of the text); a backtick, a tilde, a bracket or a newline. */
  private readonly interesting: RegExp;

  /** `everyTag`: every tag must be examined. */
  constructor(openings: readonly Opening[], everyTag: boolean) {
    const sorted = [...openings].sort((a, b) => b.marker.length - a.marker.length);
    this.byFirst = groupBy(sorted, ({ marker }) => marker.charAt(0));
    // White space may come before the last character of a tag.
    this.short = sorted.filter(({ marker }) => marker.length <= PREFIX);
    const shorter = this.short.filter(({ marker }) => marker.length < PREFIX);
    for (const [prefix, alike] of groupBy(sorted, ({ marker }) => marker.slice(0, PREFIX))) {
      if (prefix.length < PREFIX) continue;
      const hash = hashAt(prefix, 0);
      const found = [...alike, ...shorter.filter(({ marker }) => prefix.startsWith(marker))];
      this.byPrefix.set(hash, [...(this.byPrefix.get(hash) ?? []), { prefix, openings: found }]);
    }
    this.interesting = new RegExp(["[`~\\n[{]", ...this.starts(everyTag)].join("|"), "g");
  }

  /** The patterns of the first two characters of the markers. */
  private starts(everyTag: boolean): string[] {
    const starts = [...this.byFirst].map(([first, list]) => {
      if (first === "<" && everyTag) return first;
      const seconds = [...new Set(list.map(({ marker }) => marker.charAt(1)))];
      return seconds.includes("") ? inHex(first) : `${inHex(first)}(?:[${seconds.map(inHex).join("")}]|$)`;
    });
    return everyTag && !this.byFirst.has("<") ? [...starts, "<"] : starts;
  }

  /** The next index at or after `from` to examine, or -1. */
  next(text: string, from: number): number {
    this.interesting.lastIndex = from;
    return this.interesting.exec(text)?.index ?? -1;
  }

  /** The markers that may be at an index, the longest first. */
  candidates(text: string, index: number): readonly Opening[] {
    if (text.length - index < PREFIX) return this.byFirst.get(text.charAt(index)) ?? [];
    for (const { prefix, openings } of this.byPrefix.get(hashAt(text, index)) ?? [])
      if (text.startsWith(prefix, index)) return openings;
    return this.short;
  }
}

/** Items by a key, in their order. */
function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/** A number for the first characters at an index. */
const hashAt = (text: string, index: number): number =>
  text.charCodeAt(index) ^
  (text.charCodeAt(index + 1) << 5) ^
  (text.charCodeAt(index + 2) << 10) ^
  (text.charCodeAt(index + 3) << 15);

/** One character, as a regular expression spells it. */
export const inHex = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
