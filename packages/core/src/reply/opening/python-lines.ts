import { LOOKAHEAD } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";
import { VARIABLE } from "../forms/match-token.js";

/** The beginning of a list of Python calls. */
export const PYTHON_LIST = /^\[\s*[\p{L}_]/u;

/** The beginning of a line that may assign a variable, or have a keyword. */
const UNDECIDED = /^[ \t]*(?:async[ \t]+)?(?:[\p{L}_][\p{L}\p{N}_]*[ \t]*=?)?$/u;

/**
 * A line that is neither blank nor a comment: its indentation, or the bracket that closes one of a line before; and the keyword of a
 * compound statement.
 */
const LINE =
  /^([)\]}]|[ \t]*)(?![ \t\r\n#])((?:async[ \t]+)?(?:if|elif|else|for|while|with|try|except|finally|def|class|match|case)(?![\p{L}\p{N}_]))?/u;

/**
 * What the lines of a reply in Python say of its calls: the variables that they assign, and whether a call is in a compound
 * statement, where it depends on more than the call.
 */
export class PythonLines {
  /** Whether the current line is in a compound statement: after its keyword, or in its block. */
  isInStatement = false;

  /**
   * Notes the line that begins at an index, or after its indentation, and returns the variable that it assigns. A line may be
   * noted twice. `before`: the end of the text before the index.
   */
  begin(look: Lookahead, at: number, before: string): string | undefined {
    const line = look.text.slice(at, at + LOOKAHEAD);
    if (line.length < LOOKAHEAD && UNDECIDED.test(line)) {
      look.atEnd();
      return undefined;
    }
    const [found, start = "", keyword] = LINE.exec(line) ?? [];
    if (found === undefined) return undefined;
    const isFurther = start !== "" || /[ \t]$/.test(before);
    this.isInStatement = keyword !== undefined || (isFurther && this.isInStatement);
    return VARIABLE.exec(line)?.[1];
  }
}
