/**
 * How many characters must be inserted, deleted or replaced to make one text of the other (Levenshtein's distance). Takes time
 * proportional to the product of their lengths, so both must be short.
 *
 * @example distance("wether", "weather"); // 1
 */
export function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const character of a.split("")) {
    const above = row;
    row = [above[0]! + 1];
    for (let i = 0; i < b.length; i++)
      row.push(Math.min(above[i]! + (character === b[i] ? 0 : 1), above[i + 1]! + 1, row[i]! + 1));
  }
  return row[b.length]!;
}
