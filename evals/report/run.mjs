// node evals/report/run.mjs [--accuracy NAME]: writes the page and the charts that READMEs show, from the committed
// results; first, if one is named, those of a run of accuracy.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { loadResults } from "../../benchmarks/timing/load.mjs";
import { publish } from "../accuracy/publish.mjs";
import { png } from "./charts/png.mjs";
import { contents, render } from "./report.mjs";

const { values } = parseArgs({ options: { accuracy: { type: "string" } } });
if (values.accuracy) publish(values.accuracy);

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const all = contents(loadResults());
const written = [];

function write(path, bytes) {
  mkdirSync(new URL(".", new URL(path, import.meta.url)), { recursive: true });
  writeFileSync(here(path), bytes);
  written.push(relative(process.cwd(), here(path)));
}

rmSync(here("images"), { recursive: true, force: true }); // no chart outlives its results
write("dist/index.html", render(all));
/** Charts that READMEs show. */
const shown = ({ id }) => ["tokens-lists", "replay", "constrained", "speed", "throughput"].includes(id);
for (const chart of all.charts.filter(shown)) {
  for (const palette of ["light", "dark"]) write(`images/${chart.id}-${palette}.png`, png(chart, palette));
}
for (const path of written) console.log(path);
