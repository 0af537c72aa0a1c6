import { LOOKAHEAD } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";
import { VARIABLE } from "../forms/match-token.js";

/** The beginning of a list of Python calls. */
export const PYTHON_LIST = /^\[\s*[\p{L}_]/u;

/** White space within a line, and the characters without width that models write. */
const SPACE = "(?:[^\\S\\r\\n]|[\\u200b\\u2060])";

/** The beginning of a line that may assign a variable, or have a keyword. */
const UNDECIDED = new RegExp(`^${SPACE}*(?:async[ \\t]+)?(?:[\\p{L}_][\\p{L}\\p{N}_]*[ \\t]*=?)?$`, "u");

const ENDS_WITH_SPACE = new RegExp(`${SPACE}$`, "u");

/**
 * A line that is neither blank nor a comment: its indentation, or the bracket that closes one of a line before; and the keyword
 * of a compound statement.
 */
const LINE = new RegExp(
  `^([)\\]}]|${SPACE}*(?!${SPACE}|[\\r\\n#]))((?:async[ \\t]+)?(?:if|elif|else|for|while|with|try|except|finally|def|class|match|case)(?![\\p{L}\\p{N}_]))?`,
  "u",
);

/** Keywords of compound statements whose words after them are no prose, as Python writes them or in capitals. */
const KEYWORD = "if|elif|while|def|except";
const ALONE = "else|try|finally";
const NO_LETTER = "(?![\\p{L}\\p{N}_])";
/** The variables of a loop. */
const TARGET = "\\(*[\\p{L}_][\\p{L}\\p{N}_]*\\)*";

/**
 * The beginning of a compound statement on its line, also after a label, a list mark or another statement. After a word or a
 * comma the same words are prose (`I check if it rains:`).
 */
const HEADER = new RegExp(
  "(?:^\\s*|[^\\p{L}\\p{N}_\\s,]\\s+|(?<![\\p{L}\\p{N}_])[^\\p{L}\\p{N}_\\s,]|[:;])(?:(?:async|ASYNC)\\s+)?" +
    `(?:(?:${KEYWORD}|${KEYWORD.toUpperCase()})${NO_LETTER}|(?:${ALONE}|${ALONE.toUpperCase()})\\s*:|` +
    `(?:for|FOR)\\s+${TARGET}(?:\\s*,\\s*${TARGET})*\\s+(?:in|IN)${NO_LETTER}|` +
    "(?:with|WITH)\\s[^:;]{1,128}?(?:\\(|\\s(?:as|AS)\\s))",
  "u",
);

/** The end of its line, or of the first of its lines. */
const HEADER_END = /(?:[:([{\\]|\b(?:and|or))[\s*_`]*(?:#[^#]*)?$/i;

/** Whether the end of a text, without the line break after it, is a line with the header of a compound statement. */
const endsWithHeader = (text: string): boolean => {
  const line = text.slice(text.lastIndexOf("\n") + 1);
  return HEADER_END.test(line) && HEADER.test(line);
};

/**
 * What the lines of a reply in Python say of its calls: the variables that they assign, and whether a call is in a compound
 * statement, where it depends on more than the call.
 */
export class PythonLines {
  /** Whether the current line is in a compound statement: after its keyword, or in its block. */
  private isInStatement = false;

  /** Whether a call is in a compound statement. `before`: the end of the text before it. */
  holds(before: string): boolean {
    return this.isInStatement || endsWithHeader(before);
  }

  /**
   * Notes the line that begins at an index, or after its indentation, and returns the variable that it assigns. A line may be
   * noted twice. `before`: the end of the text before the index.
   */
  begin(look: Lookahead, at: number, before: string): string | undefined {
    if (before.endsWith("\n") && endsWithHeader(before.slice(0, -1))) this.isInStatement = true;
    const line = look.text.slice(at, at + LOOKAHEAD);
    if (line.length < LOOKAHEAD && UNDECIDED.test(line)) {
      look.atEnd();
      return undefined;
    }
    const [found, start = "", keyword] = LINE.exec(line) ?? [];
    if (found === undefined) return undefined;
    const isFurther = start !== "" || ENDS_WITH_SPACE.test(before);
    this.isInStatement = keyword !== undefined || (isFurther && this.isInStatement);
    return VARIABLE.exec(line)?.[1];
  }
}
