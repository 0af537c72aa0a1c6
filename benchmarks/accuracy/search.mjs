/**
 * Successive halving: of many cells the few that are worth measuring well, within a given time. All are asked a few
 * questions of half a; the better third is asked three times as many, until `keep` are left. These are asked more and more
 * of half a, so that the best of them is known, until half of the time is spent. Then they and the baselines are asked
 * questions of half b, more and more, to the end.
 *
 * `ask(cells, half, limit)` asks so many questions of each category and resolves to the right answers by cell;
 * `left()`: the share of the time that is left, 1 to 0; `most`: how many questions the largest category has.
 *
 * @returns the cells that were kept, the best first
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
