/**
 * How many characters have to be inserted, removed or replaced to make one text of another (Levenshtein). Takes as many steps as
 * the product of the lengths: for names.
 *
 * @example editDistance("wether", "weather"); // 1
 */
export function editDistance(a: string, b: string): number {
  /** The distances of the beginning of `a` to each beginning of `b`. */
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++)
      next.push(Math.min(row[j]! + (a[i] === b[j] ? 0 : 1), row[j + 1]! + 1, next[j]! + 1));
    row = next;
  }
  return row[b.length]!;
}
