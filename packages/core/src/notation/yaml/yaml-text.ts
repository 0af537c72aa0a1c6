import { isMap, Lexer, parseAllDocuments, visit, type YAMLParseError } from "yaml";
import { firstFound } from "../../common/first-found.js";
import { isObject } from "../../common/plain-object.js";
import { anyPlan, declares, type Plan, property, takesOthers, takesString } from "../../schema/plan.js";
import type { RepairCode } from "../../types.js";
import { MAX_DEPTH } from "../json/brackets.js";
import { BACKSLASHES } from "../json/literal-backslashes.js";
import { readJsonText } from "../json/read-json.js";
import { isSame, repeatedKeyMessage } from "../repeated-keys.js";
import { indentBlocks, quoteText } from "./repaired-yaml.js";
import { isEmptyNode, MAX_NODES, NodeReader } from "./yaml-nodes.js";
import { yamlOfLines } from "./yaml-of-lines.js";

/** About 100 times the tokens of a long call. A block scalar is one token at any length; a list item has several. */
const MAX_TOKENS = 100_000;

/** Arguments read from YAML, with the codes of the repairs, or the failure. `rejection`: why the call is invalid. */
export type YamlReading =
  | { value: Record<string, unknown>; repairs: RepairCode[]; rejection?: string }
  | { reason: string; tooDeep?: boolean };

const tooMuch = (reason: string): YamlReading => ({ reason, tooDeep: true });

/**
 * The arguments in a complete text of YAML 1.2 (core schema). Where the schema asks for a string, an unquoted scalar is
 * its text as written: `1.50` and `no` stay unchanged. Values are JSON's: there are no dates, and `.nan` is text.
 * `tooDeep`: the text exceeds a limit: {@link MAX_DEPTH} levels, {@link MAX_TOKENS} tokens, or {@link MAX_NODES} values
 * after aliases are expanded.
 *
 * @example readYaml("city: Paris\ndays: 2", planFor(schema)); // { value: { city: "Paris", days: 2 }, repairs: [] }
 */
export function readYaml(text: string, plan: Plan): YamlReading {
  const source = text.replace(/^\s*```\w*[ \t]*\n([\s\S]*?)\n[ \t]*```\s*$/, "$1");
  const first = readFilled(source, plan);
  if (!("reason" in first) && !keepsCommas(first.value, plan)) return first;
  const json = /^\s*\{/.test(source) ? readJsonText(source.trim()) : undefined;
  if (typeof json === "object" && json !== null && !Array.isArray(json))
    return { value: { ...json }, repairs: ["yaml"] };
  for (const [code, repair] of REPAIRS) {
    const repaired = repair(source, plan);
    const again = repaired === source ? first : readFilled(repaired, plan);
    if ("reason" in again || keepsCommas(again.value, plan)) continue;
    const lost = swallowedKey(again.value, plan);
    const rejection = lost === undefined ? undefined : `${JSON.stringify(lost)} may be an argument or a part of a text`;
    return { ...again, repairs: [code, ...again.repairs], ...(rejection !== undefined && { rejection }) };
  }
  return first;
}

/**
 * The arguments in a text, with the lines that follow an empty block as its text, if they can be nothing else: no line
 * from the block on is an undeclared argument, and no argument repeats. Otherwise the call is invalid.
 */
function readFilled(text: string, plan: Plan): YamlReading {
  const first = read(text, plan);
  if ("reason" in first || first.emptied === undefined) return first;
  const filled = takesOthers(plan) || plan.patterns.length > 0 ? first : read(indentBlocks(text, plan), plan);
  const isSure =
    "value" in filled &&
    filled.emptied === undefined &&
    !filled.repeats &&
    Object.keys(filled.value).every((key) => declares(plan, key)) &&
    Object.keys(first.value).every((key) => !declares(plan, key) || Object.hasOwn(filled.value, key)) &&
    swallowedKey(filled.value, plan) === undefined;
  if (isSure) return { ...filled, repairs: ["unindented-text"] };
  return { ...first, rejection: `the text of ${JSON.stringify(first.emptied)} is not indented deeper than its key` };
}

/**
 * The arguments in some lines of YAML, if every reading of these lines is the same, and no alias can refer to them: then
 * other lines, which may be broken, do not change them.
 *
 * @example readSettled("city: Paris,", plan); // undefined: the comma may be a separator, if other lines end with one
 */
export function readSettled(text: string, plan: Plan): Record<string, unknown> | undefined {
  const first = read(text, plan);
  if ("reason" in first || first.rejection !== undefined || first.emptied !== undefined || first.hasAnchors)
    return undefined;
  if (keepsCommas(first.value, plan)) return undefined;
  const isSettled = REPAIRS.every(([, repair]) => {
    const repaired = repair(text, plan);
    const other = repaired === text ? first : read(repaired, plan);
    return "value" in other && isSame(other.value, first.value);
  });
  return isSettled ? first.value : undefined;
}

const ENTRY_IN_TEXT = /(?:\n[ \t]{1,256}|,[ \t]{0,256})([\p{L}_][\p{L}\p{N}_.-]{0,63})[ ]{0,64}:\s/gu;

/** A missing key of an object that begins a line within the text of another one, or follows a comma in it. */
function swallowedKey(value: unknown, plan: Plan): string | undefined {
  const within = (part: unknown, own: Plan) => (typeof part === "object" ? swallowedKey(part, own) : undefined);
  if (Array.isArray(value)) return firstFound(value, (item, i) => within(item, plan.prefix[i] ?? plan.items));
  if (!isObject(value)) return undefined;
  const isMissing = (key: string) => declares(plan, key) && !Object.hasOwn(value, key);
  return firstFound(Object.entries(value), ([key, part]) =>
    typeof part === "string"
      ? [...part.matchAll(ENTRY_IN_TEXT)].map(([, name]) => name!).find(isMissing)
      : within(part, property(plan, key)?.plan ?? anyPlan),
  );
}

/** Repairs that are tried in turn on text that is not YAML. */
const REPAIRS: readonly (readonly [code: RepairCode, repair: (text: string, plan: Plan) => string])[] = [
  ["loose-lines", yamlOfLines],
  ["loose-lines", quoteLines],
  ["unquoted-text", quoted],
  ["unindented-text", indentBlocks],
];

/** The text with quotes around what is broken in it. */
function quoted(text: string, plan: Plan): string {
  return quoteText(text, plan, (entry) => "value" in read(entry, plan));
}

/** The same as {@link yamlOfLines}, with quotes around text. */
function quoteLines(text: string, plan: Plan): string {
  const lines = yamlOfLines(text, plan);
  return lines === text ? text : quoted(lines, plan);
}

/** Whether a value that cannot be text ends with a comma or semicolon, which then separates the arguments. */
function keepsCommas(value: Record<string, unknown>, plan: Plan): boolean {
  return Object.entries(value).some(([key, part]) => {
    const found = property(plan, key)?.plan ?? anyPlan;
    if (isObject(part)) return keepsCommas(part, found);
    return typeof part === "string" && /[,;]$/.test(part) && found.kind !== "any" && !takesString(found);
  });
}

/** `emptied`: see {@link NodeReader.emptied}. `repeats`: a key occurs twice in a mapping, with any values. */
type Reading = YamlReading & { hasAnchors?: boolean; emptied?: string | undefined; repeats?: boolean };

function read(text: string, plan: Plan): Reading {
  const excess = whyUnparsed(text);
  if (excess !== undefined) return tooMuch(excess);
  // Excerpts in errors would take quadratic time.
  const options = { schema: "core", uniqueKeys: false, prettyErrors: false, logLevel: "silent" } as const;
  const documents = [parseAllDocuments(text, options)]
    .flat()
    .filter((each) => each.errors.length > 0 || !isEmptyNode(each.contents));
  if (documents.length > 1) return { reason: "two YAML documents, separated by --- or ..., for one call" };
  const [document] = documents;
  if (!document) return { value: {}, repairs: [] };
  const [error] = document.errors;
  if (error) {
    const line = text.slice(0, error.pos[0]).split("\n").length;
    return { reason: `the YAML is broken at line ${line}: ${problemOf(error, text.split("\n")[line - 1] ?? "")}` };
  }
  const { contents } = document;
  if (!isMap(contents)) return { reason: "expected a YAML mapping: one line `key: value` for each argument" };
  const aliases = new Set<string>();
  visit(document, { Alias: (_, { source }) => void aliases.add(source) });
  const reader = new NodeReader(text, aliases);
  const value = reader.value(contents, plan) as Record<string, unknown>;
  if (reader.isOver) return tooMuch("the YAML's aliases repeat too much");
  const { hasAnchors, emptied, repeats } = reader;
  const rejection = rejectionOf(reader);
  return {
    value,
    repairs: [],
    hasAnchors,
    emptied,
    repeats,
    ...(rejection !== undefined && { rejection }),
  };
}

/** Why a text that was read gives no call. */
function rejectionOf({ repeated, commented, hasDoubtfulPath }: NodeReader): string | undefined {
  if (repeated !== undefined) return repeatedKeyMessage(repeated);
  if (commented !== undefined) return commentMessage(commented);
  return hasDoubtfulPath ? BACKSLASHES : undefined;
}

const commentMessage = (key: string) =>
  `a comment stands in place of the text of ${JSON.stringify(key)}; write text that begins with # in quotes or after |`;

/** What is wrong on a line, and what would be right. */
function problemOf({ code, message }: YAMLParseError, line: string): string {
  if (code === "BAD_INDENT") return "indent all lines of a mapping or list equally";
  const [, key] = /^([\p{L}_][\p{L}\p{N}_.-]{0,63}):\S/u.exec(line.trimStart()) ?? [];
  return key === undefined ? message : `a space is missing after the colon: write "${key}: ..."`;
}

/**
 * Why a text is not parsed: it has too many tokens, or its nesting, by indentation, dashes or brackets, could exhaust
 * the stack of a recursive parser. Stops reading as soon as the answer is known. Undefined: it can be parsed.
 */
function whyUnparsed(text: string): string | undefined {
  const indents: number[] = [];
  let brackets = 0;
  let dashes = 0;
  let tokens = 0;
  let lineBegins = true;
  for (const token of new Lexer().lex(text)) {
    if (++tokens > MAX_TOKENS) return `YAML of more than ${MAX_TOKENS} tokens`;
    if (token === "[" || token === "{") brackets++;
    else if (token === "]" || token === "}") brackets = Math.max(0, brackets - 1);
    else if (token === "-" || token === "?") dashes++;
    if (lineBegins) {
      const indent = /^ *$/.test(token) ? token.length : 0;
      while (indents.length > 0 && indents.at(-1)! >= indent) indents.pop();
      indents.push(indent);
      dashes = token === "-" || token === "?" ? 1 : 0;
    }
    lineBegins = token.endsWith("\n");
    if (brackets + dashes + indents.length > MAX_DEPTH) return `YAML is nested deeper than ${MAX_DEPTH} levels`;
  }
  return undefined;
}
