import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadResults } from "../../benchmarks/timing/load.mjs";
import { expectMade } from "../../test/support/readme-table.js";
import { effects, inHalf, modelsIn, recommend, shareOf } from "../accuracy/compare.mjs";
import { fairPairs } from "../accuracy/fair.mjs";
import { labelOf } from "../accuracy/labels.mjs";
import { confidenceOf } from "../accuracy/verdict.mjs";
import { aboutModel } from "../replay/models.mjs";
import { launch } from "./browser.mjs";
import { png } from "./charts/png.mjs";
import { choosing } from "./choosing.mjs";
import { contents, render } from "./report.mjs";

const OURS = "hermes/native/grammar/no-retry/1";
const COMPACT = "hermes/compact/grammar/no-retry/1";
const PEER = "LangChain XML";

/** Results as a run writes them: of each cell how many of `count` questions of a half are right. */
function run(
  name: string,
  half: "a" | "b",
  right: Record<string, number>,
  model = "m",
  category = "multiple",
  count = 10,
) {
  const ids = Array.from({ length: count }, (_, i) => `${category}_${half}${i}`);
  return {
    name,
    rows: Object.keys(right).map((cell) => ({
      ...{ model, cell, category, count, right: right[cell], valid: count, failed: 0 },
      ...{ tokensIn: cell === COMPACT ? 50 : 100, tokensOut: 10, seconds: 1 },
    })),
    answers: Object.entries(right).map(([cell, found]) => ({
      ...{ model, cell, category, half },
      ...{ right: ids.slice(0, found), wrong: ids.slice(found) },
    })),
  };
}
const modelOf = (...files: object[]) => modelsIn(files)[0]!;

describe("what is recommended", () => {
  it("is the best cell of half a, of equals the one with the fewest tokens", () => {
    const advice = recommend(modelOf(run("choose", "a", { [OURS]: 6, [COMPACT]: 6 })));
    expect(advice.recommended.name).toBe(COMPACT);
    expect(confidenceOf(advice)).toBe("was compared with no baseline on half b yet");
  });

  it("is judged on half b, in a file of its own", () => {
    const choose = run("choose", "a", { [OURS]: 9, [COMPACT]: 6 });
    const report = run("report", "b", { [OURS]: 9, [PEER]: 1 });
    const advice = recommend(modelOf(choose, report));
    expect(advice.recommended.name).toBe(OURS);
    expect(advice.against).toMatchObject([{ count: 10, won: 8, lost: 0 }]);
    expect(confidenceOf(advice)).toBe("beats all 1 baselines (largest p: 0.008)");
  });

  it("is a baseline that beats our best there", () => {
    const advice = recommend(modelOf(run("a", "a", { [OURS]: 9 }), run("b", "b", { [OURS]: 1, [PEER]: 9 })));
    expect(advice.recommended.name).toBe(PEER);
    expect(confidenceOf(advice)).toBe(`${PEER} beats our best cell`);
  });

  it("is no baseline that is better by chance, as one of many may be", () => {
    const peers = Object.fromEntries(["one", "two", "three"].map((name) => [`LangChain ${name}`, 0]));
    const onB = run("b", "b", { [OURS]: 1, [PEER]: 7, ...peers }); // 6 to 0: p 0.031
    expect(recommend(modelOf(run("a", "a", { [OURS]: 9 }), onB)).recommended.name).toBe(OURS);
  });

  it("counts a question once that two runs asked", () => {
    const twice = run("one", "a", { [OURS]: 6 });
    expect(shareOf(modelOf(twice, twice).cells[0], inHalf("a"))).toMatchObject({ count: 10, right: 6 });
  });
});

describe("what a factor did", () => {
  it("is told by cells that differ in nothing else", () => {
    const [style, ...others] = effects(modelOf(run("choose", "a", { [OURS]: 4, [COMPACT]: 6 })));
    expect(others).toEqual([]);
    expect(style).toMatchObject({ factor: "style", base: "native", value: "compact", pairs: 1, questions: 10 });
    expect(style).toMatchObject({ better: 2, worse: 0, p: 0.5 });
    expect(style!.difference).toBeCloseTo(0.2);
  });

  it("is told of wordings as well, which only some names say", () => {
    const worded = `${OURS}/my-words`;
    const found = effects(modelOf(run("choose", "a", { [OURS]: 4, [worded]: 3 })));
    expect(found).toMatchObject([{ factor: "wording", base: "plain", value: "my-words", questions: 10 }]);
  });
});

describe("the summary", () => {
  const ALIKE = "json-schema/required/1";

  it("a comparison fixed before has its opponent, number, intervals and p", () => {
    const served = { ...run("server", "b", { [COMPACT]: 8, [ALIKE]: 2 }), engine: "xllamacpp==1", commit: "abc" };
    const [finding] = contents({ accuracy: [served] }).findings;
    expect(finding?.value).toBe("80 %");
    expect(finding?.text).toContain("(49 to 94 %) of 10 questions are answered right by m in llama.cpp's server");
    expect(finding?.text).toContain(
      "response_format to a list of calls, with the same example, 20 % (6 to 51 %): 6 to 0 questions, p 0.031",
    );
    expect(finding?.text).toContain("constrained against constrained, ours is better");
    const even = { ...run("server", "b", { [COMPACT]: 4, [ALIKE]: 4 }, "m", "multiple", 30), engine: "xllamacpp==1" };
    expect(contents({ accuracy: [even] }).findings[0]?.text).toContain(
      "constrained against constrained, they are not shown to differ",
    );
  });

  it("a free choice has both kinds of question, and is told from thirty of each or where it shows something", () => {
    const [lazy, theirs] = ["hermes/compact/lazy/no-retry/mixed-4", "native/auto/mixed-4"];
    const found = (ours: number) => {
      const wanted = run("free", "b", { [lazy]: ours, [theirs]: 2 }, "m", "simple_python");
      const none = run("none", "b", { [lazy]: 9, [theirs]: 10 }, "m", "live_irrelevance");
      return contents({ accuracy: [wanted, none].map((file) => ({ ...file, engine: "xllamacpp==1" })) }).findings;
    };
    expect(found(3)).toEqual([]);
    expect(found(9)).toMatchObject([
      {
        ...{ kind: "open", value: "18 of 20" },
        text: expect.stringMatching(
          /9 of 10 \(60 to 98 %\) that want a call, 9 of 10 .* that want none; the server's tools, .* 7 to 0 \(p 0\.016\) and 0 to 1 \(p 1\.000\), together 7 to 1 \(p 0\.070\)$/,
        ),
      },
    ]);
  });

  it("conversations have a sentence of their own, and take no part in what is recommended", () => {
    const one = "json-schema/one/1";
    const turns = { ...run("turns", "a", { [COMPACT]: 8, [one]: 2 }, "m", "multi_turn"), engine: "xllamacpp==1" };
    const { findings, recommendations } = contents({ accuracy: [turns] });
    expect(findings[0]?.text).toBe(
      "(49 to 94 %) of 10 conversations of several turns end in the right state with m in llama.cpp's server constrained by our grammar; " +
        "constrained by the server's own response_format to one call, with the same example, 20 % (6 to 51 %): 6 to 0 conversations, " +
        "p 0.031, constrained against constrained, ours is better",
    );
    expect(recommendations).toBeUndefined();
    expect(effects(modelOf(run("turns", "a", { [COMPACT]: 8, [OURS]: 2 }, "m", "multi_turn")))).toEqual([]);
  });

  it("the time to the first argument has its opponent, number, interval and p, unless it is of no commit", () => {
    const begun = {
      ...{ model: "m", ours: "hermes/compact/lazy/no-retry/mixed-4", theirs: "native/auto/mixed-4", count: 9 },
      ...{ tokens: { ours: 15, theirs: 15.5 }, ratio: 0.8, low: 0.7, high: 0.9, less: 9, more: 0, p: 0.00391 },
    };
    const file = { ...run("x", "b", { [PEER]: 1 }), engine: "xllamacpp==1", firstArguments: [begun] };
    const found = (commit: string) => contents({ accuracy: [{ ...file, commit }] }).findings;
    expect(found("abc")).toMatchObject([
      {
        ...{ kind: "win", value: "0.8 times" },
        text: expect.stringMatching(
          /^\(0\.7 to 0\.9\) the time of the server's tools.*9 questions.*sooner in 9, later in 0, p 0\.004; after 15 tokens of the reply, theirs after 15\.5$/,
        ),
      },
    ]);
    Object.assign(begun, { count: 1, less: 1, p: 1 });
    expect(found("abc")).toEqual([]);
  });

  it("a selection has its opponent, number, intervals and p", () => {
    const selected = `${COMPACT}/selected-by-words`;
    const served = { ...run("among", "b", { [selected]: 8, [ALIKE]: 2 }, "m", "among_50"), engine: "xllamacpp==1" };
    expect(contents({ accuracy: [served] }).findings.map(({ text }: { text: string }) => text)).toEqual([
      "(49 to 94 %) of 10 questions among 50 tools are answered right by m in llama.cpp's server: hermes, tools compact, " +
        "constrained by a grammar, 1 example, tools selected by words; response_format, a call demanded, 1 example, shown all 50: 20 % " +
        "(6 to 51 %), 6 to 0 questions, p 0.031",
    ]);
  });

  it("50 tools shown to both sides are a comparison of their own", () => {
    const answers = { [COMPACT]: 3, [`${COMPACT}/selected-by-words`]: 8, "json-schema/one/1": 2 };
    const served = { ...run("among", "b", answers, "m", "among_50", 30), engine: "xllamacpp==1" };
    const compared = fairPairs(modelOf(served)).map(({ what, ours, theirs }) => [what, ours.right, theirs.right]);
    expect(compared).toEqual([
      ["50 tools, all shown", 3, 2],
      ["50 tools: selected by words against all shown", 8, 2],
    ]);
    const [finding] = contents({ accuracy: [served] }).findings;
    expect(finding?.text).toContain(
      "of 30 questions among 50 tools, all shown, are answered right by m in llama.cpp's",
    );
  });

  it("every sentence says who is ahead, losses first, and has a number and a range", () => {
    const { findings } = contents(loadResults());
    const order = findings.map(({ kind }: { kind: string }) => ["loss", "open", "win"].indexOf(kind));
    expect(order).toEqual([...order].sort());
    const range = /\d to [\d.]+ %|\d to [\d/.]+\)|99 % below|the medians of/;
    const chance = /p (< )?[01]|counted|in every group of rounds|median|are lost/;
    for (const { text } of findings) expect([text, range.test(text), chance.test(text)]).toEqual([text, true, true]);
  });

  it("a cell is told in words", () => {
    expect(labelOf(COMPACT)).toBe("hermes, tools compact, constrained by a grammar, 1 example");
    expect(labelOf("xml/json/off/retry/numbers-2/a-call")).toBe(
      "xml, tools json, free, 2 examples of numbers, asked again once, wording a-call",
    );
    expect(labelOf("json-schema/auto/mixed-2")).toBe("response_format, free to answer, 2 examples (a call, an answer)");
    expect(labelOf("native/auto/mixed-4")).toBe(
      "the server's tools, free to answer, 4 examples (a call, two answers, a call)",
    );
    expect(labelOf(PEER)).toBe(PEER);
    expect(labelOf("hermes/compact/lazy/no-retry/mixed-2")).toBe(
      "hermes, tools compact, constrained to text or calls, 2 examples (a call, an answer)",
    );
  });
});

describe("shares of different questions", () => {
  const single = run("single", "b", { [COMPACT]: 8, [OURS]: 6 });
  const among = run("among", "b", { [COMPACT]: 1 }, "m", "among_50");
  const none = run("choice", "b", { [COMPACT]: 9 }, "m", "irrelevance");
  const { sections, charts } = contents({ accuracy: [single, among, none] });

  it("have tables of their own", () => {
    const { blocks } = sections.find(({ id }: { id: string }) => id === "accuracy");
    const tables = blocks.flatMap(({ table }: { table?: { caption: string; rows: { text: string }[][] } }) =>
      table?.caption.includes("every cell") ? [table] : [],
    );
    const shown = tables.map(({ caption, rows }: { caption: string; rows: { text: string }[][] }) => [
      /“(.*)”/.exec(caption)?.[1],
      rows.map((row) => row[2]?.text),
    ]);
    expect(shown).toEqual([
      ["single call", ["80 % of 10", "60 % of 10"]],
      ["50 tools", ["10 % of 10"]],
      ["no call", ["90 % of 10"]],
    ]);
  });

  it("are not in the chart of single calls", () => {
    const chart = charts.find(({ id }: { id: string }) => id === "accuracy-m");
    const labels = chart.rows.map(({ values }: { values: object }) => Object.values(values)[0].label);
    expect(labels).toEqual(["80 % of 10", "60 % of 10"]);
    const withoutSingle = contents({ accuracy: [among] }).charts.map(({ id }: { id: string }) => id);
    expect(withoutSingle).not.toContain("accuracy-m");
  });
});

describe("the page", () => {
  const folder = mkdtempSync(join(tmpdir(), "report-"));
  const path = join(folder, "index.html");
  const results = {
    ...loadResults(),
    speed: {
      rows: [
        {
          benchmark: "parse",
          what: "short",
          value: 0.5,
          unit: "× the time",
          against: "@ai-sdk-tool/parser",
          most: 0.25,
        },
        { benchmark: "parse", what: "long", value: 12, unit: "× the time", against: "LangChain XML" },
      ],
    },
    throughput: {
      rows: [
        { group: "calls", what: "whole", value: 8000, unit: "calls/s", aim: "1000+", least: 1000 },
        { group: "memory", what: "a tool", value: 2, unit: "KB", most: 1 },
      ],
    },
    accuracy: [
      run("choose", "a", { [OURS]: 6, [COMPACT]: 5 }),
      run("report", "b", { [OURS]: 7, [PEER]: 2 }),
      run("other", "a", { [OURS]: 3 }, "another model"),
    ],
  };
  const all = contents(results);
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    writeFileSync(path, render(all));
    browser = await launch();
    page = await browser.newPage({ viewport: { width: 1100, height: 900 } });
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("request", (request) => {
      if (!/^(file|data):/.test(request.url())) complaints.push(request.url());
    });
    await page.goto(pathToFileURL(path).href);
    await page.evaluate("document.fonts.ready");
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("asks the network for nothing and has nothing to complain of", () => {
    expect(complaints).toEqual([]);
  });

  it("shows every chart, with marks and labels inside it", async () => {
    const charts = page.locator("figure .wide svg");
    expect(await charts.count()).toBe(all.charts.length);
    for (const chart of await charts.all()) {
      const { width, height } = (await chart.boundingBox())!;
      expect(Math.min(width, height)).toBeGreaterThan(60);
      const marks = chart.locator('[fill^="var(--"]:not(text)');
      expect(await marks.count()).toBeGreaterThan(0);
      expect((await marks.first().boundingBox())!.height).toBeGreaterThan(4);
      expect(await chart.locator("text").count()).toBeGreaterThan(4);
    }
  });

  it("draws what is twice as much twice as wide", async () => {
    const bars = page.locator(
      "#chart-accuracy-m .wide path[fill='var(--ours)'], #chart-accuracy-m .wide rect[fill='var(--ours)']",
    );
    const rival = page.locator(
      "#chart-accuracy-m .wide rect[fill='var(--langchain)'], #chart-accuracy-m .wide path[fill='var(--langchain)']",
    );
    const widest = async (found: typeof bars) =>
      Math.max(...(await Promise.all((await found.all()).map(async (bar) => (await bar.boundingBox())!.width))));
    expect((await widest(bars)) / (await widest(rival))).toBeCloseTo(3.5, 1);
  });

  it("says which targets were reached, whether they are the least or the most", async () => {
    const reached = page.locator("#throughput details tbody tr td:nth-child(6)");
    expect((await reached.allTextContents()).slice(0, 2)).toEqual(["yes", "no"]);
    const dots = page.locator("#chart-throughput .wide");
    expect(await dots.locator("[fill='var(--good)']").count()).toBeGreaterThan(0);
    expect(await dots.locator("[fill='var(--bad)']").count()).toBeGreaterThan(0);
  });

  it("sorts a table by the column whose head is clicked, or entered", async () => {
    const head = page.locator("#tokens table").first().locator("th").nth(1);
    const column = async () => {
      const sorts = await page.locator("#tokens table").first().locator("tbody td:nth-child(2)").all();
      return Promise.all(sorts.map(async (cell) => Number(await cell.getAttribute("data-sort"))));
    };
    const descending = (await column()).sort((a, b) => b - a);
    await head.click();
    await expect.poll(column).toEqual(descending);
    expect(await head.getAttribute("aria-sort")).toBe("descending");
    await head.press("Enter");
    await expect.poll(column).toEqual([...descending].reverse());
  });

  it("fits a phone, with the charts made for it", async () => {
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
    expect(await page.locator("figure .wide svg").first().isVisible()).toBe(false);
    expect(await page.locator("figure .narrow svg").first().isVisible()).toBe(true);
    await page.setViewportSize({ width: 1100, height: 900 });
  });

  it("is dark where that is wanted, light on paper", async () => {
    const ground = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await ground()).toBe("rgb(18, 23, 28)");
    await page.emulateMedia({ colorScheme: "dark", media: "print" });
    expect(await ground()).toBe("rgb(252, 251, 248)");
    await page.emulateMedia({ colorScheme: "light", media: "screen" });
  });

  it("is seen on a screenshot", async () => {
    const bytes = await page.locator("#chart-tokens-lists").screenshot({ path: join(folder, "chart.png") });
    expect(bytes.subarray(1, 4).toString()).toBe("PNG");
    // One colour would be packed into a few hundred bytes.
    expect(readFileSync(join(folder, "chart.png")).length).toBeGreaterThan(8_000);
  });

  it("says what to run where there are no results", () => {
    const html = render(contents({ accuracy: [] }));
    for (const name of ["accuracy", "tokens", "constrained tiny", "speed", "throughput"]) {
      expect(html).toContain(`npm run bench -- ${name}`);
    }
  });

  it("marks the charts of results of no commit", () => {
    const figureOf = (commit: string) => {
      const { charts } = contents({ accuracy: [], speed: { ...results.speed, commit } });
      return charts.find(({ id }: { id: string }) => id === "speed").note;
    };
    expect(figureOf("abc-dirty")).toContain("uncommitted changes");
    expect(figureOf("abc")).not.toContain("uncommitted changes");
  });

  it("tells where the AI SDK's other parser takes less time, unless the figures are of no commit", () => {
    const aiSdk = (commit: string) => ({
      commit,
      rows: [
        {
          what: "a call",
          value: 1.4,
          low: 1.3,
          high: 1.5,
          unit: "× the time",
          against: "what @ai-sdk-tool/parser adds",
        },
      ],
    });
    const found = (commit: string) =>
      contents({ accuracy: [], speed: { ...results.speed, commit: "abc-dirty" }, "ai-sdk": aiSdk(commit) }).findings;
    expect(found("abc")).toEqual([
      expect.objectContaining({
        kind: "loss",
        value: "1 of 1",
        text: expect.stringContaining("a call: 1.4 times (1.3 to 1.5) the time of what @ai-sdk-tool/parser adds"),
      }),
    ]);
    expect(found("abc-dirty")).toEqual([]);
  });

  it("leaves out results that do not say which questions were right, and says so", () => {
    const { answers: _, ...old } = run("old", "a", { [OURS]: 6 });
    expect(render(contents({ accuracy: [old] }))).toContain("results-old");
  });

  it("text from results is no markup", () => {
    const what = "<script>alert(1)</script>";
    const speed = {
      rows: [{ benchmark: "parse", what, value: 0.5, unit: "× the time", against: "@ai-sdk-tool/parser" }],
    };
    expect(render(contents({ accuracy: [], speed }))).not.toContain("<script>alert(1)");
  });
});

it("the tables of docs/choosing.md are those of the committed results", () => {
  const command = "TOOLINGUA_WRITE=1 npx vitest run evals/report";
  expectMade(new URL("../../docs/choosing.md", import.meta.url), choosing(loadResults()).join("\n\n"), { command });
});

it("an option that was asked of few questions is not known, whatever they say", () => {
  const { replay } = loadResults();
  const asked = { ...run("server", "b", { [COMPACT]: 10, [OURS]: 0 }), engine: "xllamacpp==1", commit: "abc" };
  const tables = choosing({ replay, accuracy: [asked] });
  expect(tables.join("\n")).not.toContain("native to compact");
  expect(tables.at(-1)).toMatch(/^Not known, .*`style`/);
});

it("the README says how many replies of how many models were read", () => {
  const { counts } = loadResults().replay;
  const models = counts.filter(
    ({ by, reader }: { by: string; reader: string }) => by === "model" && /auto/.test(reader),
  );
  const sizes = models.map(({ name }: { name: string }) => aboutModel(name).size ?? Number.NaN).filter(Number.isFinite);
  const all = counts.find(({ by }: { by: string }) => by === "all");
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  expect(readme).toContain(
    `[${all.n} published replies](evals/replay/README.md) of ${models.length} models (${Math.min(...sizes)}B to ${Math.max(...sizes)}B)`,
  );
  expect(readme).toContain(`Share of ${all.n} published replies of ${models.length} models`);
});

it("charts on their own are pictures, with text", () => {
  const chart = {
    ...{ id: "x", title: "A title & more", note: "A note" },
    axis: { format: String },
    keys: [{ name: "Toolingua", color: "ours", mark: "bar" }],
    rows: [{ label: "one", values: { Toolingua: { value: 1, low: 0.5, high: 1.5, label: "1" } } }],
  };
  const [light, dark, untitled] = [
    png(chart, "light"),
    png(chart, "dark"),
    png({ ...chart, title: "", note: "" }, "light"),
  ];
  expect(light.subarray(1, 4).toString()).toBe("PNG");
  expect(light.equals(dark)).toBe(false);
  expect(light.length).toBeGreaterThan(untitled.length + 500);
});
