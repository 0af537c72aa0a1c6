// How soon the first character of a call's arguments is known: two ways on the questions in which both called, in one run.
import { fewest, mcnemar, mean } from "./statistics.mjs";

/** Ours, and the server's own ways with the same examples. */
const pairs = [
  ["hermes/compact/lazy/no-retry/mixed-4", "native/auto/mixed-4"],
  ["hermes/compact/lazy/no-retry/mixed-4", "json-schema/auto/mixed-4"],
];

/**
 * `{ model, ours, theirs, count, tokens: { ours, theirs }, ratio, low, high, less, more, p }` for each model and pair.
 * `tokens`: means of the reply's tokens up to there; `ratio`: the median of our seconds by theirs, from the request on, with
 * its 95 % interval; `less`, `more`: questions in which ours took less time, or more; `p`: the sign test.
 */
export function firstArguments(records) {
  const models = [...new Set(records.map(({ model }) => model))];
  return models.flatMap((model) => pairs.flatMap(([ours, theirs]) => compared(model, ours, theirs, records)));
}

function compared(model, ours, theirs, records) {
  const begunIn = (cell) =>
    records.flatMap((one) =>
      one.model === model && one.cell === cell && one.firstArgument?.tokens ? [[one.id, one.firstArgument]] : [],
    );
  const others = new Map(begunIn(theirs));
  const both = begunIn(ours).flatMap(([id, one]) => (others.has(id) ? [[one, others.get(id)]] : []));
  if (both.length < fewest) return []; // no interval has 95 % of fewer
  const ratios = both.map(([one, other]) => one.seconds / other.seconds).sort((a, b) => a - b);
  const [less, more] = [ratios.filter((one) => one < 1).length, ratios.filter((one) => one > 1).length];
  const tokens = (side) => rounded(mean(both.map((pair) => pair[side].tokens)));
  return [
    {
      ...{ model, ours, theirs, count: both.length, tokens: { ours: tokens(0), theirs: tokens(1) } },
      ...medianOf(ratios),
      ...{ less, more, p: Number(mcnemar(less, more).toPrecision(3)) },
    },
  ];
}

const rounded = (number) => Number(number.toFixed(2));

/**
 * The median of sorted numbers, and those that enclose it with 95 % confidence: by the binomial distribution's approximation.
 */
function medianOf(sorted) {
  const count = sorted.length;
  const at = (place) => rounded(sorted[Math.min(count - 1, Math.max(0, place))]);
  const half = 0.98 * Math.sqrt(count);
  const [below, above] = [Math.ceil(count / 2) - 1, Math.floor(count / 2)];
  return {
    ratio: rounded((sorted[below] + sorted[above]) / 2),
    low: at(Math.floor(count / 2 - half) - 1),
    high: at(Math.ceil(count / 2 + half)),
  };
}
