// The README's table, as a list of one.
import { table } from "../../benchmarks/timing/markdown.mjs";

const percent = (share) => `${Math.round(share * 100)} %`;

/** A row for each category and size, a column for each limit. */
export function tables({ rows }) {
  const limits = [...new Set(rows.map(({ limit }) => limit))];
  const lines = [...new Set(rows.map(({ category, size }) => `${category}\n${size}`))].map((key) => {
    const [category, size] = key.split("\n");
    const mine = rows.filter((row) => row.category === category && String(row.size) === size);
    const cells = mine.map(
      ({ found, count, from, to }) => `${percent(found / count)} (${percent(from)} to ${percent(to)})`,
    );
    return [category, size, mine[0].count, ...cells];
  });
  return [table(["questions of", "tools", "n", ...limits.map((limit) => `at most ${limit}`)], lines)];
}
