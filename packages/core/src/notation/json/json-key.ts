import type { RepairCode } from "../../types.js";
import { type Input, LOOKAHEAD, matchesAt, spaceEnd } from "../input.js";
import { closingQuotes, parseString, quotesRepair, stringEnd, unquote, wordEnd } from "../json-words.js";
import { Lookahead } from "../lookahead.js";
import type { JsonReaderOptions } from "./json-options.js";
import { isHalf, MAX_TOKEN } from "./word-limit.js";

/** A key, and where it ends. */
export interface Key {
  key: string;
  /** Its JSON spelling. */
  json?: string;
  end: number;
  repair?: RepairCode | undefined;
  /** Whether its colon is before the end. */
  hasColon?: boolean;
}

/** The key at the current position; undefined: there is none; `more`: its end was not received. */
export function keyAt(input: Input, options: JsonReaderOptions): Key | "more" | undefined {
  const marked = options.quote !== undefined && markedKey(input, options.quote);
  const found = marked || quotedKey(input, options) || bareKey(input, options.quote !== undefined);
  const isCut = typeof found === "object" && (found.end < 0 || found.end - input.pos > MAX_TOKEN);
  return isCut ? "more" : found;
}

function quotedKey(input: Input, options: JsonReaderOptions): Key | "more" | undefined {
  const { text, pos } = input;
  const quotes = closingQuotes(text.charAt(pos));
  if (quotes === undefined) return undefined;
  const quote = quotes.charAt(0);
  const end = stringEnd(text, pos, quotes);
  if (end < 0) return "more";
  const half = halfQuotedKey(input, end, options);
  if (half) return half;
  const key = text.slice(pos + 1, end - 1);
  const strict = quote === '"' ? parseString(key) : undefined;
  if (strict !== undefined) return { key: strict, json: text.slice(pos, end), end };
  const repair = quote === '"' || options.python ? undefined : quotesRepair(text.charAt(pos));
  return { key: unquote(key, quote, (code) => options.repaired?.(code)), end, repair };
}

/** A key up to its colon. */
const UP_TO_COLON = /^["']([\p{L}_$][\p{L}\p{N}_$.-]{0,63})["'”’“‘]?\s{0,64}[:：]/u;

/** A declared key without its closing quote, or with another one, as in `"city: "Oslo"`, where the next quote is at `end`. */
function halfQuotedKey(input: Input, end: number, { keys }: JsonReaderOptions): Key | "more" | undefined {
  const [found, key] = UP_TO_COLON.exec(input.text.slice(input.pos, end)) ?? [];
  if (found === undefined || keys?.expects(key!) !== true) return undefined;
  const look = new Lookahead(input);
  const isKey = look.charAt(spaceEnd(input.text, end)) === ":";
  if (look.hitEnd) return "more";
  return isKey ? undefined : { key: key!, end: input.pos + found.length, repair: "missing-quote", hasColon: true };
}

/** `isUsual`: the format's keys have no quotes. */
function bareKey(input: Input, isUsual: boolean): Key | "more" | undefined {
  const { text, pos } = input;
  const end = isUsual ? bareKeyEnd(text, pos) : wordEnd(text, pos);
  if (end === pos) return undefined;
  if (isHalf(input, end)) return "more";
  const key = text.slice(pos, end);
  if (isUsual || !/["']/.test(text.charAt(end))) return { key, end, repair: isUsual ? undefined : "unquoted-key" };
  const look = new Lookahead(input);
  const isOpened = look.charAt(spaceEnd(text, end + 1)) === ":";
  if (look.hitEnd) return "more";
  return isOpened ? { key, end: end + 1, repair: "missing-quote" } : { key, end, repair: "unquoted-key" };
}

const BARE_KEY = /([\p{L}_][\p{L}\p{N}_]{0,63})\s{0,16}(:?)/uy;

/** Whether a declared key without quotes, and its colon, are at an index. */
export function declaredKeyBegins(look: Lookahead, at: number, keys: JsonReaderOptions["keys"]): boolean {
  BARE_KEY.lastIndex = at;
  const [whole = "", key = "", colon] = BARE_KEY.exec(look.text) ?? [];
  if (colon === "") look.endsAt(at + whole.length);
  return colon === ":" && keys?.expects(key) === true;
}

/**
 * Whether the value of a key begins at an index, where its colon should be: a bracket, or after a declared key a number, or a
 * string that is no key.
 */
export function colonIsMissing(look: Lookahead, at: number, isDeclared: boolean): boolean {
  const char = look.text.charAt(at);
  return /[{[]/.test(char) || (isDeclared && (/["']/.test(char) ? !startsKey(look, at, char) : /[\d-]/.test(char)));
}

/**
 * The index after what other languages write in place of the colon: `=`, `=>`, `：`; the same index where it is missing; false:
 * neither is here.
 */
export function otherColonEnd(look: Lookahead, at: number, isDeclared: boolean): number | false {
  if (colonIsMissing(look, at, isDeclared)) return at;
  return /[=：]/.test(look.text.charAt(at)) && (look.charAt(at + 1) === ">" ? at + 2 : at + 1);
}

/** Whether a quoted key and its colon are at an index. `separator`: the character that may replace the colon. */
export function startsKey(look: Lookahead, at: number, quote: string, separator = ":"): boolean {
  const window = look.text.slice(at, at + LOOKAHEAD);
  const end = stringEnd(window, 0, quote);
  const colon = end < 0 ? window.length : spaceEnd(window, end);
  if (colon === window.length && colon < LOOKAHEAD) look.atEnd();
  const found = window.charAt(colon);
  // Two equals signs compare.
  return (
    found === ":" ||
    found === "：" ||
    (found !== "" && found === separator && look.charAt(at + colon + 1) !== separator)
  );
}

/**
 * The key at the current position between the marks that delimit strings in a format; false: no such mark is here.
 * `end`: the index after it, or -1 if its end was not received.
 */
function markedKey({ text, pos, final }: Input, mark: string): Key | false {
  const isHere = matchesAt(text, pos, mark);
  if (isHere === undefined && !final) return { key: "", end: -1 };
  if (!isHere) return false;
  const from = pos + mark.length;
  const at = text.indexOf(mark, from);
  return { key: text.slice(from, Math.max(from, at)), end: at < 0 ? -1 : at + mark.length };
}

/** Words after the first one of a key, up to its colon or the end of the text. */
const MORE_WORDS = /^(?: [\p{L}\p{N}_.-]+)* ?(?=[:=]|$)/u;

/** Where a key without quotes ends, which may be several words in formats whose keys have none. */
function bareKeyEnd(text: string, from: number): number {
  const end = wordEnd(text, from);
  if (end === from || text.charAt(end) !== " ") return end;
  const window = text.slice(end, end + MAX_TOKEN);
  const [words = ""] = MORE_WORDS.exec(window) ?? [];
  const more = words.length < MAX_TOKEN ? words : "";
  return end + (end + more.length < text.length ? more.trimEnd() : more).length;
}
