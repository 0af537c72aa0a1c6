// Confidence intervals of shares, and sequential tests. `docs/probe.md` gives the rule and its proof.

/** An interval of a share. Both ends are from 0 to 1. */
export interface Interval {
  low: number;
  high: number;
}

/** How often an interval or a decision may be wrong. */
export const LEVEL = 0.05;

/**
 * The Wilson interval of a share.
 *
 * @param hits how many of `count` were right
 * @param error how often it may miss the true share
 * @example wilson(15, 20); // { low: 0.531…, high: 0.888… }
 */
export function wilson(hits: number, count: number, error = LEVEL): Interval {
  if (count === 0) return { low: 0, high: 1 };
  const z = normalQuantile(1 - error / 2);
  const share = hits / count;
  const centre = share + z ** 2 / (2 * count);
  const spread = z * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2));
  const scale = 1 + z ** 2 / count;
  // At the ends the formula is exact up to rounding.
  return {
    low: hits === 0 ? 0 : Math.max(0, (centre - spread) / scale),
    high: hits === count ? 1 : Math.min(1, (centre + spread) / scale),
  };
}

/** The quantile of the normal distribution. Acklam's approximation: relative error below 2e-9. */
export function normalQuantile(share: number): number {
  if (share < 0.5) return -normalQuantile(1 - share);
  if (share > 1 - 0.02425) {
    const q = Math.sqrt(-2 * Math.log(1 - share));
    return -polynomial(tail.above, q) / (polynomial(tail.below, q) * q + 1);
  }
  const q = share - 0.5;
  const r = q * q;
  return (polynomial(middle.above, r) * q) / (polynomial(middle.below, r) * r + 1);
}

const polynomial = (factors: readonly number[], x: number) => factors.reduce((sum, factor) => sum * x + factor, 0);

const tail = {
  above: [
    -7.784894002430293e-3, -3.223964580411365e-1, -2.400758277161838, -2.549732539343734, 4.374664141464968,
    2.938163982698783,
  ],
  below: [7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416],
};
const middle = {
  above: [
    -3.969683028665376e1, 2.209460984245205e2, -2.759285104469687e2, 1.38357751867269e2, -3.066479806614716e1,
    2.506628277459239,
  ],
  below: [-5.447609879822406e1, 1.615858368580409e2, -1.556989798598866e2, 6.680131188771972e1, -1.328068155288572e1],
};

/** The bets of {@link evidence}: fractions of the capital, from cautious to bold. */
const bets = Array.from({ length: 19 }, (_, i) => (i + 1) / 20);

/**
 * The evidence that the first of two is right more often: the capital of a gambler who starts with 1 and bets on it,
 * question by question, at odds that are fair if both are right equally often. An e-value: if the second is at least as
 * good, the probability of ever reaching x is at most 1/x, however often one looks (Ville's inequality).
 *
 * @param won questions that only the first answered correctly; `lost`: only the second
 * @example Math.round(evidence(8, 0)); // 53
 */
export function evidence(won: number, lost: number): number {
  const owned = bets.map((bet) => (1 + bet) ** won * (1 - bet) ** lost);
  return owned.reduce((sum, one) => sum + one, 0) / bets.length;
}
