import { SHORT_NAME } from "../../schema/names.js";
import { LOOKAHEAD } from "../input.js";

// A missing, doubled or wrong quote makes a string continue over the text after it. Such a string has two readings: as
// it is, or as a shorter string with more values after it. Neither reading is chosen.

/** A quoted key and its colon; where an object continues, one of the quotes or the colon may be missing. */
const KEY = new RegExp(
  `["'“\`](${SHORT_NAME})["'“”\`]\\s{0,64}:|[,{([]\\s{0,64}(?:["'“\`](${SHORT_NAME})(?:["'“”\`]|\\s{0,64}:)|(${SHORT_NAME})["'“”\`])`,
  "gu",
);

/** A Python keyword argument with the beginning of its value. */
const KEYWORD = /[,("']\s{0,64}([\p{L}_][\p{L}\p{N}_]{0,63})\s{0,64}(?:\[|=\s{0,64}["'[{\dTFN-])/gu;

/** The end of a value, and a key after it that need not be declared. */
const NEXT_KEY = /["'”]\s{0,64},\s{0,64}["'“][\p{L}_][\p{L}\p{N}_.-]{0,63}["'”]\s{0,64}:|[{}]/gu;

/** The end of a Python value, and the possible name of the next argument. */
const NEXT_KEYWORD = /["']\s{0,64}(?:,\s{0,64}[\p{L}_]|[\p{L}_][\p{L}\p{N}_]{0,63}\s{0,64}=)/u;

/** The end of a list's item or the beginning of the next one. */
const NEXT_ITEM = /,\s*["'“`]|["'”`]\s*[,"'“`]/;

/** Separators or ends of values before a quote. */
const BEGINS_BETWEEN = /^[\s,:{}[\]]*[},:\]]\s*["']/;

/** A key without its first quote. */
const BEGINS_KEY = /^[\p{L}_][\p{L}\p{N}_.-]{0,63}["'”`]\s{0,64}:/u;

/** A quote, and a separator or beginning of values. */
const ENDS_BETWEEN = /["']\s*[,:{[]/;

/** An escape, a bracket, or a quote and the closing bracket after it. */
const BRACKET = /\\[\s\S]|[{[(}\])]|(["'])(?=\s*([}\])])?)/g;

/** The length at which a text without unescaped quotes is cut: a whole string would be a further copy of it. */
const MAX_UNCUT = 512;

/** The context of the open string. */
interface QuotedString {
  inList: boolean;
  /** Whether the string is a Python argument. */
  inPython: boolean;
  /** Whether any open object declares this key. */
  declares(key: string): boolean;
  /** Whether the markup that ends the call is at this index. */
  closes?: ((text: string, index: number) => boolean | undefined) | undefined;
}

/** Watches the open string for unescaped quotes that may have ended it. */
export class UnescapedQuotes {
  /** The brackets that the text before {@link text} opens; undefined if there is no text before it. */
  private opened: BracketCounts | undefined;
  /** The text from shortly before the first unescaped quote or, if none was found, the end of the text so far. */
  private text = "";
  private count = 0;
  /** The quote that ends the string. */
  private mark = "";
  private begins = false;
  private ends = false;

  /** Begins a string. */
  begin(): void {
    this.opened = undefined;
    this.text = "";
    this.count = 0;
    this.begins = this.ends = false;
  }

  /** Adds a part of the string, as written. */
  push(part: string): void {
    this.ends = false;
    this.text += part;
    if (this.count === 0 && this.text.length > MAX_UNCUT) this.cut();
  }

  /** Notes a quote that was read as text. */
  quote(mark: string): void {
    if (this.count === 0) {
      this.begins = this.text === "";
      this.cut();
    }
    this.count++;
    this.mark = mark;
    this.text += mark;
    this.ends = true;
  }

  /** Keeps the last {@link LOOKAHEAD} characters of the text, and one more if it is the backslash of an escape. */
  private cut(): void {
    const { text } = this;
    let at = text.length - LOOKAHEAD;
    if (at > 0 && backslashesBefore(text, at) % 2 === 1) at--;
    if (at <= 0) return;
    this.opened ??= { "{": 0, "[": 0, "(": 0 };
    for (let i = 0; i < at; i++) {
      const char = text.charAt(i);
      if (char === "\\") i++;
      else countBracket(char, this.opened);
    }
    this.text = text.slice(at);
  }

  /**
   * Whether the complete string may contain more than one value: another argument, another item of its list, the end of
   * the call, a closing bracket of its container, or an extra quote at one of its ends.
   */
  hideMore({ inList, inPython, declares, closes }: QuotedString): boolean {
    const { text, count, mark } = this;
    if (count === 0) return false;
    if ((this.begins || this.ends) && count % 2 === 1) return true;
    if ((this.begins && text.startsWith(mark + mark)) || (this.ends && text.endsWith(mark + mark))) return true;
    for (const [, ...keys] of text.matchAll(KEY)) if (declares(keys.find((key) => key !== undefined)!)) return true;
    for (const [, key] of text.matchAll(KEYWORD)) if (declares(key!)) return true;
    if (continuesOutside(text) || holdsTwo(text, mark)) return true;
    if (!this.opened && (BEGINS_BETWEEN.test(text) || BEGINS_KEY.test(text))) return true;
    if (endsBetween(text)) return true;
    if (closesOutside(text, mark, inPython, this.opened)) return true;
    if (inPython && NEXT_KEYWORD.test(text)) return true;
    if (inList && NEXT_ITEM.test(text)) return true;
    if (closes) for (let i = 0; i < text.length; i++) if (closes(text, i)) return true;
    return false;
  }
}

/**
 * Whether a text may be two values and what is between them, as `a" or "b`: its quotes are those of no quotation within it.
 * One opens where a quotation begins (`He said "hi" to me`, `<a href="b">`) and is closed by one where a quotation ends.
 * Of the others the first may end a value and a later one begin the next, unless it is the sign of an inch (`a 12" pipe`).
 */
function holdsTwo(text: string, mark: string): boolean {
  const plain = text.replace(/\\([\s\S])/g, (_, char) => ("nrt".includes(char) ? "  " : "\\\\"));
  /** What is before the quote that is open. */
  let opened: string | undefined;
  let ended = false;
  for (let at = plain.indexOf(mark); at >= 0; at = plain.indexOf(mark, at + 1)) {
    const [before, after] = [plain.charAt(at - 1), plain.charAt(at + 1)];
    if (mark === "'" && /[\p{L}\p{N}]'\p{L}/u.test(before + mark + after)) continue;
    if (opened !== undefined) {
      if (closesQuotation(opened, before, after)) opened = undefined;
    } else if (opensQuotation(plain, mark, at)) opened = before;
    else if (ended && !((mark === "'" ? /[\p{L}\p{N}]/u : /\d/).test(before) && CLOSES_BEFORE.test(after))) return true;
    else ended = true;
  }
  return opened !== undefined;
}

/** Whether the quote at an index begins a quotation: it is before its first character, and after what is before one. */
function opensQuotation(text: string, mark: string, at: number): boolean {
  const before = text.charAt(at - 1);
  if (!OPENS_AFTER.test(before) && !PREFIX.test(text.slice(Math.max(0, at - 4), at))) return false;
  if (/\S/.test(text.charAt(at + 1))) return true;
  // Space in brackets, as in `join(" ")`.
  return OPENING[text.charAt(text.indexOf(mark, at + 1) + 1)] === before;
}

/** Whether a quote ends the quotation that began after `opened`. */
const closesQuotation = (opened: string, before: string, after: string) =>
  UNSPACED.test(after)
    ? !UNSPACED.test(opened)
    : CLOSES_BEFORE.test(after) && (/\S/.test(before) || OPENS_SURELY.test(opened));

/** The character before a quote that opens a quotation, and the one after a quote that closes one. */
const OPENS_AFTER = /^[\s([{=:,+\u3000-\u9fff\uff01-\uff1f]?$/;
const OPENS_SURELY = /[([{=]/;
const CLOSES_BEFORE = /^[\s)\]}:;,.!?>/+\u3000-\u303f\uff01-\uff1f]?$/;
/** A letter of Chinese or Japanese, which write no spaces between words. */
const UNSPACED = /[\u3040-\u9fff]/;
/** The prefix of a Python string in a program. */
const PREFIX = /(?:^|[([{=,:+]\s?)(?:[rbu]|r?f|rb)$/i;

/** Whether a key follows a value outside the braces that the text itself opens. */
function continuesOutside(text: string): boolean {
  let depth = 0;
  for (const [found] of text.matchAll(NEXT_KEY)) {
    if (found === "{") depth++;
    else if (found === "}") depth--;
    else if (depth <= 0) return true;
  }
  return false;
}

/** Whether a text ends with a quote and JSON punctuation, as in `a",`. */
function endsBetween(text: string): boolean {
  let from = text.length;
  while (from > 0 && /[\s,:{}[\]"']/.test(text.charAt(from - 1))) from--;
  return ENDS_BETWEEN.test(text.slice(from));
}

/** The number of brackets of each kind that are open. */
type BracketCounts = Record<"{" | "[" | "(", number>;

const OPENING: Readonly<Record<string, keyof BracketCounts>> = { "}": "{", "]": "[", ")": "(" };

/** Counts a bracket; any other text counts nothing. */
function countBracket(found: string, open: BracketCounts): void {
  switch (found) {
    case "{":
    case "[":
    case "(":
      open[found]++;
      break;
    case "}":
    case "]":
    case ")": {
      const opening = OPENING[found]!;
      if (open[opening] > 0) open[opening]--;
    }
  }
}

/**
 * Whether a bracket that neither the text nor the text before it opens is closed right after a quote, as in `a"} b`: the
 * string and its container may end there. Parentheses count in Python.
 */
function closesOutside(text: string, mark: string, inPython: boolean, opened: BracketCounts | undefined): boolean {
  const open = { "{": 0, "[": 0, "(": 0, ...opened };
  for (const [found, quote, closer = ""] of text.matchAll(BRACKET)) {
    const opening = OPENING[closer];
    if (quote === mark && opening && (inPython || opening !== "(") && open[opening] === 0) return true;
    countBracket(found, open);
  }
  return false;
}

/** The number of backslashes directly before an index. */
function backslashesBefore(text: string, at: number): number {
  let from = at;
  while (text.charAt(from - 1) === "\\") from--;
  return at - from;
}
