/**
 * Successive halving: selects the few of many cells that are worth measuring well, within a given time. All cells are
 * asked a few questions of half a; the better third is asked three times as many, until `keep` cells are left. These
 * are asked more and more of half a, to find the best of them, until half of the time is spent. Then they and the
 * baselines are asked more and more questions of half b, to the end.
 *
 * `ask(cells, half, limit)` asks that many questions of each category and resolves to the right answers by cell;
 * `left()`: the remaining share of the time, 1 to 0; `most`: the number of questions of the largest category.
 *
 * @returns the selected cells, the best first
 */
export async function search({ cells, baselines, ask, left, most, keep = 3, first = 2 }) {
  let kept = cells;
  for (let limit = first; ; limit *= 3) {
    const right = await ask(kept, "a", limit);
    kept = [...kept].sort((one, other) => right.get(other.name) - right.get(one.name));
    if (left() <= 0.5 || limit >= most) break;
    kept = kept.slice(0, Math.max(keep, Math.ceil(kept.length / 3)));
  }
  kept = kept.slice(0, keep);
  for (let limit = 5; left() > 0; limit *= 2) {
    await ask([...kept, ...baselines], "b", limit);
    if (limit >= most) break;
  }
  return kept;
}
