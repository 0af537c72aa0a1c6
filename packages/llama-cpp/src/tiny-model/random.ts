/** A seeded source of numbers in [0, 1): the same seed gives the same sequence on every machine (xorshift32). */
export function seededRandom(seed: number): () => number {
  let state = (seed * 2654435761) >>> 0 || 0x9e3779b9;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Normally distributed numbers (mean 0, deviation 1) out of a uniform source, by the Box-Muller transform. */
export function gaussian(uniform: () => number): () => number {
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}
