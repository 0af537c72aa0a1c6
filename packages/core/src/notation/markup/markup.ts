import { asciiNameEnd, isSpace, LOOKAHEAD } from "../input.js";
import { Lookahead } from "../lookahead.js";

const named: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'", nbsp: "\u00a0" };

/** The longest entity to wait for: `&#x10FFFF;`. */
const MAX_ENTITY = 10;

/** The text of an entity (`&…;`, complete); an unknown one stays unchanged. Source: XML 1.0, section 4.6. */
function decodeEntity(entity: string): string {
  const body = entity.slice(1, -1);
  if (Object.hasOwn(named, body)) return named[body]!;
  const code = /^#x[0-9a-f]+$/i.test(body)
    ? Number.parseInt(body.slice(2), 16)
    : /^#\d+$/.test(body)
      ? Number(body.slice(1))
      : Number.NaN;
  return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
}

/** The entity at an index, decoded; an `&` that begins no entity is literal. */
export function entityAt(look: Lookahead, at: number): { text: string; end: number } {
  const written = look.text.slice(at, at + MAX_ENTITY);
  const end = written.indexOf(";");
  if (end >= 0) return { text: decodeEntity(written.slice(0, end + 1)), end: at + end + 1 };
  if (written.length < MAX_ENTITY) look.atEnd();
  return { text: "&", end: at + 1 };
}

const ENTITY = /&(?:#x[0-9a-fA-F]{1,6}|#\d{1,7}|[a-zA-Z]{2,4});/g;
const CDATA = /<!\[CDATA\[/;

/** Decodes markup text: entities, and CDATA sections as literal text. */
export function decodeXml(text: string): string {
  if (!text.includes("&") && !text.includes("<")) return text;
  if (!CDATA.test(text)) return text.replace(ENTITY, decodeEntity);
  return text
    .split("<![CDATA[")
    .map((piece, i) => {
      if (i === 0) return piece.replace(ENTITY, decodeEntity);
      const end = piece.indexOf("]]>");
      return end < 0 ? piece : piece.slice(0, end) + piece.slice(end + 3).replace(ENTITY, decodeEntity);
    })
    .join("");
}

/**
 * Decodes a value that may be written without escapes: entities and CDATA sections count only if one of them occurs
 * before the first other `<`. A writer that escapes does so from the start; otherwise entities inside markup are
 * literal.
 */
export function decodeMarkup(text: string): string {
  let at = text.indexOf("<");
  while (at >= 0 && text.startsWith("<![CDATA[", at)) {
    const end = text.indexOf("]]>", at);
    at = end < 0 ? -1 : text.indexOf("<", end);
  }
  if (at < 0) return decodeXml(text);
  const before = text.slice(0, at);
  return decodeXml(before) === before ? text : decodeXml(text);
}

/**
 * The index after the closing tag at an index, in any case and with spaces inside; a name may have one after the bar of a
 * token.
 */
export function closingTagEnd(look: Lookahead, at: number, name: string): number | false {
  if (look.charAt(at + 1) !== "/") return false;
  const piece = look.text.slice(at, at + name.length + MAX_CLOSER_SPACE);
  const [, before = "", written = "", after = "", end] =
    /^<\/(\s*)((?:[^\s<>/]*[|｜] )?[^\s<>/]*)(\s*)(>?)/.exec(piece) ?? [];
  const next = at + 2 + before.length + written.length + after.length;
  const [is, wanted] = [local(written), local(name)];
  if (end === ">") return is === wanted && next + 1;
  if (wanted.startsWith(is) || written.length <= MAX_PREFIX) look.endsAt(next);
  return false;
}

/** Whether the text before a tag makes it a word of a sentence, or quoted: "write <name> first". */
export const isMentionedIn = (before: string): boolean => /\S[^\S\n]+$|["'`(]$/.test(before.slice(-MAX_CLOSER_SPACE));

/** A tag's name without its namespace prefix, in lower case. */
const local = (name: string) => name.slice(name.slice(0, MAX_PREFIX + 1).indexOf(":") + 1).toLowerCase();

const MAX_CLOSER_SPACE = 32;
/** The maximum length of a namespace prefix. */
const MAX_PREFIX = 16;

/**
 * Removes the newline after an opening tag and, in that case or if `endNewlineIsLayout`, the one before the closing tag: both
 * are layout. So is the indentation of a single line, if the closing tag is indented as well.
 */
export function trimLayout(text: string, endNewlineIsLayout = false): string {
  if (!endNewlineIsLayout && !isSpace(text.charCodeAt(0))) return text;
  const inside = text.replace(/^[ \t]*\r?\n/, "");
  if (inside.length === text.length) return endNewlineIsLayout ? text.replace(/\r?\n[ \t]*$/, "") : text;
  const [layout = "", indentation = ""] = /\r?\n([ \t]*)$/.exec(inside) ?? [];
  const value = inside.slice(0, inside.length - layout.length);
  return indentation === "" || value.includes("\n") ? value : value.trimStart();
}

/**
 * A text of one line without the space around it; one of several lines as it is.
 *
 * @example trimLine("\n Oslo \n"); // "Oslo"
 */
export function trimLine(text: string): string {
  if (!text.includes("\n")) return text.trim();
  const line = trimLayout(text, true);
  return line.includes("\n") ? text : line.trim();
}

/** An opening tag: `<name …>` or `<name …/>`, at an index. */
export interface Tag {
  name: string;
  end: number;
  selfClosing: boolean;
  attributes: ReadonlyMap<string, string>;
  /** Whether it contains more than attributes, so that its own end may be missing, or one of them twice. */
  isBroken?: boolean;
  /** An attribute that it has twice, with different values. */
  contradicted?: string;
}

const none: ReadonlyMap<string, string> = new Map();

const MAX_TAG = 512;
// The bars are those of the special tokens of DeepSeek and others, which some servers write in ASCII: <|DSML|invoke>.
const NAME = /(?:\|{1,2}\p{L}{1,64}\|{1,2}(?=\p{L}))?[\p{L}_｜][\p{L}\p{N}_.:｜▁-]{0,512}/uy;
const ATTRIBUTE = /([\p{L}_][\p{L}\p{N}_.:-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|“([^“”<>]*)”|([^\s"'<>]+))/gu;

/** The text between a tag's name and its end: quoted attributes, or one unquoted. */
const ATTRIBUTES = /^(?:(?:\s+[^\s=<>"']+\s*=\s*(?:"[^"]*"|'[^']*'|“[^“”<>]*”))*\s*|\s+[^\s=<>"']+=[^\s"'<>]+)$/;

/** The beginning of a tag whose name begins with bars in ASCII. */
const CUT_BARS = /^(?:\|{1,2}(?:\p{L}+\|{0,2})?)?$/u;
const MAX_BARS = 64;

/** A number is not a name, but models write numbers for list items. */
const CHILD_NAME = /(?:\|{1,2}\p{L}{1,64}\|{1,2}(?=\p{L}))?[\p{L}\p{N}_｜][\p{L}\p{N}_.:｜▁-]{0,512}/uy;

/** Reads the tag of an element inside an argument at an index; its name may be an item's number. */
export const readChildTag = (text: string, at: number): Tag | undefined =>
  readTag(new Lookahead({ text, final: true }), at, CHILD_NAME);

/** Reads the tag at an index. */
export const readTag = (look: Lookahead, at: number, names = NAME): Tag | undefined =>
  look.text.charAt(at) === "<" ? readTagInside(look, at + 1, names) : undefined;

/** Reads a tag from its name on, after `<` or the opener of a format in its place, such as `<function=`. */
export function readTagInside(look: Lookahead, from: number, names = NAME): Tag | undefined {
  const { text } = look;
  // Most names are ASCII.
  const plain = asciiNameEnd(text, from);
  if (plain > from && plain - from < MAX_TAG && text.charCodeAt(plain) === 0x3e /* > */) {
    return { name: text.slice(from, plain), end: plain + 1, selfClosing: false, attributes: none };
  }
  names.lastIndex = from;
  const name = names.exec(text)?.[0];
  if (name === undefined) {
    if (CUT_BARS.test(text.slice(from, from + MAX_BARS)) && text.length < from + MAX_BARS) look.atCut();
    return undefined;
  }
  const end = tagEnd(text, from + name.length);
  if (end === -1 && text.length - from < MAX_TAG) look.atCut();
  if (end === undefined || end === -1 || end - from >= MAX_TAG) return undefined;
  const selfClosing = text.charAt(end - 2) === "/";
  const inside = text.slice(from + name.length, selfClosing ? end - 2 : end - 1);
  const attributes = new Map<string, string>();
  const tag: Tag = { name, end, selfClosing, attributes };
  for (const [, key = "", double, single, curly, bare] of inside.matchAll(ATTRIBUTE)) {
    const value = decodeXml(double ?? single ?? curly ?? bare ?? "");
    if (attributes.has(key)) tag.isBroken = true;
    if ((attributes.get(key) ?? value) !== value) tag.contradicted = key;
    attributes.set(key, value);
  }
  if (!ATTRIBUTES.test(inside)) tag.isBroken = true;
  return tag;
}

/** The index after the `>` that ends a tag; -1: not there; undefined: another `<` comes first, outside quotes. */
function tagEnd(text: string, from: number): number | undefined {
  let quote = "";
  for (let i = from; i < text.length && i - from <= MAX_TAG; i++) {
    const char = text.charAt(i);
    if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === ">") return i + 1;
    else if (char === "<") return undefined;
  }
  return -1;
}

/** The length of the closing tag at an index, of any name, or of the part of one at the end of the reply; 0: none. */
export function closingTagLength(look: Lookahead, at: number): number {
  const { text } = look;
  const tag = /<[/\\][ \t]*[\w:.=\\-]*\s*>?/y;
  tag.lastIndex = at;
  const found = text.charAt(at) === "<" && at + 1 === text.length ? "<" : tag.exec(text)?.[0];
  if (found === undefined || found.length > LOOKAHEAD) return 0;
  if (found.endsWith(">")) return found.length;
  return look.endsAt(at + found.length) ? found.length : 0;
}
