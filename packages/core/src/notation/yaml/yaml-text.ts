import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  parseAllDocuments,
  type Scalar,
  visit,
  type YAMLParseError,
} from "yaml";
import { isObject } from "../../common/plain-object.js";
import { anyPlan, declares, type Plan, property, takesOthers, takesString } from "../../schema/plan.js";
import { MAX_DEPTH } from "../json/brackets.js";
import { readJsonText } from "../json/read-json.js";
import { indentOf, isFilled } from "../lines.js";
import { yamlOfLines } from "../loose-lines.js";
import { keepsDigits } from "../numbers.js";
import { assign } from "../own-property.js";
import { isSame, repeatedKey } from "../repeated-keys.js";

/** The limit of values: aliases repeat their target, so a few lines could exhaust the memory. */
const MAX_NODES = 100_000;

/** About 100 times the tokens of a long call. A block scalar is one token at any length; a list item has several. */
const MAX_TOKENS = 100_000;

/** Arguments read from YAML, with the codes of the repairs, or the failure. `rejection`: why the call is invalid. */
export type YamlReading =
  | { value: Record<string, unknown>; repairs: string[]; rejection?: string }
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
  for (const [code, mend] of REPAIRS) {
    const mended = mend(source, plan);
    const again = mended === source ? first : readFilled(mended, plan);
    if ("reason" in again || keepsCommas(again.value, plan)) continue;
    const lost = swallowedKey(again.value, plan);
    const rejection =
      lost === undefined ? undefined : `${JSON.stringify(lost)} may be an argument or a part of the text before it`;
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
 * @example readSettled("city: Paris # in France", plan); // undefined: if another line is broken, the comment is text
 */
export function readSettled(text: string, plan: Plan): Record<string, unknown> | undefined {
  const first = read(text, plan);
  if ("reason" in first || first.rejection !== undefined || first.emptied !== undefined || first.hasAnchors)
    return undefined;
  if (keepsCommas(first.value, plan)) return undefined;
  const isSettled = REPAIRS.every(([, mend]) => {
    const mended = mend(text, plan);
    const other = mended === text ? first : read(mended, plan);
    return "value" in other && isSame(other.value, first.value);
  });
  return isSettled ? first.value : undefined;
}

/** A missing argument whose key begins a line within the text of another one, or follows a comma in it. */
function swallowedKey(value: Record<string, unknown>, plan: Plan): string | undefined {
  return Object.values(value)
    .flatMap((text) =>
      typeof text === "string" ? [...text.matchAll(/(?:\n[ \t]+|,[ \t]*)([\p{L}_][\p{L}\p{N}_.-]*)[ ]*:\s/gu)] : [],
    )
    .map(([, key]) => key!)
    .find((key) => declares(plan, key) && !Object.hasOwn(value, key));
}

/** Repairs that are tried in turn on text that is not YAML. */
const REPAIRS: readonly (readonly [code: string, mend: (text: string, plan: Plan) => string])[] = [
  ["unquoted-text", quoteText],
  ["unindented-text", indentBlocks],
  ["loose-lines", yamlOfLines],
  ["loose-lines", quoteLines],
];

/** The same as {@link yamlOfLines}, with quotes around text. */
function quoteLines(text: string, plan: Plan): string {
  const lines = yamlOfLines(text, plan);
  return lines === text ? text : quoteText(lines, plan);
}

/** Whether a value that cannot be text ends with a comma, which then separates the arguments. */
function keepsCommas(value: Record<string, unknown>, plan: Plan): boolean {
  return Object.entries(value).some(([key, part]) => {
    const found = property(plan, key)?.plan ?? anyPlan;
    if (isObject(part)) return keepsCommas(part, found);
    return typeof part === "string" && part.endsWith(",") && found.kind !== "any" && !takesString(found);
  });
}

/**
 * Indents the lines of a block scalar whose first line is no deeper than its key, up to the next declared key. With an
 * indented first line, lines with less indentation are text or not, depending on the reader: they stay broken.
 */
function indentBlocks(text: string, plan: Plan): string {
  const indent = /^[ ]*(?=\S)/m.exec(text)?.[0].length ?? 0;
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

/** The header of a block scalar: its style, and what becomes of the newlines at its end. */
const BLOCK = /^([|>])(?:[1-9]?([-+]?)|([-+])[1-9])(?:[ \t]+#.*)?\s*$/;

/** The indentation of the first line with text after a line. */
function indentAfter(lines: readonly string[], index: number): number {
  let i = index + 1;
  while (i < lines.length && !isFilled(lines[i] ?? "")) i++;
  return indentOf(lines[i] ?? "");
}

/** `emptied`: see {@link NodeReader.emptied}. `repeats`: a key occurs twice in a mapping, with any values. */
type Reading = YamlReading & { hasAnchors?: boolean; emptied?: string | undefined; repeats?: boolean };

function read(text: string, plan: Plan): Reading {
  const excess = excessOf(text);
  if (excess !== undefined) return tooMuch(excess);
  // Excerpts in errors would take quadratic time.
  const options = { schema: "core", uniqueKeys: false, prettyErrors: false, logLevel: "silent" } as const;
  const documents = [parseAllDocuments(text, options)]
    .flat()
    .filter(({ errors, contents }) => errors.length > 0 || !isNothing(contents));
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
  const { repeated, hasAnchors, emptied, repeats } = reader;
  return {
    value,
    repairs: [],
    hasAnchors,
    emptied,
    repeats,
    ...(repeated !== undefined && { rejection: repeatedKey(repeated) }),
  };
}

/** What is wrong on a line, and what would be right. */
function problemOf({ code, message }: YAMLParseError, line: string): string {
  if (code === "BAD_INDENT") return "indent all lines of a mapping or list equally";
  const [, key] = /^[ ]*([\p{L}_][\p{L}\p{N}_.-]*):\S/u.exec(line) ?? [];
  return key === undefined ? message : `a space is missing after the colon: write "${key}: ..."`;
}

/**
 * Why a text is not parsed: it has too many tokens, or its nesting, by indentation, dashes or brackets, could exhaust
 * the stack of a recursive parser. Stops reading as soon as the answer is known. Undefined: it can be parsed.
 */
function excessOf(text: string): string | undefined {
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

/**
 * Adds quotes to lines `key: text` where the schema asks for text that YAML would read as something else. Following
 * lines with deeper indentation belong to the text.
 */
function quoteText(text: string, plan: Plan): string {
  const indent = /^[ ]*(?=\S)/m.exec(text)?.[0].length ?? 0;
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

type Node = unknown;

const isNothing = (contents: Node) => contents === null || (isScalar(contents) && contents.value === null);

/** Converts the parsed nodes to plain data, by the schema at each place. */
class NodeReader {
  private left = MAX_NODES;
  private depth = 0;
  /** A key that occurs twice in one mapping with different values. */
  repeated: string | undefined;
  /** Whether a key occurs twice in one mapping. */
  repeats = false;
  /** The key of an empty block before a comment, an undeclared key or a repeated one, which may be its text. */
  emptied: string | undefined;
  /** The key of the first empty block. */
  private emptyBlock: string | undefined;
  /** The anchors so far; the last one of a name wins. */
  private readonly anchors = new Map<string, Node>();

  constructor(
    private readonly text: string,
    /** The names of all aliases. */
    private readonly aliases: ReadonlySet<string>,
  ) {}

  /** Whether an alias could refer to a value. */
  get hasAnchors(): boolean {
    return this.anchors.size > 0;
  }

  get isOver(): boolean {
    return this.left < 0;
  }

  /** The value of a node. `null`: a key without a value. */
  value(node: Node | null, plan: Plan): unknown {
    if (node === null) return null;
    // A node that contains an alias to itself has no end.
    if (--this.left < 0 || this.depth > 2 * MAX_DEPTH) {
      this.left = -1;
      return null;
    }
    this.depth++;
    const value = this.read(node, plan);
    this.depth--;
    return value;
  }

  private read(node: Node, plan: Plan): unknown {
    if (isAlias(node)) return this.alias(node, plan);
    const { anchor } = node as { anchor?: string };
    if (anchor !== undefined) this.anchors.set(anchor, node);
    if (isScalar(node)) return this.scalar(node, plan);
    const range = (node as { range?: [number, number, number] | null } | null)?.range;
    // Where only text is allowed, brackets are text.
    if (plan.onlyString && range && /[[{]/.test(this.text.charAt(range[0]))) {
      return this.text.slice(this.startOf(node as Marked), range[1]);
    }
    if (isSeq(node)) {
      const item = (i: number) => (plan.kind === "array" ? (plan.prefix[i] ?? plan.items) : anyPlan);
      return node.items.map((part, i) => this.value(part, item(i)));
    }
    if (!isMap(node)) return null;
    const object: Record<string, unknown> = {};
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? (key.source ?? String(key.value)) : String(this.value(key, anyPlan));
      const isRepeated = Object.hasOwn(object, name);
      this.repeats ||= isRepeated;
      if (isRepeated || !declares(plan, name)) this.emptied ??= this.emptyBlock;
      const part = property(plan, name)?.plan ?? anyPlan;
      const text = part.onlyString ? this.blockText(key, value) : undefined;
      const read = text ?? this.value(value, part);
      if (isRepeated && !isSame(object[name], read)) this.repeated ??= name;
      assign(object, name, read);
      this.noteEmptyBlock(name, value);
    }
    return object;
  }

  private noteEmptyBlock(key: string, node: Node): void {
    if (!isScalar(node) || !/^BLOCK/.test(node.type ?? "") || String(node.value).trim() !== "") return;
    this.emptyBlock ??= key;
    if (/^\s*#/.test(this.text.slice(node.range?.[1]))) this.emptied ??= key;
  }

  /** The source of lines that are not a scalar, where the schema allows only text. */
  private blockText(key: Node, value: Node): string | undefined {
    if (!isScalar(key) || !(isMap(value) || isSeq(value)) || value.flow || !key.range || !value.range) return undefined;
    const [, keyEnd] = key.range;
    const [, end] = value.range;
    return dedented(this.text.slice(this.text.indexOf(":", keyEnd) + 1, end));
  }

  private alias(node: Alias, plan: Plan): unknown {
    const named = this.anchors.get(node.source);
    // An alias without a target is text that begins with `*`.
    return named === undefined ? `*${node.source}` : this.value(named, plan);
  }

  private scalar(node: Scalar, plan: Plan): unknown {
    const { value, range } = node;
    if (node.type !== "PLAIN") {
      const from = this.startOf(node);
      if (range && from < range[0]) return dedented(this.text.slice(from, range[1]));
      return typeof value === "string" ? value : (node.source ?? "");
    }
    const text = this.plainText(node);
    if (isUnknownTag(node)) return text;
    if (typeof value === "number" && !keepsDigits(value, text)) return text;
    if (value === null) return plan.onlyString ? (/^(?:~|null)$/i.test(text) ? null : text) : null;
    if (plan.onlyString) return text;
    if (plan.types?.includes("boolean") && !plan.types.includes("string")) {
      if (/^(?:yes|on)$/i.test(text)) return true;
      if (/^(?:no|off)$/i.test(text)) return false;
    }
    const { enum: allowed } = typeof plan.schema === "object" ? plan.schema : {};
    if (Array.isArray(allowed)) return allowed.includes(value) ? value : text;
    const type = typeof value === "number" ? ["number", "integer"] : [typeof value];
    const fits = !plan.types || plan.types.some((name) => type.includes(name));
    // Adding 0 turns -0 into 0, because JSON writers do not keep -0.
    return !fits || typeof value === "bigint" ? text : typeof value === "number" ? value + 0 : value;
  }

  /** The text of an unquoted scalar. A `#` before a letter or digit begins a tag or a colour, not a comment. */
  private plainText(node: Scalar): string {
    const [start = 0, , end = 0] = node.range ?? [];
    const from = this.startOf(node);
    const text = this.text.slice(from, start).replace(/\s*\n\s*/g, " ") + (node.source ?? "");
    const line = this.text.slice(from, end).split("\n", 1)[0] ?? "";
    return /(?:^|[ \t])#[\p{L}\p{N}]/u.test(line) && line.startsWith(text) ? line.trim() : text.trim();
  }

  /** Where a value begins. A tag that is not YAML's own is text, and so is an anchor that no alias names. */
  private startOf(node: Marked): number {
    const [start = 0] = node.range ?? [];
    let from = start;
    if (isUnknownTag(node)) {
      const mark = this.text.lastIndexOf("!", start - 1);
      // A tag with a handle has two marks: `!handle!name`, or `!!name`.
      let before = mark - 1;
      while (/[\w-]/.test(this.text.charAt(before))) before--;
      from = this.text.charAt(before) === "!" ? before : mark;
    }
    if (node.anchor === undefined || this.aliases.has(node.anchor)) return from;
    return Math.min(from, this.text.lastIndexOf(`&${node.anchor}`, start - 1));
  }
}

/** The lines of a value as they are written, without the indentation that all after the first have. */
function dedented(text: string): string {
  const [first = "", ...lines] = text.split("\n");
  const filled = lines.filter(isFilled);
  const indent = filled.reduce((least, line) => Math.min(least, line.search(/\S/)), Number.POSITIVE_INFINITY);
  const rest = lines.map((line) => line.slice(indent));
  return [...(isFilled(first) ? [first.trim()] : []), ...rest].join("\n").trimEnd();
}

/** The parts of a node with a tag or an anchor. */
type Marked = Pick<Scalar, "range" | "tag" | "anchor">;

const isUnknownTag = ({ tag }: Marked) =>
  tag !== undefined && !/^tag:yaml\.org,2002:(?:str|int|float|bool|null|seq|map)$/.test(tag);
