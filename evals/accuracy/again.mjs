// Asks the first questions of a committed table again, and says how many verdicts are the same.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The committed results that a run without options asks again. */
export const AGAIN = "required";

/** The options of that run: those of the committed one, and fewer questions. Both models take ten minutes together. */
export const againOptions = [
  ...["--server", "--half", "b", "--category", "simple_python,multiple", "--limit", "4", "--minutes", "14"],
  ...["--cell", "hermes/compact/grammar/no-retry/1,json-schema/required/1", "--max-tokens", "128", "--out", "again"],
];

/** The committed results of a run. */
export const committed = (name) =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`results-${name}.json`, import.meta.url)), "utf8"));

/**
 * The verdicts of these answers beside those of committed results: `{ same, of, changed }`. `of`: the questions that
 * both asked of a model in a cell; `changed`: `[{ model, cell, id, was }]`, whether it was right.
 */
export function verdictsAgain({ answers }, records) {
  const key = ({ model, cell, id }) => [model, cell, id].join("\n");
  const verdicts = new Map();
  for (const { right, wrong, ...cell } of answers) {
    for (const id of right) verdicts.set(key({ ...cell, id }), true);
    for (const id of wrong) verdicts.set(key({ ...cell, id }), false);
  }
  const both = records.filter((record) => verdicts.has(key(record)));
  const changed = both
    .filter((record) => verdicts.get(key(record)) !== record.right)
    .map(({ model, cell, id, right }) => ({ model, cell, id, was: !right }));
  return { same: both.length - changed.length, of: both.length, changed };
}

/**
 * The same in words.
 *
 * @example againText("required", { same: 31, of: 32, changed: [{ model: "m", cell: "c", id: "q", was: true }] });
 * // "Of results-required.json, same verdicts: 31 of 32\n  m, c, q: was right, is wrong"
 */
export function againText(name, { same, of, changed }) {
  const said = (right) => (right ? "right" : "wrong");
  const lines = changed.map(
    ({ model, cell, id, was }) => `  ${model}, ${cell}, ${id}: was ${said(was)}, is ${said(!was)}`,
  );
  return [`Of results-${name}.json, same verdicts: ${same} of ${of}`, ...lines].join("\n");
}
