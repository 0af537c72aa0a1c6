import { expect, it } from "vitest";
import { search } from "./search.mjs";

const cells = Array.from({ length: 27 }, (_, i) => ({ name: `cell ${i}` }));
const baselines = [{ name: "peer" }];
type Cell = { name: string };

/** Cells with a higher number are better; each question costs one of `time`. */
function bench(time: number) {
  const asked: { names: string[]; half: string; limit: number }[] = [];
  let spent = 0;
  const ask = async (list: Cell[], half: string, limit: number) => {
    asked.push({ names: list.map(({ name }) => name), half, limit });
    spent += list.length * limit;
    return new Map(list.map(({ name }) => [name, Number(name.slice(5)) * limit]));
  };
  return { asked, options: { cells, baselines, ask, left: () => 1 - spent / time, most: 40 } };
}

it("asks the better third more, and measures the best with the baselines on the other half", async () => {
  const { asked, options } = bench(100_000);
  const kept = await search(options);
  expect(kept.map(({ name }: Cell) => name)).toEqual(["cell 26", "cell 25", "cell 24"]);
  expect(asked.map(({ names, half, limit }) => [names.length, half, limit])).toEqual([
    ...[
      [27, "a", 2],
      [9, "a", 6],
      [3, "a", 18],
      [3, "a", 54],
    ],
    ...[
      [4, "b", 5],
      [4, "b", 10],
      [4, "b", 20],
      [4, "b", 40],
    ],
  ]);
  expect(asked.at(-1)?.names).toContain("peer");
});

it("leaves half of the time for measuring, the best of those that it had to choose from", async () => {
  const { asked, options } = bench(100);
  await search(options);
  expect(asked.map(({ names, half, limit }) => [names.length, half, limit])).toEqual([
    [27, "a", 2],
    [4, "b", 5],
    [4, "b", 10],
  ]);
  expect(asked[1]?.names).toEqual(["cell 26", "cell 25", "cell 24", "peer"]);
});

it("asks few cells more than a few questions before one is the best", async () => {
  const { asked, options } = bench(100_000);
  await search({ ...options, cells: cells.slice(0, 2) });
  expect(asked.filter(({ half }) => half === "a").map(({ limit }) => limit)).toEqual([2, 6, 18, 54]);
});
