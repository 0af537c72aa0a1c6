import { declares, type Plan, property } from "../../schema/plan.js";
import { indentOf, isFilled } from "../lines.js";

// Repairs of text that is nearly YAML, by the schema of its arguments.

/**
 * Indents the lines of a block scalar whose first line is no deeper than its key, up to the next declared key. With an
 * indented first line, lines with less indentation are text or not, depending on the reader: they stay broken.
 */
export function indentBlocks(text: string, plan: Plan): string {
  const indent = topIndent(text);
  const lines = text.split("\n");
  let inBlock = false;
  const mended = lines.map((line, i) => {
    const [, space = "", key = "", header = ""] = /^([ ]*)([\p{L}_][\p{L}\p{N}_.-]*)[ ]*:[ \t]*(.*)$/u.exec(line) ?? [];
    const found = space.length <= indent && key !== "" && declares(plan, key) ? property(plan, key) : undefined;
    if (!found) return inBlock && isFilled(line) ? `  ${line}` : line;
    const isBlock = found.plan.onlyString && BLOCK.test(header);
    inBlock = isBlock && indentAfter(lines, i) <= space.length;
    return inBlock ? `${space}${key}: ${header.replace(BLOCK, "$1$2$3")}2` : line;
  });
  return mended.join("\n");
}

/** The spaces before the first line with text. */
const topIndent = (text: string) => /^[ ]*(?=\S)/m.exec(text)?.[0].length ?? 0;

/** The header of a block scalar: its style, and what becomes of the newlines at its end. */
const BLOCK = /^([|>])(?:[1-9]?([-+]?)|([-+])[1-9])(?:[ \t]+#.*)?\s*$/;

/** The indentation of the first line with text after a line. */
function indentAfter(lines: readonly string[], index: number): number {
  let i = index + 1;
  while (i < lines.length && !isFilled(lines[i] ?? "")) i++;
  return indentOf(lines[i] ?? "");
}

/**
 * Adds quotes to lines `key: text` where the schema asks for text that YAML would read as something else. Following
 * lines with deeper indentation belong to the text. Lines that are valid alone stay as they are (`isValid`), and so do
 * those that have two readings.
 */
export function quoteText(text: string, plan: Plan, isValid: (entry: string) => boolean): string {
  const indent = topIndent(text);
  const quoted: string[] = [];
  const lines = text.split("\n");
  for (let i = 0; i < lines.length; i++) {
    const entry = [lines[i]!];
    const [line, space = "", key = "", value = ""] = LINE.exec(lines[i]!) ?? [];
    if (line !== undefined && space.length === indent && property(plan, key)?.plan.onlyString) {
      while (i + 1 < lines.length && isDeeper(lines[i + 1]!, indent)) entry.push(lines[++i]!);
      const more = entry.slice(1).map((deeper) => deeper.slice(indent));
      const whole = isValid(entry.join("\n")) ? undefined : quotedText([value, ...more].join("\n").trimEnd());
      if (whole !== undefined) entry.splice(0, entry.length, `${space}${key}: ${whole}`);
    }
    quoted.push(...entry);
  }
  return quoted.join("\n");
}

const isDeeper = (line: string, indent: number) => !isFilled(line) || line.search(/\S/) > indent;

const LINE = /^([ ]*)([\p{L}_][\p{L}\p{N}_.-]*)[ ]*:[ \t]+(\S.*)$/u;

/** A text in quotes, and what may follow it: the separator of another notation, and a comment. */
const CLOSED = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')(?:\s*[,;])?(?:\s+#.*)?$/;

/** A text in quotes with pairs of such quotes inside, or with apostrophes. */
const NESTED =
  /^"(?:[^"\\]|\\.|[\s([{]"[^"\\]+"(?=[\s)\]},;.:!?"\\]))*"$|^'(?:[^']|''|\p{L}'(?=\p{L})|[\s([{]'[^']+'(?=[\s)\]},;.:!?']))*'$/u;

/** An apostrophe, or a character that is escaped. */
const NO_QUOTE = /\\.|\p{L}'(?=\p{L})/gu;

/** A broken text as YAML that has its only reading; undefined: it has none or several. */
function quotedText(text: string): string | undefined {
  const quoted = CLOSED.exec(text)?.[1];
  if (quoted !== undefined) return quoted.startsWith('"') ? keepBackslashes(quoted) : quoted;
  const mark = /^["']/.exec(text)?.[0];
  if (mark && NESTED.test(text)) {
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
const PATH = /^"[A-Za-z]:(?:\\{1,2}[\w-][\w.-]*)+"$/;
const PATH_BEGINS = /^"[A-Za-z]:\\(?!\\)/;

/**
 * Doubles each backslash in quoted text that begins no YAML escape, as in a pattern, and all single ones of a Windows path.
 * Undefined: a path that goes on as other text, in which an escape may be meant.
 */
function keepBackslashes(quoted: string): string | undefined {
  if (PATH_BEGINS.test(quoted)) return PATH.test(quoted) ? quoted.replace(/\\{1,2}/g, "\\\\") : undefined;
  return quoted.replace(/\\([\s\S])/g, (pair, escaped: string) =>
    /[0abtnvfreNLPxuU_ "/\\\t]/.test(escaped) ? pair : `\\${pair}`,
  );
}
