// How often the right one of many tools is among those that words select.
import { cell, interval, percent, whole } from "../format.mjs";

export function selectionSection({ selection }) {
  if (!selection) return { missing: ["selection"] };
  const limits = [...new Set(selection.rows.map(({ limit }) => limit))];
  const keys = [...new Set(selection.rows.map(({ category, size }) => `${category}\n${size}`))];
  const rows = keys.map((key) => {
    const [category, size] = key.split("\n");
    const mine = selection.rows.filter((row) => row.category === category && String(row.size) === size);
    return [
      ...[cell(category), cell(size, Number(size)), cell(whole(mine[0].count), mine[0].count)],
      ...mine.map(({ found, count, from, to }) =>
        cell(`${percent(found / count)} (${interval({ low: from, high: to })})`, found / count),
      ),
    ];
  });
  return {
    blocks: [
      {
        paragraph:
          "Each question is asked of the tools of its whole group, of which several may do nearly the same; only its own counts. " +
          "Selected are the tools that match the words of the question best, without a request to a model " +
          '(`toolSelection: { by: "words" }`).',
      },
      {
        table: {
          caption: "Questions whose right tool is among the selected, with 95 % intervals",
          columns: ["questions of", "tools", "n", ...limits.map((limit) => `at most ${limit}`)].map((title, i) => ({
            title,
            numeric: i > 0,
          })),
          rows,
        },
      },
    ],
  };
}
