// The README's tables: one for each set of schemas.
import { table } from "../../benchmarks/timing/markdown.mjs";

const percent = (part, whole) => (whole === 0 ? "" : `${((100 * part) / whole).toFixed(1)} %`);

export function tables({ rows }) {
  const sets = [...new Set(rows.map(({ set }) => set))];
  return sets.flatMap((set) => {
    const mine = rows.filter((row) => row.set === set);
    const head = [
      "compiler",
      "compiled",
      "exact",
      "wrong accepts",
      "wrong rejects",
      "wrong, and not said",
      "µs, median",
    ];
    return [
      `**${set}**: ${mine[0].schemas} schemas`,
      table(
        head,
        mine.map(({ compiler, schemas, compiled, exact, tests, wrongAccepts, wrongRejects, unsaid, microseconds }) => [
          ...[compiler, percent(compiled, schemas), percent(exact, schemas)],
          ...[`${wrongAccepts} of ${tests}`, `${wrongRejects} of ${tests}`, unsaid, microseconds ?? ""],
        ]),
      ),
    ];
  });
}
