import { escapeRegExp } from "../common/escape-reg-exp.js";
import type { Spelling } from "./spelling.js";
import { LABEL_COLONS, LABEL_MARKS, localName, NAMESPACE_PREFIX } from "./spelling.js";
import { BARS, TOKEN_SPACE, TOKEN_SPACES } from "./token-spellings.js";

/**
 * The parts of a pattern: a character, a class or a group each, with a quantifier. Patterns with a common beginning
 * share it in one automaton (see `anyOf`), so that two hundred tags cost hardly more than one.
 */
export type Pattern = readonly string[];

/**
 * The patterns that recognise a spelling: `text` in free text; `value` in a value that must stay exact and is refused.
 */
export interface Guard {
  text: readonly Pattern[];
  value: readonly Pattern[];
}

/** A bar, and a space in a token. Models mix the spellings within a token, and write any white space. */
export const BAR = `[${BARS.join("")}]`;
const SPACE = String.raw`[${TOKEN_SPACES.join("")}\s]`;

/** One character of a marker in all its spellings. */
const spelled = (char: string) => (BARS.includes(char) ? BAR : char === TOKEN_SPACE ? SPACE : escapeRegExp(char));

/** Markdown escapes underscores. */
const ESCAPE = String.raw`\\?`;

const letters = (text: string): string[] =>
  [...text].flatMap((char, i) => (char === "_" && i > 0 ? [ESCAPE, char] : [spelled(char)]));

/** The colon of a label. */
const COLON = `[${LABEL_COLONS}]`;

/** No character of a name before. */
const NOT_AFTER_NAME = String.raw`(?<![\p{L}\p{N}_])`;
const NAME_ENDS = String.raw`(?![\p{L}\p{N}_.:-])`;

/** The end of a tag or its first attribute: one that says nothing of the call is read too. */
const TAG_ENDS = String.raw`(?:\s*(?:\/\s*)?>|\s+[\p{L}_][\p{L}\p{N}_.:-]*\s*=)`;
const TAG_START = ["<", String.raw`\s*`, String.raw`(?:\/\s*)?`];
/** A closing tag counts with any text in it; the opening tag of a marker without attributes does not. */
const CLOSING_TAG_START = ["<", String.raw`\s*`, String.raw`\/\s*`];

/** The characters around a name, and what models write before it. */
const AROUND_NAME = String.raw`[\s*"'\x60]*`;
/** A word before the opening bracket of the arguments: a name, or the language of a code fence. */
const FENCED = String.raw`(?:[\p{L}\p{N}_.-]{1,64}[\s*"'\x60]*)?`;
/** A tool's name in any spelling: in a tag, alone on a line, and before other words. */
const TAG_NAME = String.raw`([\p{L}\p{N}_.:-]{1,256})`;
const LINE_NAME = String.raw`([\p{L}\p{N}_$.:\/\\-]{1,256})`;
const PHRASE = String.raw`([\p{L}\p{N}_$.:\/\\ -]{1,256})`;
/** A name in a call that begins a line, up to its arguments; a tool's may end with the line. */
const ARGUMENTS_FOLLOW = String.raw`(?=[\p{L}\p{N}_$][\p{L}\p{N}_$.:\/\\-]{0,255}[\s*"'\x60]*[\[{("<])`;
/**
 * The beginning of a line of a value other than the first, with the characters allowed before a label. Wider than what the
 * parser allows: a model may copy the line without its `>` or quotes.
 */
const VALUE_LINE = String.raw`(?<=\n[\s#>*_"'\x60-]{0,16})`;
const LINE_ENDS = String.raw`(?=[ \t\r\f\v\u00a0\ufeff"'\x60*]*(?:\n|$))`;

/**
 * The patterns that recognise a spelling anywhere in free text: everything that the reader accepts, and also variants
 * with spaces and in other cases, since models are not exact. `namedMarkersOf` covers markers that contain a tool's
 * name.
 */
export function guardOf(spelling: Spelling): Guard {
  switch (spelling.kind) {
    case "literal": {
      const { text } = spelling;
      // A closing tag may contain any text before its end.
      const isCloser = /^<\/.*>$/.test(text);
      const pattern = [
        ...loosely(isCloser ? text.slice(0, -1) : text),
        ...(isCloser ? [NAME_ENDS] : []),
        ...(spelling.name ? [String.raw`(?=\s*["'\x60]?[\p{L}\p{N}_$])`] : []),
      ];
      return { text: [pattern], value: [pattern] };
    }
    case "line": {
      const call = [...lineStart(spelling.text), ARGUMENTS_FOLLOW];
      return { text: [call], value: [call] };
    }
    case "label": {
      const label = labelOf(spelling.text);
      // Most values are one line, in which a label is only words and a colon.
      return {
        text: [label],
        value: [
          [...label, AROUND_NAME, FENCED, "[{(]"],
          [VALUE_LINE, ...label],
        ],
      };
    }
    case "tag": {
      const name = [NAMESPACE_PREFIX, ...letters(localName(spelling.name))];
      const patterns = spelling.attributes
        ? [[...TAG_START, ...name, NAME_ENDS]]
        : [
            [...TAG_START, ...name, TAG_ENDS],
            [...CLOSING_TAG_START, ...name, NAME_ENDS],
          ];
      return { text: patterns, value: patterns };
    }
    case "tool-tag":
    case "object":
      return { text: [], value: [] };
  }
}

/**
 * A marker that contains a tool's name, in the group of the pattern. The pattern is the same for all tools; `ToolNames`
 * decides whether the name belongs to one of them.
 */
export interface NamedMarker {
  pattern: Pattern;
  /** It counts only in a value that must stay exact, where words may follow the name. */
  isPhrase: boolean;
}

/** The markers of a spelling that contain a tool's name. */
export function namedMarkersOf(spelling: Spelling): NamedMarker[] {
  switch (spelling.kind) {
    case "line":
      return [{ pattern: [...lineStart(spelling.text), LINE_NAME, LINE_ENDS], isPhrase: false }];
    case "label":
      return [{ pattern: [...labelOf(spelling.text), AROUND_NAME, PHRASE], isPhrase: true }];
    case "tool-tag": {
      const tag = { pattern: [...TAG_START, TAG_NAME, NAME_ENDS], isPhrase: false };
      // The tag after the name is broken, because searching for the name itself would stop at each letter of a text.
      const alone = String.raw`(?<=(?<![\p{L}\p{N}_.:-])${TAG_NAME}[^\S\n]*\n\s*<)`;
      return spelling.alone ? [tag, { pattern: ["<", alone], isPhrase: false }] : [tag];
    }
    default:
      return [];
  }
}

const lineStart = (text: string): string[] => [...loosely(text), AROUND_NAME];

/** A label is read with a number or emphasis before its colon, and with other marks between its words. */
function labelOf(text: string): string[] {
  const words = text.slice(0, -1).split(" ").map(letters);
  const start = words.flatMap((word, i) => (i > 0 ? [String.raw`[\s_-]*`, ...word] : word));
  return [NOT_AFTER_NAME, ...start, `[\\s\\d${LABEL_MARKS}]*`, COLON];
}

/** A marker in any case, with spaces between its words and punctuation. */
function loosely(marker: string): string[] {
  const pieces = marker.match(/[\p{L}\p{N}_]+|[^\s]/gu) ?? [];
  return pieces.flatMap((piece, i) => [...(i > 0 ? [String.raw`\s*`] : []), ...letters(piece)]);
}

/**
 * One pattern for all, with common beginnings written once: most text differs from all of them at the first character,
 * and most tags soon after.
 */
export function anyOf(patterns: readonly Pattern[]): string {
  const byFirst = new Map<string, Pattern[]>();
  for (const [first, ...rest] of patterns) {
    // A pattern that ends here makes longer ones unnecessary.
    if (first === undefined) return "";
    const others = byFirst.get(first);
    if (others) others.push(rest);
    else byFirst.set(first, [rest]);
  }
  const ways = [...byFirst].map(([first, rests]) => first + anyOf(rests));
  return ways.length > 1 ? `(?:${ways.join("|")})` : (ways[0] ?? "");
}

/** The characters that a pattern begins with, in any case. */
export function firstOf(pattern: Pattern): readonly string[] {
  const first = pattern.find((part) => !part.startsWith("(?")) ?? "";
  return first.startsWith("[") ? [...first.slice(1, -1)] : [first.replace(/^\\/, "")];
}

/** A part that is one character of punctuation, and those that are one of several. */
const PUNCTUATION = /^(?:\\[!-/:-@[-`{-~]|[!"#%&',\-/:;<=>@_`~]|[^\p{ASCII}\p{L}])$/u;
const CLASSES: ReadonlyMap<string, readonly string[]> = new Map([
  [BAR, BARS],
  [COLON, [...LABEL_COLONS]],
]);

/** The characters of which every match of a pattern has one; undefined if there are none, as in a pattern of words. */
export function neededBy(pattern: Pattern): readonly string[] | undefined {
  const part = pattern.find((one) => CLASSES.has(one) || PUNCTUATION.test(one));
  return part === undefined ? undefined : (CLASSES.get(part) ?? [part.slice(-1)]);
}
