const SPACE = "(?:[^\\S\\r\\n]|\\\\t)";
const NUMBER = `(?:[\\w./-]{1,200}:)?\\d{1,7}(?:${SPACE}{0,4}(?:[:|→│).\\]-]|\\\\u2192|\\\\u2502)|${SPACE})`;
const OTHERS = "\\[\\d{1,7}\\]|>|\\\\u003e|&gt;|[+-]";
/**
 * What programs put before every line that they show: its number, with the file's name before it or in brackets, or the mark
 * of a quoted mail or of a difference. In JSON and HTML, some of these characters and the line breaks are escapes.
 */
const MARKS = new RegExp(`(^|\\r\\n?|\\n|\\\\n)(?:${SPACE}{0,16}(?:${NUMBER}|${OTHERS})){1,8}`, "g");

/**
 * A text without what stands before its lines, because a model copies a call without that; undefined where nothing does.
 *
 * @example withoutLineMarks("1: <now>\n2: </now>"); // " <now>\n </now>"
 */
export function withoutLineMarks(text: string): string | undefined {
  const without = text.replace(MARKS, "$1");
  return without === text ? undefined : without;
}

/** Those of the texts whose lines have marks before them, without these. */
export const unmarkedTexts = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => withoutLineMarks(text) ?? []);
