// How often the right one of many tools is among those that words select.
import { groups, titles } from "../../selection/tables.mjs";
import { cell, interval, percent, whole } from "../format.mjs";

export function selectionSection({ selection }) {
  if (!selection) return { missing: ["selection"] };
  const rows = groups(selection.rows).map(({ category, size, count, rows }) => [
    ...[cell(category), cell(String(size), size), cell(whole(count), count)],
    ...rows.map(({ found, from, to }) =>
      cell(`${percent(found / count)} (${interval({ low: from, high: to })})`, found / count),
    ),
  ]);
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
          columns: titles(selection.rows).map((title, i) => ({ title, numeric: i > 0 })),
          rows,
        },
      },
    ],
  };
}
