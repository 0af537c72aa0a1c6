import { SHORT_NAME } from "../schema/names.js";

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

/**
 * The colon or equals sign after a name, which may be in quotes or emphasis. It is found first: names are long, and signs are
 * few.
 */
export const NAMED = new RegExp(`[:=](?<=(${SHORT_NAME})["'*\`]{0,8}\\s{0,64}[:=])`, "gu");

/**
 * An argument up to its value. Each part has a limit, because a pattern with the flag `u` may exhaust the stack on any longer
 * text.
 */
const KEY = new RegExp(`^( {0,99})(- {1,99})?(["'\`]?)(${SHORT_NAME})\\3 {0,99}([:=])(?![:=>])([ \\t]{0,99})`, "u");

/**
 * The argument on a line; undefined: there is none.
 *
 * @example keyLine("  days = 2"); // { indent: 2, dash: "", quote: "", key: "days", separator: "=", space: " ", value: "2" }
 */
export function keyLine(line: string): KeyLine | undefined {
  const [found, indent = "", dash = "", quote = "", key = "", separator = "", space = ""] = KEY.exec(line) ?? [];
  if (found === undefined) return undefined;
  return { indent: indent.length, dash, quote, key, separator, space, value: line.slice(found.length) };
}
