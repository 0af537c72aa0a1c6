/**
 * How long one run takes, in ms, of each function: they take turns, each time with input made before the clock starts,
 * and of each the fastest median of the rounds counts.
 */
export async function compare(functions, { rounds, times }) {
  const best = functions.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++) {
    for (const [i, { prepare, run }] of functions.entries()) {
      const inputs = Array.from({ length: times }, prepare);
      const taken = [];
      for (const input of inputs) {
        const start = performance.now();
        await run(input);
        taken.push(performance.now() - start);
      }
      best[i] = Math.min(best[i], taken.sort((a, b) => a - b)[times >> 1]);
    }
  }
  return best;
}

export const rounded = (value) => Number(value.toPrecision(3));
