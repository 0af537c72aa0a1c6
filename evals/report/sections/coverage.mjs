// What grammars made of JSON Schemas admit.
import { wilson } from "../../accuracy/statistics.mjs";
import { cell, percent, short, whole } from "../format.mjs";

const OURS = "Toolingua";

export function coverageSection({ coverage }) {
  if (!coverage) return { missing: ["coverage"] };
  const sets = [...new Set(coverage.rows.map(({ set }) => set))];
  const { orders, masks } = coverage;
  return {
    findings: [
      ...(masks ? [maskFinding(masks)] : []),
      exactFinding(coverage.rows.filter(({ set }) => set === sets.at(-1))),
    ],
    blocks: [
      {
        paragraph:
          "A value is accepted if the grammar accepts it with its keys in the schema's order, or with the required ones first. Exact: the " +
          "schema compiles, and every verdict is right. Grammars in GBNF are run by llama.cpp itself, llguidance's and XGrammar's by their " +
          "own matchers. Times are medians of one busy machine, and do not contain the same work.",
      },
      ...sets.map((set) => ({
        table: tableOf(
          set,
          coverage.rows.filter((row) => row.set === set),
        ),
      })),
      ...(orders ? [{ heading: "Keys in any order" }, { table: orderTable(orders) }] : []),
      ...(masks ? [{ heading: "Masks" }, { table: maskTable(masks) }] : []),
    ],
  };
}

/** What a mask costs by us, beside the fastest engine. */
function maskFinding({ vocabulary, rows }) {
  const ours = rows.find(({ engine }) => engine.startsWith("@toolingua"));
  const [best] = rows.filter((row) => row !== ours).sort((a, b) => a.p50 - b.p50);
  return {
    value: `${short(ours.p50 / best.p50)} ×`,
    text:
      `the time of ${best.engine}'s masks take ours in JavaScript (@toolingua/logit-mask; median of ${whole(ours.tokens)} masks over ${whole(vocabulary)} tokens: ` +
      `${time(ours.p50)} against ${time(best.p50)}, 99 % below ${time(ours.p99)} against ${time(best.p99)}); to compile a schema takes ${time(ours.compiled)} against ${time(best.compiled)}`,
  };
}

/** How many schemas each compiler has exactly, with intervals. */
function exactFinding([ours, ...others]) {
  const share = ({ exact, schemas }) => {
    const [low, high] = wilson(exact, schemas);
    return `${percent(exact / schemas, 1)} (${(low * 100).toFixed(1)} to ${(high * 100).toFixed(1)})`;
  };
  const peers = others.map((one) => `${one.compiler} ${share(one)}`).join(", ");
  return {
    value: percent(ours.exact / ours.schemas, 1),
    text: `of ${whole(ours.schemas)} real tool schemas have a grammar of ours that accepts and refuses ${whole(ours.tests)} values as Ajv does, ${share(ours)}; ${peers}`,
  };
}

const time = (microseconds) =>
  microseconds >= 1000 ? `${short(microseconds / 1000)} ms` : `${short(microseconds)} µs`;

function orderTable({ sizes, asked, rows, bytes }) {
  const sizeRow = (label, list) => [cell(label), ...list.map((count) => cell(whole(count), count))];
  return {
    caption: "Of the orders of an object's required keys, how many each grammar accepts; and the bytes of ours",
    columns: ["compiler", ...sizes.map((size) => `${size} keys`)].map((title, i) => ({ title, numeric: i > 0 })),
    rows: [
      ...rows.map(({ compiler, accepted }) => [
        cell(compiler),
        ...accepted.map((count, i) => cell(`${count} of ${asked[i]}`, count)),
      ]),
      sizeRow(`bytes, ${OURS}`, bytes.standard),
      sizeRow(`bytes, ${OURS} with every order asked for`, bytes.anyOrder),
    ],
  };
}

function maskTable({ model, vocabulary, schemas, rows }) {
  const titles = ["engine", "grammar", "schemas", "masks", "a mask, median", "99 % below", "to compile, median"];
  return {
    caption: `${whole(vocabulary)} tokens (${model}), the right values of ${schemas} tools; counted are those that every engine accepts`,
    columns: titles.map((title, i) => ({ title, numeric: i > 1 })),
    rows: rows.map(({ engine, grammar, schemas, tokens, p50, p99, compiled }) => [
      ...[cell(engine), cell(grammar), cell(whole(schemas), schemas), cell(whole(tokens), tokens)],
      ...[p50, p99, compiled].map((value) => cell(time(value), value)),
    ]),
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
