import stringWidth from "string-width";
import { type Output, sizeOf } from "../terminal/io.js";
import { printableJson } from "../terminal/printable.js";

/**
 * A value as JSON without invisible characters: those that fonts do not draw, and spaces except the plain one, are
 * escaped.
 *
 * @example shown({ path: "a\u200bb" }, 0); // '{"path":"a\\u200bb"}'
 */
export const shown = (value: unknown, indent = 2): string =>
  printableJson(JSON.stringify(value, null, indent) ?? "null").replace(unseen, escaped);

/**
 * Matches characters that fonts do not draw, line and paragraph separators, other blanks, unassigned and private
 * characters.
 */
const unseen =
  /(?! )[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zs}\p{Zl}\p{Zp}\p{Cn}\p{Co}\u115f\u1160\u2800\u3164\uffa0]/gu;

const escaped = (char: string) =>
  Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`).join("");

/** The longest name of a tool that is shown whole, in characters. */
const NAME = 80;

/**
 * The name of a tool, which a server chose. One with anything but letters, digits, `_`, `-`, `.`, `:` and `/` is quoted and
 * shown as {@link shown} does, so that no part of it looks like arguments, and none is unseen.
 *
 * @example shownName('read {"path": "a"}'); // '"read {\\"path\\": \\"a\\"}"'
 */
export function shownName(name: string): string {
  const text = /^[\p{L}\p{N}_.:/-]+$/u.test(name) ? name : shown(name, 0).replace(run, spacesOf);
  return text.length > NAME
    ? `${text.slice(0, NAME / 2)}⟨${text.length - NAME} characters⟩${text.slice(-NAME / 2)}`
    : text;
}

const spacesOf = (spaces: string) => `⟨${spaces.length} spaces⟩`;

/** Matches runs of spaces long enough to move later text out of sight. */
const run = / {9,}/g;

/**
 * The part of a JSON text that fits on the screen: its beginning and its end, with the number of characters left out
 * between them. Long runs of spaces are shown as their length. `isShort`: nothing is left out.
 *
 * @example shortened('{"a":1}', stdout); // { text: '{"a":1}', isShort: true }
 */
export function shortened(json: string, output: Output): { text: string; isShort: boolean } {
  const { columns, rows } = sizeOf(output);
  const height = Math.max(6, rows - 8);
  const spaced = json
    .split("\n")
    .map((line) => line.replace(run, (spaces, at) => (at === 0 ? spaces : spacesOf(spaces))))
    .join("\n");
  const heightOf = (line: string) => Math.max(1, Math.ceil(stringWidth(line) / columns));
  const lines = spaced.split("\n");
  const tall = lines.reduce((sum, line) => sum + heightOf(line), 0);
  if (tall <= height) return { text: spaced, isShort: spaced === json };
  // Wide characters take two columns.
  const half = Math.floor(((height / 2 - 1) * columns) / 2);
  const head = linesWithin(lines, height / 2 - 1, heightOf) ?? spaced.slice(0, half);
  const tail = linesWithin(lines.toReversed(), height / 2 - 1, heightOf, true) ?? spaced.slice(-half);
  const left = spaced.length - head.length - tail.length;
  return { text: `${head}\n⟨${left} characters are left out here: press v to view them⟩\n${tail}`, isShort: false };
}

/** The most whole lines that fit in this height; undefined if fewer than three do. */
function linesWithin(
  lines: readonly string[],
  height: number,
  heightOf: (line: string) => number,
  reversed = false,
): string | undefined {
  const taken: string[] = [];
  let tall = 0;
  for (const line of lines) {
    tall += heightOf(line);
    if (tall > height) break;
    taken.push(line);
  }
  if (taken.length < 3) return undefined;
  return (reversed ? taken.reverse() : taken).join("\n");
}
