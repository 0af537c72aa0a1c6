// Renders the results as a page: the sections, laid out by page/*.eta.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { Eta } from "eta";
import { effects, modelsIn } from "../accuracy/compare.mjs";
import { pageSvgs } from "./charts/svg.mjs";
import { KINDS } from "./format.mjs";
import { accuracySection } from "./sections/accuracy.mjs";
import { choiceSection } from "./sections/choice.mjs";
import { constrainedSection, modelTitle } from "./sections/constrained.mjs";
import { coverageSection } from "./sections/coverage.mjs";
import { machineSection } from "./sections/machine.mjs";
import { replaySection } from "./sections/replay.mjs";
import { selectionSection } from "./sections/selection.mjs";
import { speedSection, throughputSection } from "./sections/speed.mjs";
import { tokensSection } from "./sections/tokens.mjs";
import { recommendations } from "./sections/verdicts.mjs";
import { palettes, properties } from "./theme.mjs";

const { resolve } = createRequire(import.meta.url);
const page = fileURLToPath(new URL("page", import.meta.url));

/** The content of the report: `{ findings, recommendations, sections: [{ id, title, blocks }], charts }`. */
export function contents(results) {
  const models = modelsIn(results.accuracy);
  const byModel = models.map((model) => ({ model: modelTitle(model.name), list: effects(model) }));
  const old = results.accuracy.filter(({ answers }) => !answers).map(({ name }) => name);
  const sections = [
    { id: "replay", title: "What larger models wrote", ...replaySection(results) },
    { id: "accuracy", title: "Accuracy", ...accuracySection(models, firstArgumentsOf(results)) },
    { id: "choice", title: "Calls or answers", ...choiceSection(results) },
    { id: "selection", title: "Tools selected from many", ...selectionSection(results) },
    { id: "tokens", title: "Tokens", ...tokensSection(results, byModel) },
    { id: "constrained", title: "Constrained generation", ...constrainedSection(results) },
    { id: "coverage", title: "Schemas that grammars cover", ...coverageSection(results) },
    { id: "speed", title: "Speed", ...speedSection(results) },
    { id: "throughput", title: "Throughput", ...throughputSection(results) },
    { id: "machine", title: "How it was measured", ...machineSection(results) },
  ].map(({ findings = [], blocks = [], missing, ...section }) => ({
    ...{ ...section, findings },
    blocks: missing ? [{ missing }, ...blocks] : blocks,
  }));
  return {
    sections,
    ...{
      old,
      findings: KINDS.flatMap((kind) =>
        sections.flatMap(({ findings }) => findings).filter((one) => one.kind === kind),
      ),
    },
    recommendations: recommendations(models),
    charts: sections.flatMap(({ blocks }) => blocks.flatMap(({ figure }) => figure ?? [])),
  };
}

/** Times to the first argument of all runs. */
const firstArgumentsOf = ({ accuracy }) =>
  accuracy.flatMap((file) => (file.firstArguments ?? []).map((one) => ({ ...one, engine: file.engine })));

/** The whole page, as HTML that needs nothing else. */
export function render(contents) {
  const file = (path) => readFileSync(path);
  const font = file(resolve("@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2"));
  return new Eta({ views: page, autoTrim: [false, "nl"] }).render("report", {
    ...contents,
    ...{ svgs: pageSvgs, prose },
    ...{ font: font.toString("base64"), style: file(`${page}/style.css`).toString() },
    colors: { light: properties(palettes.light), dark: properties(palettes.dark) },
    script: file(resolve("sortable-tablesort/dist/sortable.auto.min.js")).toString().trim(),
  });
}

/** Plain text with `code` in it, as HTML. */
const prose = (text) =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(/`([^`]+)`/g, "<code>$1</code>");
