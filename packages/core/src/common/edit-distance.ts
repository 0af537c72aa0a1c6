/**
 * The edit distance of two words (Levenshtein's): how many letters must be added, removed or replaced to make one of the other.
 * Takes time in proportion to the product of their lengths.
 *
 * @example editDistance("wether", "weather"); // 1
 */
export function editDistance(from: string, to: string): number {
  // The distances of the letters of `from` so far to each beginning of `to`.
  const row = Array.from({ length: to.length + 1 }, (_, length) => length);
  for (let i = 0; i < from.length; i++) {
    let replaced = row[0]!;
    row[0] = i + 1;
    for (let j = 0; j < to.length; j++) {
      const added = row[j + 1]!;
      const isSame = from.charCodeAt(i) === to.charCodeAt(j);
      row[j + 1] = isSame ? replaced : 1 + Math.min(replaced, added, row[j]!);
      replaced = added;
    }
  }
  return row[to.length]!;
}
