// How often the right tool is among those that the words of a question select, of many tools.
import { generateWithTools, ToolSelection } from "@toolingua/core";
import { inGroups } from "../accuracy/questions.mjs";
import { wilson } from "../accuracy/statistics.mjs";

/** The sizes of the catalogues, and how many tools are selected at most. */
export const SIZES = [50, 200, 400];
export const LIMITS = [1, 3, 5, 8];

/** Writes nothing: only what it was shown counts. */
async function* silent() {}

async function selectedFor({ messages, tools }, limit) {
  const selection = new ToolSelection({ by: "words", from: 1, limit });
  const turn = generateWithTools({
    model: silent,
    messages,
    tools,
    toolSelection: selection,
    protocol: "hermes",
    style: "compact",
  });
  return (await turn.result()).selection.shown;
}

/**
 * A row for each size and limit: `{ category, size, limit, count, found, from, to, shown }`. `found`: questions whose right
 * tool was selected, with Wilson's 95 % interval of the share; `shown`: the mean number of selected tools. Sizes that the
 * questions do not fill are left out.
 */
export async function countFound(category, questions, { sizes = SIZES, limits = LIMITS } = {}) {
  const rows = [];
  for (const size of sizes.filter((size) => size <= questions.length)) {
    const groups = inGroups(questions, size);
    for (const limit of limits) {
      const selected = await Promise.all(groups.map((question) => selectedFor(question, limit)));
      const found = selected.filter((names, i) => groups[i].truth.every((call) => names.includes(nameOf(call)))).length;
      const shown = selected.reduce((sum, names) => sum + names.length, 0) / selected.length;
      const [from, to] = wilson(found, groups.length).map((share) => Number(share.toFixed(4)));
      rows.push({ category, size, limit, count: groups.length, found, from, to, shown: Number(shown.toFixed(1)) });
    }
  }
  return rows;
}

const nameOf = (call) => Object.keys(call)[0];
