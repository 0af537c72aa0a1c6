import type { Plan } from "../../schema/plan.js";
import type { Body } from "../../syntax/syntax.js";
import type { FormNode } from "./forms.js";

/** The tools, and the parameters of each. */
interface Tools {
  isTool(name: string): boolean | undefined;
  planOf(name: string): Plan | undefined;
}

/** The tool's name, and the body of its arguments, which begins at the index `from`. */
export interface NameAndKey {
  name: string;
  from: number;
  body: Body;
  node: FormNode;
}

/**
 * Splits a text into the tool's name and the first argument's key, because the tag between them is missing: a closing tag
 * follows the text where the form has the arguments.
 */
export function keyAfterName(
  words: string,
  { text, at, node, tools }: { text: string; at: number; node: FormNode; tools: Tools },
): NameAndKey | undefined {
  if (!text.startsWith("</", at)) return undefined;
  const next = node.branches.find(({ token }) => token.kind === "body");
  if (next?.token.kind !== "body") return undefined;
  const split = splitName(words, tools);
  return split && { name: split.name, from: at - split.length, body: next.token.body, node: next.node };
}

/**
 * The tool's name and the length of a key after it, in a text that is both; undefined unless there is exactly one way to
 * split it.
 *
 * @example splitName("read_filepath", tools); // { name: "read_file", length: 4 }
 */
export function splitName(words: string, tools: Tools): { name: string; length: number } | undefined {
  if (tools.isTool(words) === true) return undefined;
  let found: { name: string; length: number } | undefined;
  for (let at = 1; at < words.length; at++) {
    const name = words.slice(0, at).trim();
    if (/\s/.test(words.charAt(at)) || tools.isTool(name) !== true) continue;
    if (!tools.planOf(name)?.properties.has(words.slice(at).trim())) continue;
    if (found) return undefined;
    found = { name, length: words.length - at };
  }
  return found;
}
