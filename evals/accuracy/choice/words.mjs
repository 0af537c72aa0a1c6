// How well a question matches its tools by words alone, without a model: the product's word selection among many other tools.
import { generateWithTools, ToolSelection } from "@toolingua/core";
import { loadQuestions, sample } from "../questions.mjs";

/** How many other tools there are, and how many are selected. */
const OTHERS = 200;
const LIMITS = [1, 2, 4, 8, 16, 32, 64, 128];

async function* silent() {}

/**
 * Makes the score of a question: 8 where the best tool of 200 others and its own is one of its own, less one for each doubling
 * of how many must be selected, 0 where 128 have none of its own.
 */
export function wordScorer() {
  const tools = sample(loadQuestions("simple_python"), 2 * OTHERS).flatMap((question) => question.tools);
  const others = [...new Map(tools.map((tool) => [tool.name, tool])).values()];
  return async ({ messages, tools }) => {
    const own = new Set(tools.map(({ name }) => name));
    const all = [...tools, ...others.filter(({ name }) => !own.has(name)).slice(0, OTHERS)];
    for (const [i, limit] of LIMITS.entries()) {
      const selection = new ToolSelection({ by: "words", from: 1, limit });
      const turn = generateWithTools({
        model: silent,
        messages,
        tools: all,
        toolSelection: selection,
        protocol: "hermes",
        style: "compact",
      });
      const { shown } = (await turn.result()).selection;
      if (shown.some((name) => own.has(name))) return LIMITS.length - i;
    }
    return 0;
  };
}
