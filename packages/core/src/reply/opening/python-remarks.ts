import { growingPattern, matchAt } from "../../notation/growing-pattern.js";
import type { Lookahead } from "../../notation/lookahead.js";
import { SHORT_PYTHON_NAME } from "../../schema/names.js";

// What may stand between the calls of a program in Python, and is neither a call nor text.

/** A line that prints a variable. */
const PRINT = growingPattern([["print", "\\(", "\\s*", `(${SHORT_PYTHON_NAME})`, "\\s*", "\\)"]]);
const MAX_PRINT = 128;

/** The longest comment after a call to wait for. */
const MAX_COMMENT = 256;

/** Where code ends that prints a variable, such as the result of a call. Undefined: there is none at this index. */
export function printEnd(look: Lookahead, at: number, isVariable: (name: string) => boolean): number | undefined {
  const [whole, variable = ""] = matchAt(look, at, PRINT, MAX_PRINT) ?? [];
  return whole !== undefined && isVariable(variable) ? at + whole.length : undefined;
}

/**
 * Where the comment at an index ends. Undefined: there is none, or it has a bracket, which may be another call; after words, it
 * may say that the calls are an example.
 */
export function commentEnd(look: Lookahead, at: number): number | undefined {
  if (look.text.charAt(at) !== "#") return undefined;
  const rest = look.text.slice(at, at + MAX_COMMENT);
  const end = rest.indexOf("\n");
  if (end < 0 && !look.endsAt(at + rest.length)) return undefined;
  if (look.hitEnd) return undefined;
  const comment = end < 0 ? rest : rest.slice(0, end);
  return /[([{]/.test(comment) ? undefined : at + comment.length;
}
