// The README's table, as a list of one.
import { table } from "../../benchmarks/timing/markdown.mjs";

const percent = (share) => `${Math.round(share * 100)} %`;

/** The results by questions, `{ category, size, count, rows }`: a row of a table each, with a column for each of its rows. */
export function groups(rows) {
  const byQuestions = new Map();
  for (const row of rows) {
    const { category, size, count } = row;
    const key = `${category} ${size}`;
    if (!byQuestions.has(key)) byQuestions.set(key, { category, size, count, rows: [] });
    byQuestions.get(key).rows.push(row);
  }
  return [...byQuestions.values()];
}

/** The titles of a table's columns, one for each limit. */
export const titles = (rows) => [
  ...["questions of", "tools", "n"],
  ...[...new Set(rows.map(({ limit }) => limit))].map((limit) => `at most ${limit}`),
];

/** A row for each category and size, a column for each limit. */
export function tables({ rows }) {
  const lines = groups(rows).map(({ category, size, count, rows }) => [
    ...[category, size, count],
    ...rows.map(({ found, from, to }) => `${percent(found / count)} (${percent(from)} to ${percent(to)})`),
  ]);
  return [table(titles(rows), lines)];
}
