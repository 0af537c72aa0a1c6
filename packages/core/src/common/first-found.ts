/**
 * The first result of a search in the items of a list that is not undefined.
 *
 * @example firstFound(["", "a"], (text) => text.at(0)); // "a"
 */
export function firstFound<T, R>(list: readonly T[], find: (item: T, index: number) => R | undefined): R | undefined {
  for (const [i, item] of list.entries()) {
    const found = find(item, i);
    if (found !== undefined) return found;
  }
  return undefined;
}
