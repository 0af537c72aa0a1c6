// How fast it is, against peers and against what was aimed at.
import { reliability } from "../../../benchmarks/throughput/reliability.mjs";
import { isStray } from "../../../benchmarks/timing/results.mjs";
import { isKnown, isMet } from "../../../benchmarks/timing/spread.mjs";
import { cell, plural, short, verdict } from "../format.mjs";
import { families } from "../theme.mjs";

const TITLES = {
  parse: "Reading replies",
  grammar: "Making grammars",
  langchain: "The LangChain wrapper",
  "logit-mask": "Logit masks",
};

export function speedSection({ speed, "ai-sdk": aiSdk }) {
  if (!speed) return { missing: ["speed"] };
  const of = (name) => speed.rows.filter(({ benchmark }) => benchmark === name);
  const ratios = speed.rows.filter(isRatio);
  const committed = [speed, aiSdk].filter((results) => results && !isStray(results));
  return {
    findings: findings(committed.flatMap(({ rows }) => rows.filter(isRatio))),
    blocks: [
      ...strayBlocks(speed),
      ...(ratios.length > 0 ? [{ figure: marked(chart(ratios), speed) }] : []),
      ...Object.entries(TITLES)
        .filter(([name]) => of(name).length > 0)
        .map(([name, title]) => ({ table: rowsTable(title, of(name)), folded: true })),
      ...(aiSdk ? [{ table: rowsTable("The AI SDK, the model's own time taken off", aiSdk.rows), folded: true }] : []),
    ],
  };
}

export function throughputSection(results) {
  if (!results.throughput) return { missing: ["throughput"] };
  const rows = [...results.throughput.rows, ...reliability(results)];
  return {
    blocks: [
      ...strayBlocks(results.throughput),
      {
        paragraph:
          "The targets of the design, and what was measured. A real model's calls per second and its reliability without a grammar are the model's own; what the library adds is said apart.",
      },
      { figure: marked(targetsChart(rows), results.throughput) },
      { table: rowsTable("Throughput", rows), folded: true },
    ],
  };
}

/** A chart that says so itself where its figures are from uncommitted changes, because READMEs show it alone. */
const marked = (chart, results) => (isStray(results) ? { ...chart, note: `${chart.note} ${STRAY}` } : chart);

/** A ratio to another package's time. */
const isRatio = ({ unit, against = "" }) =>
  unit === "× the time" && /^@|^what @|node-llama-cpp|^Lang|^Llama/.test(against);

const STRAY = "Measured in a working copy with uncommitted changes.";

/** The warning above figures from uncommitted changes. */
const strayBlocks = (results) =>
  isStray(results)
    ? [
        {
          paragraph: "Measured in a working copy with uncommitted changes: the summary does not use these figures.",
        },
      ]
    : [];

/** Where other packages take less time, and where ours does, of the ratios that are known. */
function findings(ratios) {
  const known = ratios.filter(isKnown).sort((a, b) => a.value - b.value);
  const slower = known.filter(({ value }) => value >= 1);
  const faster = known.filter(({ value }) => value < 1);
  const open = ratios.length - known.length;
  const said = ({ what, value, low, high, against }) => {
    const range = typeof low === "number" ? ` (${ratio(low)} to ${ratio(high)})` : "";
    return `${what}: ${ratio(value)}${value < 1 ? "" : " times"}${range} ${value < 1 ? "of the time" : "the time"} of ${against}`;
  };
  const part = (kind, list, text) =>
    list.length === 0 ? [] : [{ kind, value: `${list.length} of ${ratios.length}`, text }];
  return [
    ...part("loss", slower, `comparisons of time with other packages are lost: ${slower.map(said).join("; ")}`),
    ...part(
      "win",
      faster,
      `comparisons of time with other packages are won, in every group of rounds${open > 0 ? `; ${open} may go either way` : ""}. ` +
        `Most and least: ${[...new Set([faster[0], faster.at(-1)])].filter(Boolean).map(said).join("; ")}`,
    ),
  ];
}

/** A ratio, large or small: 2.3, 0.65, 1/83. */
const ratio = (value) =>
  value < 0.1 ? `1/${short(Number((1 / value).toPrecision(2)))}` : short(Number(value.toPrecision(2)));

function chart(ratios) {
  const peers = [...new Set(ratios.filter(isKnown).map(({ against }) => against))];
  const rows = peers.flatMap((peer) => [
    { heading: peer },
    ...ratios
      .filter((row) => row.against === peer && isKnown(row))
      .map(({ what, value, low, high }) => ({
        label: what,
        values: { Toolingua: { value, ...(typeof low === "number" && { low, high }), label: ratio(value) } },
      })),
  ]);
  const banded = ratios.some(({ low }) => typeof low === "number");
  return {
    ...{ id: "speed", title: "Our time, as a part of another package's" },
    note: `The same work, by turns; left of the line Toolingua takes less time.${banded ? " Bands: four groups of rounds." : ""}`,
    axis: { log: true, format: ratio },
    ...{ keys: [{ ...families.ours, mark: "dot" }], rows },
    reference: { value: 1, label: "as long" },
  };
}

/** Everything with a target, as a part of it: more is better, whatever the unit. */
function targetsChart(rows) {
  const aimed = rows.filter((row) => isMet(row) !== undefined);
  const groups = [...new Set(aimed.map(({ group }) => group))];
  const margin = ({ value, most, least }) => Math.max(least === undefined ? most / value : value / least, 1e-3);
  const label = ({ value, unit }) => `${short(value)} ${unit.replace(/^% .*/, "%").replace(/ (a call|kept)$/, "")}`;
  return {
    ...{ id: "throughput", title: "Targets of the design, and what was measured" },
    note: "Right of the line the target is reached; how far, as a multiple of it.",
    axis: { log: true, format: ratio },
    keys: [
      { name: "reached", color: "good", mark: "dot" },
      { name: "not reached", color: "bad", mark: "dot" },
    ],
    rows: groups.flatMap((group) => [
      { heading: group },
      ...aimed
        .filter((row) => row.group === group)
        .map((row) => ({
          label: row.what,
          values: { [isMet(row) ? "reached" : "not reached"]: { value: margin(row), label: label(row) } },
        })),
    ]),
    reference: { value: 1, label: "the target" },
  };
}

/** The columns that any row fills. */
function rowsTable(title, rows) {
  const aimed = rows.map(isMet).filter((met) => met !== undefined);
  const columns = [
    ["group", ({ group = "" }) => cell(group)],
    ["measured", ({ what }) => cell(what)],
    ["value", (row) => (isKnown(row) ? cell(short(row.value), row.value) : cell("not known", -1)), true],
    [
      "from, to",
      ({ low, high }) => (typeof low === "number" ? cell(`${short(low)} to ${short(high)}`, low) : cell("", "")),
    ],
    ["unit", ({ unit = "" }) => cell(unit)],
    ["against", ({ against = "" }) => cell(against)],
    ["target", target, true],
    ["reached", reachedCell],
    ["detail", ({ detail = "" }) => cell(detail)],
  ].filter(([, cellOf]) => rows.some((row) => cellOf(row).text !== ""));
  const reached = `${aimed.filter(Boolean).length} of ${plural(aimed.length, "target")} reached`;
  return {
    caption: aimed.length > 0 ? `${title}: ${reached}` : title,
    columns: columns.map(([heading, , numeric = false]) => ({ title: heading, numeric })),
    rows: rows.map((row) => columns.map(([, cellOf]) => cellOf(row))),
  };
}

function reachedCell(row) {
  if ((row.most ?? row.least) === undefined) return cell("", "");
  const met = isMet(row);
  return met === undefined ? cell("not known", 0.5) : verdict(met);
}

function target({ aim, most, least }) {
  const limit = most ?? least;
  if (limit === undefined) return cell("", "");
  return cell(aim ?? `${most === undefined ? "≥" : "≤"} ${short(limit)}`, limit);
}
