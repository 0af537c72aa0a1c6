// The README's tables: one for each set of schemas.
import { table } from "../../benchmarks/timing/markdown.mjs";

const percent = (part, whole) => (whole === 0 ? "" : `${((100 * part) / whole).toFixed(1)} %`);

const microseconds = (value) => (value >= 1000 ? `${Number((value / 1000).toPrecision(3))} ms` : `${value} µs`);

export const tables = ({ rows, orders, masks }) => [...setTables(rows), ...orderTable(orders), ...maskTable(masks)];

/** Which orders of keys the compilers admit, and what admitting all of them takes in ours. */
function orderTable({ sizes, asked, rows, bytes }) {
  const line = (label, cells) => [label, ...cells];
  return [
    "**Orders of keys**: an object of so many required keys; how many of its orders the grammar admits, and the size of ours",
    table(
      ["compiler", ...sizes.map((size) => `${size} keys`)],
      [
        ...rows.map(({ compiler, accepted }) =>
          line(
            compiler,
            accepted.map((count, i) => `${count} of ${asked[i]}`),
          ),
        ),
        line("bytes of Toolingua's grammar", bytes.standard),
        line("bytes, `maxUnordered` as many as the keys", bytes.anyOrder),
      ],
    ),
  ];
}

function maskTable({ model, vocabulary, schemas, rows }) {
  return [
    `**Masks**: ${vocabulary} tokens (${model}), ${schemas} tools of the leaderboard, their right values`,
    table(
      ["engine", "grammar", "schemas", "masks", "a mask, median", "99 % below", "to compile, median"],
      rows.map(({ engine, grammar, schemas, tokens, p50, p99, compiled }) => [
        ...[engine, grammar, schemas, tokens, microseconds(p50), microseconds(p99), microseconds(compiled)],
      ]),
    ),
  ];
}

function setTables(rows) {
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
