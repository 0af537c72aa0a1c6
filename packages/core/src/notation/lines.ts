/** Whether a line is more than white space. */
export const isFilled = (line: string): boolean => line.trim() !== "";

/** The number of spaces before the text of a line. */
export const indentOf = (line: string): number => line.search(/[^ ]|$/);

/** The text of some lines without the indentation that all of them have. */
export function dedented(lines: readonly string[]): string {
  const filled = lines.filter(isFilled);
  const least = filled.reduce((indent, line) => Math.min(indent, line.search(/\S/)), Number.POSITIVE_INFINITY);
  return lines.map((line) => line.slice(least)).join("\n");
}

/** The header of a block of text in YAML: its style, and what becomes of the newlines at its end. */
export const BLOCK = /^([|>])(?:[1-9]?([-+]?)|([-+])[1-9])(?:[ \t]+#.*)?\s*$/;

/** An argument on a line, such as `city: Ulm`. */
export interface KeyLine {
  /** The number of spaces before it, and the dash of an item with the spaces after it. */
  indent: number;
  dash: string;
  /** The quotation mark around the name. */
  quote: string;
  key: string;
  separator: string;
  /** The white space between the separator and the value. */
  space: string;
  value: string;
}

/** The colon or equals sign after a name, which may be in quotes or emphasis. It is found first: names are long, and signs are few. */
export const NAMED = /[:=](?<=([\p{L}_][\p{L}\p{N}_.-]{0,63})["'*`]{0,8}\s{0,64}[:=])/gu;

const DASH = / *(-[ ]+)?/y;
const NAME = /(["'`]?)([\p{L}_][\p{L}\p{N}_.-]{0,63})\1/uy;
const VALUE = / *([:=])(?![:=>])([ \t]*)(.*)$/y;

/**
 * The argument on a line; undefined: there is none. The names are matched apart from the rest of the line, because a pattern with
 * the flag `u` exhausts the stack on text of any length.
 *
 * @example keyLine("  days = 2"); // { indent: 2, dash: "", quote: "", key: "days", separator: "=", space: " ", value: "2" }
 */
export function keyLine(line: string): KeyLine | undefined {
  DASH.lastIndex = 0;
  const [, dash = ""] = DASH.exec(line) ?? [];
  NAME.lastIndex = DASH.lastIndex;
  const [, quote = "", key] = NAME.exec(line) ?? [];
  if (key === undefined) return undefined;
  VALUE.lastIndex = NAME.lastIndex;
  const [, separator, space = "", value = ""] = VALUE.exec(line) ?? [];
  return separator === undefined ? undefined : { indent: indentOf(line), dash, quote, key, separator, space, value };
}
