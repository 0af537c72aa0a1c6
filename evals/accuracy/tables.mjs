// The README's tables, from all committed results: which cell is the best of each model, and how it did against the baselines.
import { table } from "../../benchmarks/timing/markdown.mjs";
import { errorsOf, inHalf, modelsIn, recommend, shareOf } from "./compare.mjs";
import { fairPairs } from "./fair.mjs";
import { pValue, verdictOf } from "./verdict.mjs";

/** Ours and the server's own ways, by the pairs of fair.mjs. */
function fairTable(models) {
  const interval = ({ low, high }) => `${Math.round(low * 100)} to ${Math.round(high * 100)} %`;
  const side = (one) => [one.label, `${one.right} of ${one.count} (${interval(one)})`];
  const rows = models.flatMap((model) =>
    fairPairs(model).map(({ what, ours, theirs, won, lost, p }) => [
      ...[model.name, what, ...side(ours), ...side(theirs)],
      ...[`${won} to ${lost}`, pValue(p)],
    ]),
  );
  if (rows.length === 0) return [];
  return [table(["model", "what", "ours", "right", "theirs", "right", "only ours to only theirs", "p"], rows)];
}

/** `files`: the contents of `results-NAME.json`. */
export function tables(files) {
  const models = modelsIn(files);
  const rows = models.flatMap((model) => {
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
  const fair = fairTable(models);
  if (rows.length === 0)
    return [...fair, "No pairs of a cell of ours, chosen on half a, and a baseline on half b yet."];
  const titles = [
    "model",
    "our best of half a",
    "category",
    "right, half b",
    "what was wrong",
    "against the baselines",
  ];
  return [...fair, table(titles, rows)];
}
