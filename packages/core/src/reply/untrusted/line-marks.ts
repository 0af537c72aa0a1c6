/**
 * What programs put before every line that they show: its number, the mark of a quoted mail, or that of a difference. In JSON,
 * line breaks and tabs are escapes.
 */
const MARK = /(^|\n|\\n)(?:[^\S\n]|\\t){0,16}(?:\d{1,7}(?:[^\S\n]{0,4}[:|→│)]|[^\S\n]|\\t)|(?:>[^\S\n]?){1,8}|[+-])/g;

/**
 * A text without what stands before its lines, because a model copies a call without that; undefined where fewer than two
 * lines begin so.
 *
 * @example withoutLineMarks("1: <now>\n2: </now>"); // " <now>\n </now>"
 */
export function withoutLineMarks(text: string): string | undefined {
  let marks = 0;
  const without = text.replace(MARK, (_, lineBreak: string) => {
    marks++;
    return lineBreak;
  });
  return marks > 1 ? without : undefined;
}
