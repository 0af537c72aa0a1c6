// What grammars made of JSON Schemas admit.
import { fisher, LEVEL, wilson } from "../../accuracy/statistics.mjs";
import { pValue } from "../../accuracy/verdict.mjs";
import { cell, KINDS, percent, short, whole } from "../format.mjs";

const OURS = "Toolingua";

export function coverageSection({ coverage }) {
  if (!coverage) return { missing: ["coverage"] };
  const sets = [...new Set(coverage.rows.map(({ set }) => set))];
  const { orders, masks } = coverage;
  const real = coverage.rows.filter(({ set }) => set === sets.at(-1));
  return {
    findings: [...(masks ? [maskFinding(masks)] : []), compileFinding(real), ...exactFindings(real)],
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
    kind: ours.p50 > best.p50 ? "loss" : "win",
    value: `${short(ours.p50 / best.p50)} ×`,
    text:
      `our masks take ${short(ours.p50 / best.p50)} times as long as ${best.engine}'s, in JavaScript (@toolingua/logit-mask; median of ${whole(ours.tokens)} masks over ${whole(vocabulary)} tokens: ` +
      `${time(ours.p50)} against ${time(best.p50)}, 99 % below ${time(ours.p99)} against ${time(best.p99)}); to compile a schema takes ours ${time(ours.compiled)}, ${best.engine} ${time(best.compiled)}`,
  };
}

/**
 * How many schemas each compiler has exactly: a sentence for the peers that have more, as many as can be told, and fewer
 * (Fisher's exact test).
 */
function exactFindings([ours, ...others]) {
  const share = ({ exact, schemas }) => {
    const [low, high] = wilson(exact, schemas);
    return `${percent(exact / schemas, 1)} (${(low * 100).toFixed(1)} to ${(high * 100).toFixed(1)} %)`;
  };
  const peers = others.map((one) => {
    const p = fisher([ours.exact, ours.schemas - ours.exact], [one.exact, one.schemas - one.exact]);
    return { ...one, p, kind: p >= LEVEL ? "open" : one.exact > ours.exact ? "loss" : "win" };
  });
  return KINDS.flatMap((kind) => {
    const list = peers.filter((one) => one.kind === kind);
    if (list.length === 0) return [];
    const said = list.map((one) => `${one.compiler} ${share(one)}, p ${pValue(one.p)}`).join("; ");
    const text = `of ${whole(ours.schemas)} tools' schemas have a grammar of ours that accepts and refuses ${whole(ours.tests)} values as Ajv does: ${share(ours)} against ${said}`;
    return [{ kind, value: percent(ours.exact / ours.schemas, 1), text }];
  });
}

/** What our grammars take to make, beside the fastest other compiler. */
function compileFinding([ours, ...others]) {
  const [fastest] = others.toSorted((a, b) => a.microseconds - b.microseconds);
  const times = ours.microseconds / fastest.microseconds;
  return {
    kind: times > 1 ? "loss" : "win",
    value: `${short(times)} ×`,
    text: `our converter takes ${short(times)} times as long as ${fastest.compiler}'s to make a grammar: ${time(ours.microseconds)} against ${time(fastest.microseconds)}, the medians of ${whole(ours.schemas)} tools' schemas`,
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
