import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { loadResults } from "../../benchmarks/timing/load.mjs";
import { withTables } from "../../benchmarks/timing/markdown.mjs";
import { countFound } from "./count.mjs";
import { tables } from "./tables.mjs";

const words = ["weather", "stock", "mail", "calendar", "music", "map", "photo", "recipe", "taxi", "hotel"];
const questions = words.map((word, i) => ({
  id: `q${i}`,
  messages: [{ role: "user", content: i === 9 ? "Where can I sleep?" : `Get me the ${word}, please.` }],
  tools: [{ name: `find_${word}`, description: `Finds the ${word}.`, parameters: {} }],
  truth: [{ [`find_${word}`]: {} }],
}));

it("the README's table is that of the results", () => {
  const readme = readFileSync(new URL("README.md", import.meta.url), "utf8");
  expect(readme).toBe(withTables(readme, tables(loadResults().selection)));
});

it("counts the questions whose right tool is among the selected", async () => {
  const rows = await countFound("words", questions, { sizes: [10, 20], limits: [1, 3] });
  expect(rows).toEqual([
    { category: "words", size: 10, limit: 1, count: 10, found: 9, from: 0.5958, to: 0.9821, shown: 0.9 },
    { category: "words", size: 10, limit: 3, count: 10, found: 9, from: 0.5958, to: 0.9821, shown: 0.9 },
  ]);
  expect(tables({ rows })[0]).toMatch(/words +\| 10 +\| 10 +\| 90 % \(60 % to 98 %\)/);
});
