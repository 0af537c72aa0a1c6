import { declares, type Plan, property } from "../../schema/plan.js";
import { stringEnd } from "../json-words.js";
import { BLOCK, indentOf, isFilled, type KeyLine, keyLine } from "../lines.js";

// Repairs of text that is nearly YAML, by the schema of its arguments.

/**
 * Indents the lines of a block scalar whose first line is no deeper than its key, up to the next declared key. With an
 * indented first line, lines with less indentation are text or not, depending on the reader: they stay broken.
 */
export function indentBlocks(text: string, plan: Plan): string {
  const indent = topIndent(text);
  const lines = text.split("\n");
  let inBlock = false;
  const repaired = lines.map((line, i) => {
    const entry = entryOn(line);
    const found = entry && entry.indent <= indent && declares(plan, entry.key) ? property(plan, entry.key) : undefined;
    if (!entry || !found) return inBlock && isFilled(line) ? `  ${line}` : line;
    const isBlock = found.plan.onlyString && BLOCK.test(entry.value);
    inBlock = isBlock && indentAfter(lines, i) <= entry.indent;
    return inBlock ? `${" ".repeat(entry.indent)}${entry.key}: ${entry.value.replace(BLOCK, "$1$2$3")}2` : line;
  });
  return repaired.join("\n");
}

/** An entry of a mapping as YAML writes it, on a line. */
function entryOn(line: string): KeyLine | undefined {
  const entry = keyLine(line);
  return entry?.separator === ":" && entry.quote === "" && entry.dash === "" ? entry : undefined;
}

/** The spaces before the first line with text. */
const topIndent = (text: string) => /^[ ]*(?=\S)/m.exec(text)?.[0].length ?? 0;

/** The indentation of the first line with text after a line. */
function indentAfter(lines: readonly string[], index: number): number {
  let i = index + 1;
  while (i < lines.length && !isFilled(lines[i] ?? "")) i++;
  return indentOf(lines[i] ?? "");
}

/** The maximum nesting of the lines that get quotes. */
const MAX_LEVELS = 16;

/** Tells whether an entry of a mapping is valid alone. */
type IsValid = (entry: string) => boolean;

/**
 * Adds quotes to lines `key: text`, and to the items of lists, where the schema asks for text that YAML would read as something
 * else. Following lines with deeper indentation belong to the text. Lines that are valid alone stay as they are (`isValid`),
 * and so do those that have two readings.
 */
export function quoteText(text: string, plan: Plan, isValid: IsValid): string {
  return quoteEntries(text.split("\n"), plan, isValid, 0).join("\n");
}

function quoteEntries(lines: readonly string[], plan: Plan, isValid: IsValid, level: number): string[] {
  const indent = indentOf(lines.find(isFilled) ?? "");
  const quoted: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const entry = entryOn(line);
    const part = entry?.indent === indent ? property(plan, entry.key)?.plan : undefined;
    const below: string[] = [];
    const isList = part?.kind === "array" && entry?.value === "";
    if (part) while (isBelow(lines[i + 1], indent, isList)) below.push(lines[++i]!);
    const isText = part?.onlyString && entry?.space !== "" && entry?.value !== "";
    const whole = entry && isText ? quotedValue(entry.value, below, indent, isValid) : undefined;
    if (entry && whole !== undefined) quoted.push(`${" ".repeat(indent)}${entry.key}: ${whole}`);
    else quoted.push(line, ...(part && entry?.value === "" ? quoteBelow(below, part, isValid, level + 1) : below));
  }
  return quoted;
}

function quoteBelow(lines: readonly string[], plan: Plan, isValid: IsValid, level: number): readonly string[] {
  if (level > MAX_LEVELS) return lines;
  if (plan.kind === "object") return quoteEntries(lines, plan, isValid, level);
  return plan.kind === "array" ? quoteItems(lines, plan, isValid, level) : lines;
}

/** An item of a list: its dash, and what follows. */
const ITEM = /^( *)-( +)(\S.*)$/;

function quoteItems(lines: readonly string[], plan: Plan, isValid: IsValid, level: number): string[] {
  const indent = indentOf(lines.find(isFilled) ?? "");
  const quoted: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const [, before, space = "", value = ""] = ITEM.exec(line) ?? [];
    const below: string[] = [];
    if (before?.length === indent) while (isBelow(lines[i + 1], indent, false)) below.push(lines[++i]!);
    const dash = `${before}-${space}`;
    if (before?.length !== indent) quoted.push(line);
    else if (plan.items.onlyString) {
      const whole = quotedValue(value, below, indent, isValid);
      quoted.push(...(whole === undefined ? [line, ...below] : [dash + whole]));
    } else {
      const [first = "", ...rest] = quoteBelow(
        [" ".repeat(dash.length) + value, ...below],
        plan.items,
        isValid,
        level + 1,
      );
      quoted.push(dash + first.slice(dash.length), ...rest);
    }
  }
  return quoted;
}

/** The quoted text of a value and the lines below it; undefined: it is valid, or has two readings. */
function quotedValue(value: string, below: readonly string[], indent: number, isValid: IsValid): string | undefined {
  // The mark of a block with text on its line: the text may begin after it.
  if (/^[|>]/.test(value) && below.some(isFilled)) return undefined;
  const text = [value, ...below.map((line) => line.slice(indent))].join("\n");
  return isValid(`text: ${text}`) ? undefined : quotedText(text.trimEnd());
}

/** Whether a line belongs to the entry or item before it. `isList`: it may be an item of a list that is not indented. */
const isBelow = (line: string | undefined, indent: number, isList: boolean): boolean =>
  line !== undefined && (isDeeper(line, indent) || (isList && indentOf(line) === indent && ITEM.test(line)));

const isDeeper = (line: string, indent: number) => !isFilled(line) || line.search(/\S/) > indent;

/** What may follow a text in quotes: the separator of another notation, and a comment. */
const AFTER_QUOTES = /^(?:\s*[,;])?(?:\s*\s#.*)?$/;

/** The index after the quotation mark that closes the text; -1: there is none. */
function quoteEnd(text: string): number {
  const mark = text.charAt(0);
  if (mark === '"') return stringEnd(text, 0, mark);
  if (mark !== "'") return -1;
  let at = text.indexOf(mark, 1);
  while (at >= 0 && text.charAt(at + 1) === mark) at = text.indexOf(mark, at + 2);
  return at < 0 ? -1 : at + 1;
}

/** The characters after the closing quote of a pair inside a text in such quotes. */
const AFTER_PAIR = { '"': /^[\s)\]},;.:!?"\\]/, "'": /^[\s)\]},;.:!?']/ };

/**
 * Whether a text in quotes has only pairs of such quotes inside, or apostrophes.
 *
 * @example isNested(`'it's the 'big' one'`); // true
 */
function isNested(text: string, mark: '"' | "'"): boolean {
  const last = text.length - 1;
  if (last < 1 || text.charAt(last) !== mark) return false;
  const special = mark === '"' ? /["\\]/g : /'/g;
  /** Where the text begins that no escape and no pair before it contains. */
  let from = 1;
  for (let at = 1; ; ) {
    special.lastIndex = at;
    at = special.exec(text)?.index ?? last;
    if (at >= last) return at === last && from <= last;
    const next = text.charAt(at + 1);
    if (text.charAt(at) === "\\") {
      if (next === "\n") return false;
      from = at += 2;
    } else if (mark === "'" && next === mark) from = at += 2;
    else if (mark === "'" && at > from && isApostrophe(text, at)) from = ++at;
    else {
      const end = at > from && /[\s([{]/.test(text.charAt(at - 1)) ? pairEnd(text, at, mark) : -1;
      if (end < 0) return false;
      from = at = end;
    }
  }
}

/** Whether the quote at an index is between letters. */
const isApostrophe = (text: string, at: number) =>
  /\p{L}$/u.test(text.slice(at - 2, at)) && /^\p{L}/u.test(text.slice(at + 1, at + 3));

/** The index after the pair of quotes that opens at an index; -1: it is none. */
function pairEnd(text: string, at: number, mark: '"' | "'"): number {
  const close = text.indexOf(mark, at + 1);
  const isPair = close > at + 1 && AFTER_PAIR[mark].test(text.charAt(close + 1));
  return isPair && !(mark === '"' && text.slice(at, close).includes("\\")) ? close + 1 : -1;
}

/** An apostrophe, or a character that is escaped. */
const NO_QUOTE = /\\.|\p{L}'(?=\p{L})/gu;

/** A broken text as YAML that has its only reading; undefined: it has none or several. */
function quotedText(text: string): string | undefined {
  const end = quoteEnd(text);
  if (end > 0 && AFTER_QUOTES.test(text.slice(end))) {
    const quoted = text.slice(0, end);
    return quoted.startsWith('"') ? keepBackslashes(quoted) : quoted;
  }
  const mark = text.startsWith('"') ? '"' : text.startsWith("'") ? "'" : undefined;
  if (mark && isNested(text, mark)) {
    const inside = text.slice(1, -1);
    if (inside.includes("\n")) return undefined;
    return mark === "'"
      ? `'${inside.replace(/''?/g, "''")}'`
      : keepBackslashes(`"${inside.replace(/\\.|"/g, (part) => (part === mark ? '\\"' : part))}"`);
  }
  // An unclosed quote is not part of the text, and a comment may be.
  if (mark && (text.startsWith(mark + mark) || text.replace(NO_QUOTE, "").split(mark).length % 2 === 0))
    return undefined;
  return /^[|>][-+\d]*\s*(?:\n|$)|^.*\s#\s/.test(text) ? undefined : JSON.stringify(text);
}

/** A quoted Windows path in which a backslash is not escaped, and the beginning of a text with one. */
const PATH = /^"[A-Za-z]:\\[\w.\\-]*"$/;
const NO_NAME_IN_PATH = /\\{3}|\\[."]/;
const PATH_BEGINS = /^"[A-Za-z]:\\(?!\\)/;

/**
 * Doubles each backslash in quoted text that begins no YAML escape, as in a pattern, and all single ones of a Windows path.
 * Undefined: a path that goes on as other text, in which an escape may be meant.
 */
function keepBackslashes(quoted: string): string | undefined {
  if (PATH_BEGINS.test(quoted)) {
    const isPath = PATH.test(quoted) && !NO_NAME_IN_PATH.test(quoted);
    return isPath ? quoted.replace(/\\{1,2}/g, "\\\\") : undefined;
  }
  return quoted.replace(/\\([\s\S])/g, (pair, escaped: string) =>
    /[0abtnvfreNLPxuU_ "/\\\t\n]/.test(escaped) ? pair : `\\${pair}`,
  );
}
