import type { Plan } from "../../schema/plan.js";

/** The tools, and the parameters of each. */
interface Tools {
  isTool(name: string): boolean | undefined;
  planOf(name: string): Plan | undefined;
}

/**
 * The tool's name and the length of the first argument's key, in a text that is both because the tag between them is
 * missing; undefined unless there is exactly one way to split it.
 *
 * @example keyAfterName("read_filepath", tools); // { name: "read_file", length: 4 }
 */
export function keyAfterName(text: string, tools: Tools): { name: string; length: number } | undefined {
  if (tools.isTool(text) === true) return undefined;
  let found: { name: string; length: number } | undefined;
  for (let at = 1; at < text.length; at++) {
    const name = text.slice(0, at).trim();
    if (/\s/.test(text.charAt(at)) || tools.isTool(name) !== true) continue;
    if (!tools.planOf(name)?.properties.has(text.slice(at).trim())) continue;
    if (found) return undefined;
    found = { name, length: text.length - at };
  }
  return found;
}
