// Charts as SVG: in the page with the page's colours, on their own with those of a palette.
import { init } from "echarts";
import { palettes } from "../theme.mjs";
import { rowsChart } from "./rows.mjs";

const WIDE = 760;
const SMALL = 340;

/** A chart for the page, at two widths: the style sheet shows the one that fits. */
export const pageSvgs = (chart) => ({ wide: labelled(chart, WIDE), narrow: labelled(chart, SMALL) });

/** A chart on its own, with title and paper, in colours that need no style sheet. */
export function ownSvg(chart, palette) {
  const head = 62;
  const margin = 28;
  const { svg, width, height } = render(chart, WIDE);
  const title = `<text x="${margin}" y="${margin + 12}" font-size="19" font-weight="600" fill="var(--ink)">${escaped(chart.title)}</text>`;
  const note = `<text x="${margin}" y="${margin + 35}" font-size="13" fill="var(--muted)">${escaped(chart.note)}</text>`;
  const [w, h] = [width + 2 * margin, height + head + margin];
  const inner = svg.replace("<svg ", `<svg x="${margin}" y="${margin + head - 8}" `);
  const whole =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" font-family="Source Sans 3">` +
    `<rect width="${w}" height="${h}" fill="var(--paper)"/>${title}${note}${inner}</svg>`;
  return whole.replaceAll(/var\(--([\w-]+)\)/g, (_, name) => palettes[palette][name]);
}

function labelled(chart, width) {
  const { svg } = render(chart, width);
  return svg.replace("<svg ", `<svg role="img" aria-label="${escaped(`${chart.title}. ${chart.note}`)}" `);
}

function render(chart, width) {
  const { option, height } = rowsChart(chart, width);
  const drawing = init(null, null, { renderer: "svg", ssr: true, width, height });
  drawing.setOption(option);
  const svg = drawing.renderToSVGString({ useViewBox: true });
  drawing.dispose();
  return { svg: cleaned(svg), width, height };
}

/** Without what only ECharts' own script in a page would read. */
const cleaned = (svg) =>
  svg
    .replaceAll(/<style[\s\S]*?<\/style>/g, "")
    .replaceAll(/ (?:ecmeta_\w+|class|pointer-events|xmlns:xlink|version|baseProfile)="[^"]*"/g, "");

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
