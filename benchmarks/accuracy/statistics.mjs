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
 * McNemar's exact test, for two ways asked the same questions: how likely it is that of the questions only one got right
 * so unequal a part falls to either, if both are equally good. `won`, `lost`: questions only the one, only the other got.
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
