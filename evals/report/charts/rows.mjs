// The one kind of chart there is: a row for each thing, with bars or dots on one axis, intervals and labels.
//
//   chart = {
//     id, title, note,                        note: one line on what is measured and how to read it
//     axis: { max?, format, log?, signed? },  from zero; with dots also to both sides: `log`: ratios, from 1;
//                                             `signed`: differences, from 0
//     keys: [{ name, color, mark }],          mark: "bar" or "dot"; color: a name of the palette
//     rows: [{ label, values: { [key]: { value, low?, high?, label? } } }, or { heading }],
//     reference?: { value, label },           a line through all rows
//   }
const FONT = "Source Sans 3";
const text = (color, more) => ({ fontFamily: FONT, fontSize: 13, color: `var(--${color})`, ...more });
const NARROW = 500;
/** The widest labels of a wide chart, how many characters a line of them has, and the height of a line. */
const LABELS = 340;
const LINE = 52;
const LINE_NARROW = 54;
const LEADING = 15;

/** A label in lines of about the same length. */
function wrap(label, most) {
  const count = Math.ceil(label.length / most);
  const lines = [""];
  for (const word of label.split(" ")) {
    const line = `${lines.at(-1)} ${word}`.trim();
    if (line.length > Math.max(label.length / count, most / 2) + 6 && lines.length < count) lines.push(word);
    else lines[lines.length - 1] = line;
  }
  return lines;
}

/** An option of ECharts, and the height it needs at that width. */
export function rowsChart({ axis, keys, rows, reference }, width) {
  const narrow = width < NARROW;
  const wrapped = rows.map(({ heading, label }) => (label ? wrap(label, narrow ? LINE_NARROW : LINE) : [heading]));
  const longest = Math.max(...wrapped.flatMap((list, i) => (rows[i].label ? list : [])).map((line) => line.length));
  const lines = Math.max(...wrapped.map((list) => list.length));
  const left = narrow
    ? 1
    : Math.min(LABELS, Math.round(longest * 6.2) + (keys[0].mark === "dot" && origin(axis) === undefined ? 44 : 18));
  const top = (keys.length > 1 ? (narrow ? 26 * Math.ceil(keys.length / 2) : 32) : 6) + (reference ? 20 : 0);
  const bottom = 28;
  const rowHeight = (narrow ? 46 : 28) + (lines - 1) * LEADING;
  const names = wrapped.map((list) => list.join("\n"));
  const all = marks(rows);
  const option = {
    animation: false,
    grid: { outerBoundsMode: "none", left, right: narrow ? 48 : 64, top, bottom },
    legend: {
      show: keys.length > 1,
      ...{ left: 0, top: 0, padding: 0, itemGap: narrow ? 14 : 22, itemWidth: 12, itemHeight: 10, selectedMode: false },
      width: width - 4,
      data: keys.map(({ name, mark }) => ({ name, icon: mark === "bar" ? "rect" : "circle" })),
      textStyle: text("muted"),
    },
    xAxis: {
      ...scale(axis, all, narrow),
      axisLabel: {
        ...text("muted", { fontSize: 12 }),
        ...{ formatter: axis.format, hideOverlap: true },
        ...(narrow && { alignMinLabel: "left" }),
      },
      splitLine: { lineStyle: { color: "var(--rule)" } },
    },
    yAxis: {
      ...{ type: "category", inverse: true, data: names, z: 5 },
      axisLine: { show: true, lineStyle: { color: "var(--axis)" } },
      axisTick: { show: false },
      axisLabel: {
        ...(rows.some(({ heading }) => heading) && headings(rows)),
        ...(narrow
          ? { ...text("ink"), inside: true, margin: 0, align: "left", verticalAlign: "bottom", padding: [0, 0, 9, 6] }
          : { ...text("ink"), align: "left", margin: left - 1 }),
        lineHeight: LEADING,
      },
    },
    series: [
      ...(keys.some(({ mark }) => mark === "dot") ? [connections(rows, narrow, axis)] : []),
      // The lines of bars lie over them, those of dots below.
      ...keys.filter(({ mark }) => mark === "dot").map((key) => intervals(key, rows, narrow)),
      ...keys.map((key) => series(key, rows, narrow)),
      ...keys.filter(({ mark }) => mark === "bar").map((key) => intervals(key, rows, narrow)),
      labels(rows, keys, narrow, axis),
      ...(reference ? [line(reference)] : []),
    ],
  };
  return { option, width, height: top + rows.length * rowHeight + bottom };
}

/** Headings among the labels, in bold. */
const headings = (rows) => ({
  formatter: (name, i) =>
    name
      .split("\n")
      .map((line) => `{${rows[i].heading ? "heading" : "plain"}|${line}}`)
      .join("\n"),
  rich: { plain: text("ink"), heading: text("ink", { fontWeight: 600 }) },
});

function scale({ log, signed, max }, all, narrow) {
  if (log) return powers(all, narrow);
  if (!signed) return linear(max ?? Math.max(...all.map(({ value, high = value }) => high)), narrow);
  const ends = all.flatMap(({ value, low = value, high = value }) => [-low, high]);
  const half = linear(Math.max(...ends), true);
  return { ...half, min: -half.max };
}

/** What the dots of a row are joined to, where it is not each other. */
const origin = ({ log, signed }) => (log ? 1 : signed ? 0 : undefined);

const linear = (highest, narrow) => {
  const interval = roundStep(highest / (narrow ? 3 : 5));
  return { type: "value", min: 0, max: Math.ceil(highest / interval - 1e-9) * interval, interval };
};

/** Powers of ten, with room for a label on either side. */
const powers = (all, narrow) => {
  const logs = all.map(({ value }) => Math.log10(value));
  return {
    type: "log",
    ...{
      min: 10 ** Math.floor(Math.min(0, ...logs) - (narrow ? 0.8 : 0.3)),
      max: 10 ** Math.ceil(Math.max(0, ...logs) + 0.1),
    },
  };
};

/** The next of 1, 2, 2.5, 5 and 10 times a power of ten. */
function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * [1, 2, 2.5, 5, 10].find((step) => step * power >= least * 0.999);
}

const marks = (rows) => rows.flatMap(({ values = {} }) => Object.values(values));
const silent = { silent: true, clip: false };
/** In a narrow chart the label is above its mark. */
const shift = (narrow) => (narrow ? 8 : 0);

function series({ name, color, mark }, rows, narrow) {
  const itemStyle = { color: `var(--${color})`, opacity: 1 };
  const found = rows.flatMap(({ values }, row) => (values?.[name] ? [[values[name].value, row]] : []));
  if (mark === "bar") {
    return custom(name, itemStyle, found, (api) => {
      const [from, y] = api.coord([0, api.value(1)]);
      const [to] = api.coord([api.value(0), api.value(1)]);
      const height = narrow ? 12 : 15;
      // A value above zero stays visible.
      const shape = { x: from, y: y - height / 2 + shift(narrow), width: Math.max(to - from, 1.5), height };
      return { type: "rect", shape, style: { fill: itemStyle.color } };
    });
  }
  return custom(name, itemStyle, found, (api) => {
    const [cx, y] = api.coord([api.value(0), api.value(1)]);
    const style = { fill: itemStyle.color, stroke: "var(--paper)", lineWidth: 1.5 };
    return { type: "circle", z2: 5, shape: { cx, cy: y + shift(narrow), r: 6 }, style };
  });
}

const custom = (name, itemStyle, data, render) => ({
  ...{ type: "custom", ...silent, name, itemStyle, data },
  renderItem: (_params, api) => render(api),
});

/** A line from the lowest dot of a row to the highest; where there is an origin, from there. */
function connections(rows, narrow, axis) {
  const data = rows.flatMap(({ values }, row) => {
    const from = origin(axis) ?? [];
    const all = [from, ...Object.values(values ?? {}).map(({ value }) => value)].flat();
    return all.length > 1 ? [[Math.min(...all), row, Math.max(...all)]] : [];
  });
  return horizontal(data, { stroke: "var(--axis)", lineWidth: 2 }, 0, shift(narrow));
}

/** Intervals: of a bar a thin line with ends; of a dot a band in its colour, for those of two dots may overlap. */
function intervals({ name, color, mark }, rows, narrow) {
  const data = rows.flatMap(({ values }, row) => {
    const { low, high } = values?.[name] ?? {};
    return low === undefined ? [] : [[low, row, high]];
  });
  return mark === "bar"
    ? horizontal(data, { stroke: "var(--ink)", lineWidth: 1.25 }, 4, shift(narrow))
    : horizontal(data, { stroke: `var(--${color})`, lineWidth: 8, opacity: 0.35, lineCap: "round" }, 0, shift(narrow));
}

function horizontal(data, style, end, offset = 0) {
  return custom(undefined, undefined, data, (api) => {
    const [x1, y] = api.coord([api.value(0), api.value(1)]);
    const [x2] = api.coord([api.value(2), api.value(1)]);
    const at = y + offset;
    const segment = (x1, y1, x2, y2) => ({
      type: "line",
      shape: { x1, y1, x2, y2 },
      style: { fill: "none", ...style },
    });
    const ends = end ? [x1, x2].map((x) => segment(x, at - end, x, at + end)) : [];
    return { type: "group", children: [segment(x1, at, x2, at), ...ends] };
  });
}

/** The label of a mark, to the right of the mark or its interval; to the left for the lower of two dots. */
function labels(rows, keys, narrow, axis) {
  const data = rows.flatMap(({ values }, row) => {
    const named = keys.flatMap(({ name }) => (values?.[name]?.label === undefined ? [] : [values[name]]));
    const highest = Math.max(...named.map(({ value }) => value));
    let placed = false; // two that are equal: one label
    return named.flatMap(({ value, low = value, high = value, label }) => {
      const right = value >= (origin(axis) ?? highest);
      if (right && placed) return [];
      placed ||= right;
      return [{ value: [right ? high : low, row], text: label, side: right ? "right" : "left" }];
    });
  });
  return {
    ...{ type: "scatter", ...silent, symbolSize: 12 },
    itemStyle: { color: "transparent" },
    data: data.map(({ value, text: said, side }) => ({
      value,
      label: {
        ...{ show: true, position: side, distance: 4, offset: [0, shift(narrow)], formatter: () => said },
        ...text("ink", { fontWeight: 600 }),
      },
    })),
  };
}

const line = ({ value, label }) => ({
  type: "scatter",
  ...silent,
  data: [],
  markLine: {
    ...{ silent: true, symbol: "none", data: [{ xAxis: value }] },
    lineStyle: { color: "var(--ink)", type: "dashed", width: 1 },
    label: { ...text("muted", { fontSize: 12 }), position: "start", rotate: 0, distance: 6, formatter: () => label },
  },
});
