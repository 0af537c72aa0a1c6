import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { withTables } from "../timing/markdown.mjs";
import { tables } from "./tables.mjs";

const read = (file: string) => readFileSync(new URL(file, import.meta.url), "utf8");
const results = JSON.parse(read("results.json"));

test("the README's tables match the results", () => {
  expect(withTables(read("README.md"), tables(results))).toBe(read("README.md"));
});

test("ten tools in the compact style have at most half the tokens of OpenAI's JSON, with every tokenizer", () => {
  type Row = { kind: string; what: string; tools: number; tokens: number[] };
  const total = (what: string, tokenizer: number) =>
    results.rows
      .filter((row: Row) => row.kind === "list" && row.tools === 10 && row.what === what)
      .reduce((sum: number, row: Row) => sum + (row.tokens[tokenizer] ?? 0), 0);
  for (const [i] of results.tokenizers.entries()) {
    expect(total("style compact", i)).toBeLessThanOrEqual(total("OpenAI JSON", i) / 2);
  }
});
