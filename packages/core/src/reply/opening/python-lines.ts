import { LOOKAHEAD } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";
import { VARIABLE } from "../forms/match-token.js";

/** The beginning of a line that may assign a variable, or have a keyword. */
const UNDECIDED = /^[ \t]*(?:async[ \t]+)?(?:[\p{L}_][\p{L}\p{N}_]*[ \t]*=?)?$/u;

/** A line that is not blank: its indentation, and the keyword of a compound statement. */
const LINE =
  /^([ \t]*)(?![ \t\r\n])((?:async[ \t]+)?(?:if|elif|else|for|while|with|try|except|finally|def|class)(?![\p{L}\p{N}_]))?/u;

/** The lines of a reply in Python that are no calls: those that assign variables, and the blocks of compound statements. */
export class PythonLines {
  /** Whether the current line is in the block of a compound statement, so that a call in it depends on more than the call. */
  isInBlock = false;
  /** Whether the last line begins with the keyword of a compound statement. */
  private hasKeyword = false;

  /**
   * A line begins at an index, or after its indentation; `before`: the end of the text before the index. Returns the variable
   * that the line assigns, if any.
   */
  begin(look: Lookahead, at: number, before: string): string | undefined {
    const line = look.text.slice(at, at + LOOKAHEAD);
    if (line.length < LOOKAHEAD && UNDECIDED.test(line)) {
      look.atEnd();
      return undefined;
    }
    const [found, indentation = "", keyword] = LINE.exec(line) ?? [];
    if (found === undefined) return undefined;
    const isIndented = indentation !== "" || /[ \t]$/.test(before);
    this.isInBlock = isIndented && (this.isInBlock || (this.hasKeyword && /:\s*$/.test(before)));
    this.hasKeyword = keyword !== undefined;
    return VARIABLE.exec(line)?.[1];
  }
}
