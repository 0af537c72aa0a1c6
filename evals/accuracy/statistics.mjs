export const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/** Wilson's interval of a share: where it lies with 95 % confidence. */
export function wilson(hits, count, z = 1.96) {
  if (count === 0) return [0, 1];
  const share = hits / count;
  const centre = share + z ** 2 / (2 * count);
  const spread = z * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2));
  const scale = 1 + z ** 2 / count;
  return [Math.max(0, (centre - spread) / scale), Math.min(1, (centre + spread) / scale)];
}

/**
 * McNemar's exact test, for two ways asked the same questions: how likely it is that of the questions only one got
 * right so unequal a part falls to either, if both are equally good. `won`, `lost`: questions only the one, only the
 * other got.
 */
export function mcnemar(won, lost) {
  const count = won + lost;
  let log = -count * Math.LN2; // of the likelihood that i of them fall to one side; a power of two would be rounded to 0
  let tail = 0;
  for (let i = 0; i <= Math.min(won, lost); i++) {
    tail += Math.exp(log);
    log += Math.log((count - i) / (i + 1));
  }
  return Math.min(1, 2 * tail);
}

/**
 * Fisher's exact test, for two shares that are not compared question by question: how likely counts at least as unequal
 * as these are, if both are equally good. Each side: `[right, wrong]`.
 *
 * @example fisher([3, 0], [0, 3]); // 0.1
 */
export function fisher([a, b], [c, d]) {
  const factorials = [0];
  for (let i = 1; i <= a + b + c + d; i++) factorials.push(factorials[i - 1] + Math.log(i));
  const log = (i) => factorials[i];
  const margins = log(a + b) + log(c + d) + log(a + c) + log(b + d) - log(a + b + c + d);
  const chance = (x) => Math.exp(margins - log(x) - log(a + b - x) - log(a + c - x) - log(d - a + x));
  const own = chance(a) * (1 + 1e-9);
  let sum = 0;
  for (let x = Math.max(0, a - d); x <= Math.min(a + b, a + c); x++) if (chance(x) <= own) sum += chance(x);
  return Math.min(1, sum);
}

/** Below it a difference is taken for shown. */
export const LEVEL = 0.05;

/** The number of questions that must differ, all in favour of the same way, before any difference is significant. */
export const fewest = Array.from({ length: 100 }, (_, count) => count).find((count) => mcnemar(count, 0) < LEVEL);

/**
 * The interval of the difference of two shares, by its value for each question (−1 to 1): where it lies with 95 %
 * confidence. Agresti and Min's (2005), the usual one after two made-up questions were added that balance each other,
 * so that a few questions which all agree are not taken for certainty.
 */
export function differenceInterval(differences, z = 1.96) {
  const count = differences.length + 2;
  const centre = differences.reduce((sum, one) => sum + one, 0) / count;
  const squares = differences.reduce((sum, one) => sum + one ** 2, 1) / count;
  const spread = z * Math.sqrt((squares - centre ** 2) / count);
  return [Math.max(-1, centre - spread), Math.min(1, centre + spread)];
}
