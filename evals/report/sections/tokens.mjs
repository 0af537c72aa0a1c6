// What tools, prompts and calls cost in tokens.
import { LEVEL, mean } from "../../accuracy/statistics.mjs";
import { cell, percent, plural, short, signed, verdict, whole } from "../format.mjs";
import { families, familyOf } from "../theme.mjs";

const OPENAI = "OpenAI JSON";
/** What a chart has room for; the tables have all. The first eight are for models that were trained on no format. */
const SHOWN = [
  ...["xml", "am-xml", "laic", "tool-tags", "json-action", "at-command", "react", "yaml"],
  ...["hermes", "pythonic", "llama3-json", "mistral", "qwen3-coder", "functiongemma"],
];

export function tokensSection({ tokens }, effects) {
  if (!tokens) return { missing: ["tokens"] };
  const data = reader(tokens);
  return {
    findings: findings(data),
    blocks: [
      { figure: lists(data) },
      { paragraph: styleCost(effects) },
      { table: listTable(data) },
      { figure: prompts(data) },
      { table: promptTable(data), folded: true },
      { figure: calls(data) },
      { table: callTable(data), folded: true },
      { heading: "The claims, tested" },
      { table: claims(data) },
    ],
  };
}

/** Means of rows. */
function reader({ rows, tokenizers, commit }) {
  const matching = (wanted) => rows.filter((row) => Object.entries(wanted).every(([key, value]) => row[key] === value));
  const byTokenizer = (wanted) => {
    const found = matching(wanted);
    return tokenizers.map((_, i) => mean(found.map((row) => row.tokens[i])));
  };
  const names = (kind) => [...new Set(rows.filter((row) => row.kind === kind).map(({ what }) => what))];
  /** To OpenAI's JSON, by tokenizer. */
  const ratios = (what, tools) => {
    const base = byTokenizer({ kind: "list", what: OPENAI, tools });
    return byTokenizer({ kind: "list", what, tools }).map((count, i) => count / base[i]);
  };
  const average = (wanted) => mean(byTokenizer(wanted));
  const samples = [...new Set(rows.filter(({ kind }) => kind === "call").map(({ sample }) => sample))];
  /** Of one call, to its bare JSON: the mean of the samples. */
  const overhead = (what) => mean(samples.map((sample) => callTokens(what, sample) / callTokens("bare JSON", sample)));
  const callTokens = (what, sample) => average({ kind: "call", what, sample });
  const protocols = names("result").filter((what) => !what.endsWith("JSON"));
  return {
    tokenizers,
    commit,
    matching,
    byTokenizer,
    names,
    ratios,
    average,
    samples,
    overhead,
    callTokens,
    protocols,
  };
}

const from = (numbers) => Math.min(...numbers);
const to = (numbers) => Math.max(...numbers);
const range = (numbers, digits = 0) => `${(from(numbers) * 100).toFixed(digits)} to ${percent(to(numbers), digits)}`;
const styleName = (what) => what.replace(/^style /, "");
const ownKeys = (rows) => Object.values(families).filter(({ name }) => rows.some(({ values }) => values[name]));
const barKeys = (rows) => ownKeys(rows).map((family) => ({ ...family, mark: "bar" }));

function findings({ ratios, tokenizers, commit }) {
  const compact = ratios("style compact", 10);
  return [
    {
      kind: to(compact) < 1 ? "win" : "loss",
      value: percent(mean(compact)),
      text: `of the tokens of OpenAI's JSON show ten tools in the style compact (counted, ${range(compact)} over ${tokenizers.length} tokenizers; what it does to accuracy is told below)${commit === undefined ? "; the commit was not noted" : ""}`,
    },
  ];
}

function lists({ names, ratios, tokenizers }) {
  const rows = names("list").map((what) => {
    const shares = ratios(what, 10);
    const family = familyOf(what.startsWith("style ") ? "ours" : what).name;
    const label = what.startsWith("style ") ? `Toolingua, ${styleName(what)}` : what;
    const value = { value: mean(shares), low: from(shares), high: to(shares), label: percent(mean(shares)) };
    return { label, values: { [family]: value } };
  });
  return {
    ...{ id: "tokens-lists", title: "Ten tools, shown to the model" },
    note: `Tokens, of those of OpenAI's compact JSON. Mean of ${tokenizers.length} tokenizers; thin lines: from the lowest to the highest.`,
    axis: { format: (value) => percent(value) },
    ...{ keys: barKeys(rows), rows },
    reference: { value: 1, label: "OpenAI JSON" },
  };
}

function prompts({ names, average, protocols }) {
  const peers = names("prompt").filter((what) => !protocols.includes(what));
  const count = (wanted) => {
    const value = average({ kind: "prompt", tools: 10, ...wanted });
    return { value, label: whole(value) };
  };
  const own = SHOWN.filter((what) => protocols.includes(what)).map((what) => {
    const compact = count({ what, style: "compact" });
    const native = count({ what, style: "native" });
    return { label: what, values: { "its own style": native, "style compact": compact } };
  });
  const theirs = peers.map((what) => ({ label: what, values: { [familyOf(what).name]: count({ what }) } }));
  return {
    ...{ id: "tokens-prompts", title: "The whole prompt: ten tools, and how to call them" },
    note: "Tokens, the mean of the tokenizers. LangChain's XML agent does not say which arguments there are.",
    axis: { format: whole },
    keys: [
      { name: "its own style", color: "ours-soft", mark: "dot" },
      { name: "style compact", color: "ours", mark: "dot" },
      ...ownKeys(theirs).map((family) => ({ ...family, mark: "dot" })),
    ],
    rows: [...own, ...theirs],
  };
}

function calls({ names, overhead, samples }) {
  const json = ["Anthropic JSON", OPENAI];
  const rows = [...SHOWN, ...json]
    .filter((what) => names("call").includes(what))
    .map((what) => ({ what, ratio: overhead(what) }))
    .sort((one, other) => one.ratio - other.ratio)
    .map(({ what, ratio }) => ({
      label: what,
      values: { [familyOf(what).name]: { value: ratio, label: percent(ratio) } },
    }));
  return {
    ...{ id: "tokens-calls", title: "One call, written by the model" },
    note: `Tokens, of those of the bare JSON of name and arguments. Mean of ${samples.length} calls and all tokenizers.`,
    axis: { format: (value) => percent(value) },
    ...{ keys: barKeys(rows), rows },
    reference: { value: 1, label: "bare JSON" },
  };
}

function listTable({ names, byTokenizer, ratios, tokenizers }) {
  return {
    caption: "Tokens of ten tools, by tokenizer",
    columns: ["shown as", ...tokenizers].map((title, i) => ({ title, numeric: i > 0 })),
    rows: names("list").map((what) => {
      const shares = ratios(what, 10);
      const counts = byTokenizer({ kind: "list", what, tools: 10 });
      return [
        cell(styleName(what)),
        ...counts.map((count, i) => cell(`${whole(count)} (${percent(shares[i])})`, count)),
      ];
    }),
  };
}

function promptTable({ names, average, matching, protocols }) {
  const sizes = [3, 10, 50];
  const row = (what, own) => [
    cell(what, what, { code: own }),
    ...["native", "compact"].flatMap((style) =>
      sizes.map((tools) => {
        const wanted = { kind: "prompt", what, tools, ...(own && { style }) };
        if ((!own && style === "compact") || matching(wanted).length === 0) return cell("", "");
        return cell(whole(average(wanted)), average(wanted));
      }),
    ),
  ];
  const titles = [...sizes.map((size) => `${size} tools`), ...sizes.map((size) => `${size}, compact`)];
  return {
    caption: "Tokens of the whole prompt, every format",
    columns: ["", ...titles].map((title, i) => ({ title: title || "format", numeric: i > 0 })),
    rows: names("prompt").map((what) => row(what, protocols.includes(what))),
  };
}

function callTable({ names, samples, callTokens, overhead, average, matching, protocols }) {
  const rest = (wanted) => (matching(wanted).length > 0 ? cell(whole(average(wanted)), average(wanted)) : cell("", ""));
  return {
    caption: "Tokens of a call, a result and a conversation with three calls and ten tools, every format",
    columns: ["format", ...samples, "to bare JSON", "a result", "conversation"].map((title, i) => ({
      ...{ title, numeric: i > 0 },
    })),
    rows: names("call").map((what) => [
      cell(what, what, { code: protocols.includes(what) }),
      ...samples.map((sample) => cell(whole(callTokens(what, sample)), callTokens(what, sample))),
      cell(percent(overhead(what)), overhead(what)),
      rest({ kind: "result", what }),
      rest({ kind: "history", what, tools: 10 }),
    ]),
  };
}

function claims({ ratios, average, samples, callTokens, names }) {
  const compact = ratios("style compact", 10);
  const twice = 1 / mean(compact);
  const cheapest = (sample) =>
    Math.min(
      ...names("call")
        .filter((what) => SHOWN.includes(what))
        .map((what) => callTokens(what, sample)),
    );
  const json = average({ kind: "list", what: OPENAI, tools: 10 });
  const small = average({ kind: "list", what: "style compact", tools: 10 });
  const near = (count) => Math.abs(count - 1300) <= 130;
  const row = (claim, where, measured, holds) => [cell(claim), cell(where), cell(measured), verdict(holds)];
  const half = "ten tools take at most half of OpenAI's JSON, on every tokenizer";
  return {
    caption: "Holds: the figure is reached, within a tenth where it is “about”",
    columns: ["claim", "where", "measured", "holds"].map((title) => ({ title })),
    rows: [
      row(half, "style compact", range(compact, 1), to(compact) <= 0.5),
      row("JSON costs twice", "ten tools: OpenAI's JSON to style compact", `${short(twice)} ×`, twice >= 2),
      ...samples.map((sample) => {
        const times = callTokens(OPENAI, sample) / cheapest(sample);
        return row(
          "JSON costs twice",
          `a call with ${sample}: OpenAI's JSON to our shortest format`,
          `${short(times)} ×`,
          times >= 2,
        );
      }),
      row("schemas add about 1,300 tokens", "ten tools in OpenAI's JSON", whole(json), near(json)),
      row("schemas add about 1,300 tokens", "ten tools in style compact", whole(small), near(small)),
    ],
  };
}

/** What the shorter styles did to accuracy, if that was asked. */
function styleCost(effects) {
  const points = (share) => signed(share * 100);
  const found = effects.flatMap(({ model, list }) =>
    list
      .filter(({ factor, base }) => factor === "style" && base === "native")
      .map(({ value, difference, low, high, p, questions }) => {
        const chance = p < LEVEL ? "" : ", not shown to differ";
        return `\`${value}\` with ${model} ${points(difference)} (95 %: ${points(low)} to ${points(high)}; ${plural(questions, "question")}${chance})`;
      }),
  );
  if (found.length === 0) return "What these styles do to accuracy was not measured yet.";
  return `What these styles do to accuracy, in points of right calls against the format's own style: ${found.join("; ")}.`;
}
