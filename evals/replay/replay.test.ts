import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { count } from "./count.mjs";
import { aboutModel } from "./models.mjs";
import { readers } from "./readers.mjs";
import { loadReplies } from "./rows.mjs";
import { tables } from "./tables.mjs";

const parameters = {
  type: "object",
  properties: { city: { type: "string" }, days: { type: "integer" } },
  required: ["city"],
};
const base = {
  model: "m",
  category: "simple",
  tools: [{ type: "function", function: { name: "weather", description: "", parameters } }],
  types: { weather: { city: "string", days: "integer" } },
  ground_truth: [{ weather: { city: ["Oslo"], days: [3, ""] } }],
};
const call = '<tool_call>\n{"name": "weather", "arguments": {"city": "Oslo", "days": "3"}}\n</tool_call>';
const rows = [
  {
    ...base,
    id: "1",
    format: "hermes",
    text: call,
    bfcl_decoded: [{ name: "weather", arguments: { city: "Oslo", days: "3" } }],
  },
  { ...base, id: "2", text: "weather(city='Oslo', days=3)", bfcl_decoded: null },
  { ...base, id: "3", category: "irrelevance", ground_truth: null, text: "I cannot say.", bfcl_decoded: [] },
];

function fileOf(content: string, name = "replies.jsonl"): string {
  const path = join(mkdtempSync(join(tmpdir(), "replay-")), name);
  writeFileSync(path, content);
  return path;
}
const lines = (list: object[]) => list.map((row) => JSON.stringify(row)).join("\n");

it("each reader's calls are right, lost or wrong; what the file says nothing of is not counted", async () => {
  const [ours, , decoder, aiSdk] = readers;
  const { counts, pairs } = await count(loadReplies(fileOf(lines(rows))), [ours, decoder, aiSdk]);
  const all = counts.filter(({ by }: { by: string }) => by === "all");
  expect(all).toMatchObject([
    { reader: ours.name, n: 3, right: 3, lost: 0, wrong: 0, misread: 0 },
    { reader: decoder.name, n: 3, right: 1, lost: 1, wrong: 1, misread: 1 }, // the days are a text
    { reader: aiSdk.name, n: 3, lost: 1 },
  ]);
  expect(pairs[0]).toMatchObject({ reader: decoder.name, n: 3, won: 2, lost: 0, p: 0.5 });
  const without = rows.map(({ bfcl_decoded: _, ...row }) => row);
  const silent = await count(loadReplies(fileOf(lines(without))), [ours, decoder]);
  expect(silent.counts.map(({ reader }: { reader: string }) => reader)).toEqual(Array(4).fill(ours.name)); // all, size, family, model
  expect(tables({ counts, pairs })[0]).toContain("2 to 0, p 0.5");
  const bySize = pairs.filter(({ by }: { by: string }) => by === "size");
  expect(bySize[0]).toMatchObject({ name: "size not published", reader: decoder.name, won: 2, lost: 0 });
});

it("models are grouped by family and by size, as far as these are published", () => {
  expect(aboutModel("NousResearch/Hermes-2-Pro-Llama-3-70B")).toEqual({
    ...{ family: "Hermes 2", size: 70, band: "70B and more" },
  });
  expect(aboutModel("open-mixtral-8x7b")).toMatchObject({ family: "Mistral", size: 47 });
  expect(aboutModel("deepseek-ai/deepseek-coder-6.7b-instruct")).toMatchObject({ size: 6.7, band: "6B to 9B" });
  expect(aboutModel("gpt-4o-2024-08-06")).toEqual({ family: "GPT", size: undefined, band: "size not published" });
});

it("a line that is no such row is refused with its number", () => {
  expect(() => loadReplies(fileOf(`${lines(rows)}\n{"model": "m"}`))).toThrow(
    "replies.jsonl, line 4 has no id, no category, no text",
  );
  expect(() => loadReplies(fileOf("what?"))).toThrow("replies.jsonl, line 1 is no JSON");
  expect(() => loadReplies(mkdtempSync(join(tmpdir(), "replay-")))).toThrow(
    "has no files BFCL_v4_CATEGORY_result.json",
  );
});

it("the leaderboard's own result files are read with its questions", () => {
  const cache = mkdtempSync(join(tmpdir(), "replay-cache-"));
  const data = join(cache, "bfcl-eval-2026.3.23", "bfcl_eval", "data");
  mkdirSync(join(data, "possible_answer"), { recursive: true });
  const question = {
    id: "simple_python_0",
    question: [[{ role: "user", content: "Oslo?" }]],
    function: [{ name: "weather", parameters: { ...parameters, type: "dict" } }],
  };
  writeFileSync(join(data, "BFCL_v4_simple_python.json"), JSON.stringify(question));
  const truth = { id: question.id, ground_truth: base.ground_truth };
  writeFileSync(join(data, "possible_answer", "BFCL_v4_simple_python.json"), JSON.stringify(truth));
  const folder = mkdtempSync(join(tmpdir(), "replay-"));
  mkdirSync(join(folder, "some-7b", "non_live"), { recursive: true });
  const results = [
    { id: "simple_python_0", result: call },
    { id: "simple_python_1", result: [{ weather: "{}" }] },
  ];
  writeFileSync(join(folder, "some-7b", "non_live", "BFCL_v4_simple_python_result.json"), lines(results));
  const before = process.env.TOOLINGUA_CACHE;
  process.env.TOOLINGUA_CACHE = cache;
  try {
    expect(loadReplies(folder)).toMatchObject([
      { model: "some-7b", id: "simple_python_0", text: call, question: { category: "simple_python" } },
    ]);
  } finally {
    if (before === undefined) delete process.env.TOOLINGUA_CACHE;
    else process.env.TOOLINGUA_CACHE = before;
  }
});

it("the README's tables are those of the committed results", () => {
  const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");
  for (const block of tables(JSON.parse(read("results.json")))) expect(read("README.md")).toContain(block);
});
