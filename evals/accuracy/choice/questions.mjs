// The questions of which the choice is read, of two kinds: those that want a call, and those that want none.
import { loadQuestions, sample } from "../questions.mjs";

/** Of each half, so many fifths of the questions that want a call, and of those that want none. */
const SHARES = { simple_python: 3, multiple: 2, irrelevance: 3, live_irrelevance: 2 };

/** The category of questions with tools of another question. */
export const OTHER = "other_tools";

const withToolsOf = ({ tools }, question) => ({
  ...question,
  id: `other_tools_${question.id}`,
  category: OTHER,
  tools,
});

/**
 * Of each half and kind `limit` questions; and those that want a call once more with tools of another one (`other_tools`),
 * which want none. First half b and half of half a, mixed, because a threshold needs fewer questions than a report; a run that
 * is stopped has something of each.
 */
export function choiceQuestions(limit) {
  const part = (half, from, to) =>
    Object.entries(SHARES).flatMap(([category, share]) => {
      const list = loadQuestions(category).filter((question) => question.half === half);
      const at = (count) => Math.round((count * share) / 5);
      const own = sample(list, at(to)).slice(at(from));
      return category.includes("relevance") ? own : [...own, ...own.map((one, i) => withToolsOf(own.at(i - 1), one))];
    });
  const mixed = (list) => sample(list, Number.POSITIVE_INFINITY);
  return [...mixed([...part("b", 0, limit), ...part("a", 0, limit / 2)]), ...mixed(part("a", limit / 2, limit))];
}
