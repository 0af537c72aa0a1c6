/** The characters of a text, as numbers from 0. */
type Characters = Uint16Array | Int32Array;

/**
 * Where the suffixes of a text begin, in the order of the suffixes, so that all occurrences of a word are one range
 * of it. Linear in the text. Source: Nong, Zhang and Chan, "Two Efficient Algorithms for Linear Time Suffix Array
 * Construction" (2011), by induced sorting.
 *
 * `upper`: the largest number in it.
 *
 * @example suffixArray(Uint16Array.of(1, 0, 1), 1); // 1 (0 1), 2 (1), 0 (1 0 1)
 */
export function suffixArray(text: Characters, upper: number): Int32Array {
  const n = text.length;
  if (n < 2) return new Int32Array(n);
  /** Whether a suffix comes before the one that begins one character later. */
  const rises = new Uint8Array(n);
  for (let i = n - 2; i >= 0; i--) {
    const [here, next] = [text[i]!, text[i + 1]!];
    rises[i] = here === next ? rises[i + 1]! : Number(here < next);
  }
  /** Where the suffixes begin in the order that begin with a character: those that fall come before those that rise. */
  const falling = new Int32Array(upper + 2);
  const rising = new Int32Array(upper + 1);
  for (let i = 0; i < n; i++) {
    if (rises[i] === 1) falling[text[i]! + 1]! += 1;
    else rising[text[i]!]! += 1;
  }
  for (let char = 0; char <= upper; char++) {
    rising[char]! += falling[char]!;
    falling[char + 1]! += rising[char]!;
  }
  const isValley = (i: number) => rises[i] === 1 && rises[i - 1] === 0;
  const valleys: number[] = [];
  /** The number of the valley at a place, or -1. */
  const numbers = new Int32Array(n).fill(-1);
  for (let i = 1; i < n; i++) if (isValley(i)) numbers[i] = valleys.push(i) - 1;

  const order = new Int32Array(n);
  /** Sorts all suffixes, given those that begin in a valley in their order. */
  const induce = (starts: ArrayLike<number>) => {
    order.fill(-1);
    let free = rising.slice();
    for (let i = 0; i < starts.length; i++) order[free[text[starts[i]!]!]!++] = starts[i]!;
    free = falling.slice();
    order[free[text[n - 1]!]!++] = n - 1;
    for (let i = 0; i < n; i++) {
      const before = order[i]! - 1;
      if (before >= 0 && rises[before] === 0) order[free[text[before]!]!++] = before;
    }
    free = falling.slice();
    for (let i = n - 1; i >= 0; i--) {
      const before = order[i]! - 1;
      if (before >= 0 && rises[before] === 1) order[--free[text[before]! + 1]!] = before;
    }
  };
  induce(valleys);
  if (valleys.length === 0) return order;

  // Each stretch between two valleys becomes one character of a shorter text, whose suffixes are in the same order.
  const sorted = new Int32Array(valleys.length);
  let count = 0;
  for (let i = 0; i < n; i++) if (numbers[order[i]!]! >= 0) sorted[count++] = order[i]!;
  const endOf = (valley: number) => valleys[numbers[valley]! + 1] ?? n;
  const isSame = (a: number, b: number) => {
    const [end, other] = [endOf(a), endOf(b)];
    if (end - a !== other - b || end === n || other === n) return false;
    for (let i = 0; i <= end - a; i++) if (text[a + i] !== text[b + i]) return false;
    return true;
  };
  const shorter = new Int32Array(valleys.length);
  let name = 0;
  for (let i = 1; i < count; i++) {
    if (!isSame(sorted[i - 1]!, sorted[i]!)) name++;
    shorter[numbers[sorted[i]!]!] = name;
  }
  const inOrder = suffixArray(shorter, name);
  for (let i = 0; i < count; i++) sorted[i] = valleys[inOrder[i]!]!;
  induce(sorted);
  return order;
}
