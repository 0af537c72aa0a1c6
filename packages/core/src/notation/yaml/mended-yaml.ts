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
 * lines with deeper indentation belong to the text.
 */
export function quoteText(text: string, plan: Plan): string {
  const indent = topIndent(text);
  const quoted: string[] = [];
  const lines = text.split("\n");
  for (let i = 0; i < lines.length; i++) {
    const value = unquotedText(lines[i]!, indent, plan);
    const line = lines[i]!;
    if (value === undefined) {
      quoted.push(quotedText(line, indent, plan));
      continue;
    }
    const more: string[] = [];
    while (i + 1 < lines.length && isDeeper(lines[i + 1]!, indent)) more.push(lines[++i]!.slice(indent));
    const whole = [value, ...more].join("\n").trimEnd();
    quoted.push(line.slice(0, line.length - value.length) + JSON.stringify(whole));
  }
  return quoted.join("\n");
}

const isDeeper = (line: string, indent: number) => !isFilled(line) || line.search(/\S/) > indent;

const LINE = /^([ ]*)([\p{L}_][\p{L}\p{N}_.-]*)[ ]*:[ \t]+(\S.*)$/u;
const QUOTED = /^"(?:[^"\\]|\\.)*"\s*$|^'(?:[^']|'')*'\s*$/;

/** The text after a key, if it is unquoted. */
function unquotedText(line: string, indent: number, plan: Plan): string | undefined {
  const [, space = "", key = "", value = ""] = LINE.exec(line) ?? [];
  if (key === "" || space.length !== indent || !property(plan, key)?.plan.onlyString) return undefined;
  // An unclosed quote is not part of the text.
  if (/^(["'])(?:\1\S|(?!.*\1))/.test(value)) return undefined;
  return /^[|>][-+\d]*\s*$/.test(value) || QUOTED.test(value) ? undefined : value;
}

/** A line with its text quoted and its backslashes kept. */
function quotedText(line: string, indent: number, plan: Plan): string {
  const [, space = "", key = "", value = ""] = LINE.exec(line) ?? [];
  const isText = key !== "" && space.length === indent && property(plan, key)?.plan.onlyString;
  return isText && /^"(?:[^"\\]|\\.)*"\s*$/.test(value) ? `${space}${key}: ${keepBackslashes(value)}` : line;
}

/** Doubles each backslash in quoted text that begins no YAML escape, as in a path or a pattern. */
const keepBackslashes = (quoted: string) =>
  quoted.replace(/\\([\s\S])/g, (pair, escaped: string) =>
    /[0abtnvfreNLPxuU_ "/\\\t]/.test(escaped) ? pair : `\\${pair}`,
  );
