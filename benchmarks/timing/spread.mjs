// How far a figure depends on the moment it was measured, so that none is printed which another moment would reverse.

/** The rounds of a measurement are dealt to so many groups; with fewer rounds nothing is known of the spread. */
export const GROUPS = 4;

const fastest = (list) => Math.min(...list);

/**
 * What is measured in rounds: `value`, the `statistic` of all of them, and `groups`, that of every fourth one from the
 * first, second, third and fourth on. Empty with fewer rounds.
 *
 * @example measured([3, 1, 2, 5]); // { value: 1, groups: [3, 1, 2, 5] }
 */
export function measured(rounds, statistic = fastest) {
  const groups = Array.from({ length: rounds.length < GROUPS ? 0 : GROUPS }, (_, group) =>
    statistic(rounds.filter((_, i) => i % GROUPS === group)),
  );
  return { value: statistic(rounds), groups };
}

export const rounded = (value) => Number(value.toPrecision(3));

/**
 * A figure computed of measurements whose rounds took turns: `{ value, low, high }`, the lowest and the highest that
 * their groups give. `low` and `high` are null where nothing is known of them: too few rounds, or a group without a result, as
 * a ratio of times that came out negative.
 *
 * @example estimate([own, other], (own, other) => own / other); // { value: 0.5, low: 0.48, high: 0.55 }
 */
export function estimate(measurements, of) {
  const value = rounded(of(...measurements.map((one) => one.value)));
  const found = Array.from({ length: Math.min(...measurements.map(({ groups }) => groups.length)) }, (_, group) =>
    rounded(of(...measurements.map(({ groups }) => groups[group]))),
  );
  const all = [value, ...found];
  if (found.length === 0 || !all.every(Number.isFinite)) return { value, low: null, high: null };
  return { value, low: Math.min(...all), high: Math.max(...all) };
}

/** The ratio of two times; none of times that are differences and came out negative. */
export const quotient = (own, other) => (own > 0 && other > 0 ? own / other : Number.NaN);

/** Whether a row is on one side of a value, whatever the moment. Counts, which have no `low`, always are. */
const isApart = ({ low, high }, value) => low === undefined || (low !== null && (high < value || low > value));

/** Rows of a look too quick for their figures to say anything. */
export const unknown = (rows) => rows.map((row) => ({ ...row, low: null, high: null }));

/** Whether a row is what was aimed at; undefined where nothing was, or where the spread leaves it open. */
export function isMet(row) {
  const limit = row.most ?? row.least;
  if (limit === undefined || !isApart(row, limit)) return undefined;
  return row.value <= (row.most ?? row.value) && row.value >= (row.least ?? row.value);
}

const RATIO = "× the time";

/** Whether a row's figure is known: a ratio of times is if all groups agree who is faster, or whether the limit is met. */
export const isKnown = (row) => row.low !== null && (row.unit !== RATIO || isApart(row, 1) || isMet(row) !== undefined);

/** The figure of a row in words: "0.5 × the time (0.48 to 0.55)", or that it is not known, and between what it lies. */
export function figure(row) {
  const { value, low, high, unit } = row;
  const range = typeof low === "number" && low !== high ? ` (${low} to ${high})` : "";
  return isKnown(row) ? `${value} ${unit}${range}` : `not known${range}`;
}
