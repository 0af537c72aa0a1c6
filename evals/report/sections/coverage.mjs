// What grammars made of JSON Schemas admit.
import { cell, percent, short, whole } from "../format.mjs";

export function coverageSection({ coverage }) {
  if (!coverage) return { missing: ["coverage"] };
  const sets = [...new Set(coverage.rows.map(({ set }) => set))];
  const real = coverage.rows.filter(({ set }) => set === sets.at(-1));
  const [ours, ...others] = real;
  const peers = others.map(({ compiler, exact, schemas }) => `${compiler} ${percent(exact / schemas, 1)}`).join(", ");
  return {
    findings: [
      {
        value: percent(ours.exact / ours.schemas, 1),
        text: `of ${whole(ours.schemas)} real tool schemas have a grammar that admits and refuses ${whole(ours.tests)} values as Ajv does; ${peers}`,
      },
    ],
    blocks: [
      {
        paragraph:
          "Each value is written with its keys in the schema's order, the one that all converters admit. Exact: it compiles, and every " +
          "verdict is right. Grammars in GBNF are run by llama.cpp itself, llguidance's and XGrammar's by their own matchers. Times are " +
          "medians of one busy machine.",
      },
      ...sets.map((set) => ({
        table: tableOf(
          set,
          coverage.rows.filter((row) => row.set === set),
        ),
      })),
    ],
  };
}

function tableOf(set, rows) {
  const titles = [
    "compiler",
    "compiles",
    "exact",
    "wrong accepts",
    "wrong rejects",
    "wrong, and not said",
    "µs, median",
  ];
  return {
    caption: `${set}: ${whole(rows[0].schemas)} schemas`,
    columns: titles.map((title, i) => ({ title, numeric: i > 0 })),
    rows: rows.map(
      ({ compiler, schemas, compiled, exact, tests, wrongAccepts, wrongRejects, unsaid, microseconds }) => [
        ...[cell(compiler), cell(percent(compiled / schemas, 1), compiled), cell(percent(exact / schemas, 1), exact)],
        cell(`${whole(wrongAccepts)} of ${whole(tests)}`, wrongAccepts),
        cell(`${whole(wrongRejects)} of ${whole(tests)}`, wrongRejects),
        cell(whole(unsaid), unsaid),
        microseconds === undefined ? cell("", "") : cell(short(microseconds), microseconds),
      ],
    ),
  };
}
