// The README's tables, from all committed results: which cell is the best of each model, and how it did against the baselines.
import { table } from "../timing/markdown.mjs";
import { errorsOf, inHalf, modelsIn, recommend, shareOf } from "./compare.mjs";
import { verdictOf } from "./verdict.mjs";

/** `files`: the contents of `results-NAME.json`. */
export function tables(files) {
  const rows = modelsIn(files).flatMap((model) => {
    const { chosen, against = [], categories = [] } = recommend(model) ?? {};
    return [{ against }, ...categories]
      .filter(({ against }) => against.length > 0)
      .map(({ category, against }) => {
        const { right, count } = shareOf(chosen, inHalf("b", category));
        return [
          ...[model.name, `\`${chosen.name}\``, category ?? "all", `${right} of ${count}`],
          ...[errorsOf(chosen, inHalf("b", category)), verdictOf(against).text],
        ];
      });
  });
  if (rows.length === 0) return ["No pairs of a cell of ours, chosen on half a, and a baseline on half b yet."];
  const titles = [
    "model",
    "our best of half a",
    "category",
    "right, half b",
    "what was wrong",
    "against the baselines",
  ];
  return [table(titles, rows)];
}
