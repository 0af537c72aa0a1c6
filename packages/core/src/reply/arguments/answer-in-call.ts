import { NOTHING } from "./lone-text.js";

/** Command R's name for an answer without a call. */
const ANSWERS_DIRECTLY = /^directly[_-]answer$/i;
/** The name that the prompts of LangChain's agents give to the answer. */
const FINAL_ANSWER = /^final[ _]?answer$/i;
/** Keys of its text. */
const TEXT_KEY = /^(?:input|output|answer|final_answer|text|content|response)$/i;

/**
 * The answer in a call whose tool does not exist: its text, or "" where the name says that no tool is needed. Undefined: it
 * is a call.
 *
 * Source: LangChain's structured chat agent, whose answer is an action `Final Answer`; the chat template of Command R, which
 * calls `directly_answer` where it needs no tool. `None` is what models write after `Action:` where they need none.
 *
 * @example answerIn("Final Answer", "It is warm."); // "It is warm."
 */
export function answerIn(name: string, args: unknown): string | undefined {
  const text = textOf(args);
  if (FINAL_ANSWER.test(name)) return text;
  return (NOTHING.test(name) || ANSWERS_DIRECTLY.test(name)) && saysNothing(text) ? "" : undefined;
}

const saysNothing = (text: string | undefined) => text === "" || (text !== undefined && NOTHING.test(text));

/** The text of arguments that are one, or of none. Undefined: they are more than that. */
function textOf(args: unknown): string | undefined {
  if (typeof args === "string") return args;
  const [first, ...more] = Object.entries(args ?? {});
  if (!first) return "";
  const [key, value] = first;
  return more.length === 0 && TEXT_KEY.test(key) && typeof value === "string" ? value : undefined;
}
