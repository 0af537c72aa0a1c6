import { expect, it, test } from "vitest";
import { AGAIN, againOptions, againText, committed, verdictsAgain } from "./again.mjs";
import { readOptions } from "./options.mjs";

const results = {
  answers: [
    { model: "m", cell: "c", category: "multiple", half: "b", right: ["1", "2"], wrong: ["3"] },
    { model: "m", cell: "d", category: "multiple", half: "b", right: [], wrong: ["1"] },
  ],
};
const record = (cell: string, id: string, right: boolean) => ({ model: "m", cell, id, right });

it("compares the questions that both asked of a model in a cell", () => {
  const records = [record("c", "1", true), record("c", "3", true), record("d", "1", false), record("d", "4", true)];
  const verdicts = verdictsAgain(results, records);
  expect(verdicts).toEqual({ same: 2, of: 3, changed: [{ model: "m", cell: "c", id: "3", was: false }] });
  expect(againText("required", verdicts)).toBe(
    "Of results-required.json, same verdicts: 2 of 3\n  m, c, 3: was wrong, is right",
  );
});

test("without options, questions of the committed table are asked as they were", () => {
  const { settings, cells, again } = readOptions([]);
  const { answers, settings: theirs } = committed(AGAIN);
  expect([again, settings]).toEqual([AGAIN, theirs]);
  const asked = new Set(answers.map(({ cell }: { cell: string }) => cell));
  for (const { name } of cells()) expect(asked).toContain(name);
  expect(readOptions(againOptions).again).toBeUndefined();
});
