// The sets of questions that a share may be of: shares of different sets do not compare.

/**
 * The set that a category's questions belong to.
 *
 * @example setOf("simple_python"); // "single call"
 * @example setOf("among_50"); // "50 tools"
 */
export function setOf(category) {
  const among = /^among_(\d+)$/.exec(category);
  if (among) return `${among[1]} tools`;
  if (category.includes("irrelevance")) return "no call";
  if (category.includes("relevance")) return "any call";
  if (category.includes("parallel")) return "several calls";
  return category === "multi_turn" ? "several turns" : "single call";
}

/** Whether an answer, or a row of results, is of a set. */
export const isOf =
  (set) =>
  ({ category }) =>
    setOf(category) === set;
