import { type RaceOptions, race, type Standing } from "../../src/probe/race.js";

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface SimulatedCandidate {
  id: number;
  /** How often it is right, by kind of question. */
  rates: readonly number[];
}

export const rateOf = ({ rates }: SimulatedCandidate): number =>
  rates.reduce((sum, one) => sum + one, 0) / rates.length;

/**
 * A probe of a model whose rates are known. `together`: how much the candidates have in common, from 0 (each question is
 * answered by each for itself) to 1 (a hard question is hard for all).
 */
export function simulate(
  candidates: readonly SimulatedCandidate[],
  {
    seed,
    together = 0,
    ...options
  }: { seed: number; together?: number } & Pick<RaceOptions<unknown>, "count" | "stopEarly">,
): Promise<Standing<SimulatedCandidate>[]> {
  const random = randomOf(seed);
  const hardness = Array.from({ length: options.count }, random);
  return race({
    ...options,
    candidates,
    block: 4,
    ask: async ({ rates }, numbers) =>
      numbers.map((number) => {
        const shared = random() < together;
        return (shared ? (hardness[number] ?? 0) : random()) < (rates[number % 4] ?? 0);
      }),
  });
}
