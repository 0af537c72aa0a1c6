/**
 * The fewest characters to insert, delete or change that turn a text into another. Source: Wagner and Fischer (1974).
 *
 * @example distance("wether", "weather"); // 1
 */
export function distance(from: string, to: string): number {
  let row = [...to, 0].map((_, i) => i);
  for (const [i, char] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries())
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (char === other ? 0 : 1)));
    row = next;
  }
  return row.at(-1)!;
}
