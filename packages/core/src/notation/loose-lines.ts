import { declares, type Plan, property, takesString } from "../schema/plan.js";
import { stringEnd } from "./json-words.js";
import { BLOCK, dedented, indentOf, isFilled, keyLine, NAMED } from "./lines.js";
import { readPlain } from "./markup/nested.js";

/** An argument on a line: what is written after its name, and the lines below that belong to it. */
export interface Entry {
  key: string;
  plan: Plan;
  value: string;
  lines: string[];
  /** Whether an equals sign is before the value, which has no quotes, as in code. */
  isAssigned: boolean;
}

interface Entries {
  /** The spaces before each name. */
  level: number;
  /** The comments before the first one. */
  head: string[];
  entries: Entry[];
}

/** A value in quotes with its separator, and the comment after it. */
const COMMENTED = /^((["']).*\2\s*[,;])\s+#.*$/;

/** What may stand between arguments. */
const SEPARATOR = /[,;]$/;

/** The beginning of YAML that is no text: a block, an anchor, an alias, a tag. */
const YAML_ONLY = /^[|>&*!]|(?:^|\s)#\s/;

/**
 * The arguments in lines `key: value` or `key = value` as far as these are plain: a value is on its own line, or an object, a
 * list or a block of text is below. Undefined: they are something else. `mayBeText`: the text may as well be one argument, such
 * as code.
 *
 * @example valuesOfLines("city = Ulm\ndays = 2", planFor(schema), { mayBeText: false }); // { city: "Ulm", days: 2 }
 */
export function valuesOfLines(
  text: string,
  plan: Plan,
  { mayBeText }: { mayBeText: boolean },
): Record<string, unknown> | undefined {
  const found = entriesOf(withCutIndent(text.replaceAll("\r\n", "\n").trim()), plan);
  if (!found || found.head.length > 0) return undefined;
  if (mayBeText && found.entries.some(({ isAssigned }) => isAssigned)) return undefined;
  const values = new Map<string, unknown>();
  for (const entry of found.entries) {
    const value = valueOfEntry(entry);
    if (value === undefined) return undefined;
    values.set(entry.key, value);
  }
  return Object.fromEntries(values);
}

function valueOfEntry({ plan, value, lines: below }: Entry): unknown {
  const lines = below.some(isFilled) ? below : [];
  if (value === "") return lines.length > 0 && !takesString(plan) ? dedented(lines) : undefined;
  if (/^[[{]/.test(value)) return [value, ...lines].join("\n");
  if (/^\|-?$/.test(value) && lines.length > 0 && takesString(plan))
    return dedented(lines).trimEnd() + (value === "|" ? "\n" : "");
  if (lines.length > 0) return undefined;
  if (isQuoted(value) && !SEPARATOR.test(value)) return value.startsWith('"') ? readPlain(value) : value.slice(1, -1);
  if (/^["'`]/.test(value) || YAML_ONLY.test(value)) return undefined;
  return takesString(plan) ? value : (readPlain(value) ?? value);
}

/** The arguments of some lines, without the markup around them. Undefined: these are no such lines. */
export function entriesOf(text: string, plan: Plan): Entries | undefined {
  if (plan.properties.size === 0) return undefined;
  const lines = withSpaces(withoutMarkup(text.split("\n")));
  if (!lines || lines.length === 0) return undefined;
  const head: string[] = [];
  const entries: Entry[] = [];
  let level = -1;
  let dashes = 0;
  const keys = new Set<string>();
  for (const line of lines) {
    const named = keyLine(line);
    const column = named ? named.indent + named.dash.length : indentOf(line);
    const isComment = /^\s*(?:#|$)/.test(line);
    if (level < 0 && !isComment) level = column;
    const entry = entries.at(-1);
    if (isComment || (entry && (column > level || isItem(line, entry, level)))) {
      (entry?.lines ?? head).push(line);
      continue;
    }
    if (!named || column !== level) return undefined;
    const { dash, key, separator, value } = named;
    const found = declares(plan, key) ? property(plan, key) : undefined;
    if (!found || keys.has(found.key) || holdsOther(value, plan)) return undefined;
    keys.add(found.key);
    if (dash !== "") dashes++;
    const isAssigned = separator === "=" && !/^["'`[{]/.test(value);
    entries.push({ key, plan: found.plan, value: value.trim().replace(COMMENTED, "$1"), lines: [], isAssigned });
  }
  const [first] = entries;
  const isList = dashes === entries.length || (dashes === 1 && /^\s*-/.test(lines[head.length] ?? ""));
  if (!first || (dashes > 0 && !isList)) return undefined;
  return removeCommas(entries) ? { level, head, entries } : undefined;
}

/** Whether a line is an item of a list that is not indented deeper than its key. */
const isItem = (line: string, { value }: Entry, level: number) =>
  value === "" && indentOf(line) === level && /^\s*-\s/.test(line);

/** Whether an unquoted value may contain another argument. */
export function holdsOther(value: string, plan: Plan): boolean {
  if (isQuoted(value)) return false;
  for (const [, name = ""] of value.matchAll(NAMED)) if (declares(plan, name)) return true;
  return false;
}

/** Whether a value is a text in quotes, perhaps with a separator after it. */
function isQuoted(value: string): boolean {
  const quote = value.charAt(0);
  if (!/["'`]/.test(quote)) return false;
  const end = quote === "`" ? value.indexOf(quote, 1) + 1 : stringEnd(value, 0, quote);
  return end > 0 && /^[,;]?$/.test(value.slice(end));
}

/** Lines without the code fence and the markers of a document around them, and without empty ones at both ends. */
function withoutMarkup(lines: readonly string[]): readonly string[] {
  const inner = withoutEnds(lines, EMPTY, EMPTY);
  const isFenced = inner.length > 1 && [inner[0]!, inner.at(-1)!].every((line) => FENCE.test(line));
  return withoutEnds(isFenced ? inner.slice(1, -1) : inner, BEFORE_DOCUMENT, AFTER_DOCUMENT);
}

const FENCE = /^[ \t]{0,16}```\w*[ \t]{0,16}$/;
const EMPTY: ReadonlySet<string> = new Set([""]);
const BEFORE_DOCUMENT: ReadonlySet<string> = new Set(["", "---"]);
const AFTER_DOCUMENT: ReadonlySet<string> = new Set(["", "---", "..."]);

/** The lines without those at both ends that are one of these, with white space around it or not. */
function withoutEnds(
  lines: readonly string[],
  first: ReadonlySet<string>,
  last: ReadonlySet<string>,
): readonly string[] {
  let from = 0;
  let to = lines.length;
  while (from < to && first.has(lines[from]!.trim())) from++;
  while (to > from && last.has(lines[to - 1]!.trim())) to--;
  return lines.slice(from, to);
}

/** Lines with two spaces for each tab before them. Undefined: tabs and spaces are mixed, so the levels are unknown. */
function withSpaces(lines: readonly string[]): readonly string[] | undefined {
  const spaces = lines.filter(isFilled).map((line) => /^\s*/.exec(line)![0]);
  if (!spaces.some((space) => space.includes("\t"))) return lines;
  if (spaces.some((space) => space.includes(" "))) return undefined;
  return lines.map((line) => line.replace(/^\t+/, (tabs) => "  ".repeat(tabs.length)));
}

/** Text that was trimmed, with the indentation of its first line: the least of the others. */
function withCutIndent(text: string): string {
  const [first = "", ...others] = text.split("\n");
  const value = keyLine(first)?.value ?? "";
  const spaces = others.filter(isFilled).map((line) => /^\s*/.exec(line)![0]);
  const least = spaces.reduce((a, b) => (b.length < a.length ? b : a), spaces[0] ?? "");
  // The text of a block is deeper than its key.
  const isCut = value !== "" && !(BLOCK.test(value) && spaces[0] === least);
  return isCut ? least + text : text;
}

/**
 * Removes the commas or semicolons between arguments, which stand after each or each but the last. False: they may be
 * text, because none is after a value in quotes or brackets or after one that is no text.
 */
function removeCommas(entries: readonly Entry[]): boolean {
  const ends = entries.map(({ value, lines }) => SEPARATOR.test(lines.at(-1) ?? value));
  if (!ends.includes(true) || ends.slice(0, -1).includes(false)) return true;
  // A comma after an item of a list below is no separator of arguments.
  if (entries.some(({ value, lines }) => value === "" && lines.slice(0, -1).some((line) => /[,;]\s{0,8}$/.test(line))))
    return false;
  const isSure = ({ value, plan }: Entry, i: number) =>
    ends[i] && (isQuoted(value) || /^[[{]/.test(value) || !takesString(plan));
  if (!entries.some(isSure) || entries.some(({ value }) => BLOCK.test(value))) return false;
  for (const entry of entries) {
    const last = entry.lines.at(-1);
    if (last === undefined) entry.value = entry.value.replace(SEPARATOR, "").trimEnd();
    else entry.lines[entry.lines.length - 1] = last.replace(SEPARATOR, "");
  }
  return true;
}
