import { checkArgument } from "../check-argument.js";
import { callKey } from "../common/call-key.js";
import { jsonOrText } from "../common/json-text.js";
import { randomId } from "../common/random-id.js";
import { TOOL_LIST } from "../common/tool-list.js";
import { assign } from "../notation/own-property.js";
import { checkOptions } from "../options/check-options.js";
import { aFunction, anObject, type OptionRules } from "../options/option-rules.js";
import { coerce } from "../reply/arguments/coerce.js";
import { Repairs } from "../reply/arguments/repairs.js";
import type { GivenAliases } from "../schema/aliases.js";
import { aliasesFor } from "../schema/aliases-for.js";
import { explainInvalidArguments } from "../schema/explain.js";
import { type Plan, property } from "../schema/plan.js";
import { planOfTool } from "../schema/tool-plan.js";
import { type AnyTool, definitionOf } from "../schema/tool-shapes.js";
import { validateJson } from "../schema/validate.js";
import type { InvalidToolCall, ToolCall, ToolDefinition } from "../types.js";
import { checkAliases } from "./check-aliases.js";
import { codeRanges } from "./code-ranges.js";

/** Options of {@link readTriggers}. */
export interface ReadTriggersOptions {
  /** Tools of any shape that `normalizeTools` accepts. */
  tools: readonly AnyTool[];
  /**
   * Short names for tools and their parameters, as in the protocol `laic`, which also derives those that are not given.
   */
  aliases?: GivenAliases | undefined;
  generateId?: (() => string) | undefined;
}

const rules: OptionRules<ReadTriggersOptions> = {
  tools: { takes: Array.isArray, words: TOOL_LIST },
  aliases: anObject,
  generateId: aFunction,
};

/** A message, split into its text and its triggers. */
export interface Triggers {
  /** The message without its triggers. */
  text: string;
  calls: ToolCall[];
  /** Triggers whose values do not match the tool's schema. */
  invalid: InvalidToolCall[];
}

/** The maximum length of a trigger's values, in UTF-16 units. Longer ones are text. */
const MAX_LENGTH = 4_000;

const OPENING = /\[#([\p{L}_][\p{L}\p{N}_.-]*)[ \t]*([:\]])/uy;

/**
 * The tool calls that a user writes into a message: `[#W: "San Francisco"]`, `[#search: query="x", limit=3]`, `[#now]`.
 *
 * The code is a tool's name, or its alias of the protocol `laic`; a trigger with any other code stays text. Values are
 * separated by commas. A value with a name (or alias) belongs to that parameter; values without a name fill the other
 * parameters in the order of the schema. A value in double or single quotes may contain any text (`\"` and `\\` for a
 * quote and a backslash); typographic quotes (`“…”`, `«…»`), which phones and word processors insert, count as quotes
 * too. A value without quotes contains no comma and no bracket. Lists and objects are JSON. Values are coerced to the
 * types of the schema and validated. A trigger is on one line; inside code (backticks, fences) and after a backslash it
 * is text.
 *
 * Read triggers only in text of a user who may make calls. Takes linear time.
 *
 * Errors: `AliasError` for a bad alias; `OptionsError` (`bad-option`), also for an unknown option; `ToolDefinitionError` for a
 * wrong tool.
 *
 * @example
 * readTriggers('[#search: "otters", limit=3] Which is best?', { tools: [search] });
 * // { text: "Which is best?", calls: [{ id, name: "search", arguments: { query: "otters", limit: 3 } }], invalid: [] }
 */
export function readTriggers(content: string, options: ReadTriggersOptions): Triggers {
  checkArgument("content", "string", content);
  checkOptions(rules, options, "the options of readTriggers", ["tools"]);
  const { aliases = {}, generateId = randomId } = options;
  checkAliases(aliases);
  const tools = options.tools.map((tool, i) => definitionOf(tool, `#${i + 1}`));
  const triggers: Triggers = { text: "", calls: [], invalid: [] };
  if (!content.includes("[#") || tools.length === 0) return { ...triggers, text: content };
  const named = aliasesFor(tools, aliases, "name");
  const code = codeRanges(content);
  const byName = new Map(tools.map((tool) => [tool.name, tool] as const).reverse());
  /** The end of the last trigger's line, so that each line is searched once. */
  let lineEnd = -1;
  let taken = 0;
  let text = "";
  for (let at = content.indexOf("[#"); at >= 0; at = content.indexOf("[#", Math.max(at + 2, taken))) {
    if (content[at - 1] === "\\" || code.includes(at)) continue;
    OPENING.lastIndex = at;
    const [opening, written, end] = OPENING.exec(content) ?? [];
    if (opening === undefined || written === undefined) continue;
    const tool = byName.get(written) ?? byName.get(named.tools.long(written));
    if (!tool) continue;
    const start = at + opening.length;
    if (lineEnd < start) lineEnd = content.indexOf("\n", start);
    if (lineEnd < 0) lineEnd = content.length;
    const read =
      end === "]" ? { values: [], end: start } : readValues(content, start, Math.min(lineEnd, start + MAX_LENGTH));
    if (!read) continue;
    const raw = content.slice(at, read.end);
    addCall(triggers, {
      tool,
      raw,
      values: read.values,
      long: (key) => named.parameters(tool.name).long(key),
      generateId,
    });
    text += content.slice(taken, at);
    // Of the spaces around a trigger one is kept.
    taken = read.end + (/\s/.test(content[at - 1] ?? " ") && content[read.end] === " " ? 1 : 0);
  }
  if (taken === 0) return { ...triggers, text: content };
  return { ...triggers, text: (text + content.slice(taken)).trim() };
}

/** Removes triggers that repeat the same call more than `most` times. */
export function firstOfEach(triggers: Triggers, most: number): Triggers {
  const made = new Map<string, number>();
  const calls = triggers.calls.filter((call) => {
    const key = callKey(call);
    const times = (made.get(key) ?? 0) + 1;
    made.set(key, times);
    return times <= most;
  });
  return { ...triggers, calls };
}

interface WrittenValue {
  name?: string;
  value: unknown;
}

interface Made {
  tool: ToolDefinition;
  raw: string;
  values: readonly WrittenValue[];
  long(key: string): string;
  generateId(): string;
}

function addCall({ calls, invalid }: Triggers, { tool, raw, values, long, generateId }: Made): void {
  const plan = planOfTool(tool);
  const { args, left } = named(values, plan, long);
  const { name } = tool;
  const coerced = coerce(args, plan, "", new Repairs()) as Record<string, unknown>;
  const issues = validateJson(coerced, tool.parameters);
  if (left > 0) {
    const count = plan.properties.size;
    const message = `has ${values.length} values, and the tool takes ${count}; put a text with commas in quotes`;
    issues.unshift({ path: "", keyword: "maxProperties", message, expected: `at most ${count} values` });
  }
  const id = generateId();
  if (issues.length === 0) calls.push({ id, name, arguments: coerced });
  else {
    const error = explainInvalidArguments({ name, arguments: coerced, issues, schema: tool.parameters });
    invalid.push({ id, name, arguments: coerced, raw, error });
  }
}

/** The values by the names of their parameters, and the number of values left without a parameter. */
function named(values: readonly WrittenValue[], plan: Plan, long: (key: string) => string) {
  const args: Record<string, unknown> = {};
  for (const { name, value } of values) {
    if (name === undefined) continue;
    const key = plan.properties.has(name) ? name : long(name);
    assign(args, property(plan, key)?.key ?? key, value);
  }
  const free = [...plan.properties.keys()].filter((key) => !Object.hasOwn(args, key));
  const positional = values.filter(({ name }) => name === undefined);
  for (const [i, { value }] of positional.slice(0, free.length).entries()) assign(args, free[i]!, value);
  return { args, left: Math.max(0, positional.length - free.length) };
}

const KEY = /[ \t]*([\p{L}_$][\p{L}\p{N}_.$-]*)[ \t]*=/uy;

/** The values up to the closing bracket, and the index after it; `undefined` if it is missing before `end`. */
function readValues(content: string, start: number, end: number): { values: WrittenValue[]; end: number } | undefined {
  const values: WrittenValue[] = [];
  const unclosed = new Set<string>();
  for (let at = start; ; ) {
    KEY.lastIndex = at;
    const [key, name] = KEY.exec(content) ?? [];
    const value = readValue(content, at + (key?.length ?? 0), end, unclosed);
    if (!value) return undefined;
    if (value.found) values.push({ ...(name === undefined ? {} : { name }), value: value.value });
    const next = content[value.end];
    if (next === "]") return { values, end: value.end + 1 };
    if (next !== "," || !value.found) return undefined;
    at = value.end + 1;
  }
}

/** The quotes that phones and word processors insert, with the quotes that close them. */
const CLOSING = new Map([
  ["“", "”"],
  ["„", "“”"],
  ["”", "”"],
  ["‘", "’"],
  ["‚", "‘’"],
  ["«", "»"],
  ["»", "«"],
]);

/** A value, and the index after it and the whitespace that follows. `found`: whether there is one. */
interface ReadValue {
  value: unknown;
  found: boolean;
  end: number;
}

/**
 * The value at `from`; undefined if its end is missing before `end`. `unclosed`: quotes that are not closed before `end`, so
 * that each is searched for once.
 */
function readValue(content: string, from: number, end: number, unclosed: Set<string>): ReadValue | undefined {
  const at = blankEnd(content, from, end);
  const first = content[at];
  if (first === '"' || first === "'") return readQuoted(content, at, end);
  const closing = first === undefined || unclosed.has(first) ? undefined : CLOSING.get(first);
  const read = closing === undefined ? undefined : readOtherQuoted(content, at, end, closing, unclosed);
  if (read) return read;
  if (first === "[" || first === "{") {
    const close = jsonEnd(content, at, end);
    if (close === undefined) return undefined;
    return { value: jsonOrText(content.slice(at, close)), found: true, end: blankEnd(content, close, end) };
  }
  let to = at;
  while (to < end && content[to] !== "," && content[to] !== "]") to += 1;
  if (to >= end) return undefined;
  const value = content.slice(at, to).trim();
  return { value, found: value !== "", end: to };
}

/** The index after the spaces and tabs at `from`. */
function blankEnd(content: string, from: number, end: number): number {
  let at = from;
  while (at < end && (content[at] === " " || content[at] === "\t")) at += 1;
  return at;
}

/** The text in the quotes of a programming language that begin at `from`. */
function readQuoted(content: string, from: number, end: number): ReadValue | undefined {
  const quote = content[from];
  let value = "";
  for (let at = from + 1; at < end; at++) {
    if (content[at] === quote) return { value, found: true, end: blankEnd(content, at + 1, end) };
    const isEscaped = content[at] === "\\" && (content[at + 1] === quote || content[at + 1] === "\\");
    if (isEscaped) at += 1;
    value += content[at];
  }
  return undefined;
}

/** The text in the quotes of a language that begin at `from`; undefined if they delimit no value. */
function readOtherQuoted(
  content: string,
  from: number,
  end: number,
  closing: string,
  unclosed: Set<string>,
): ReadValue | undefined {
  const quote = content[from]!;
  for (let at = from + 1; at < end; at++) {
    if (closing.includes(content[at]!)) {
      const next = blankEnd(content, at + 1, end);
      if (content[next] === "," || content[next] === "]")
        return { value: content.slice(from + 1, at), found: true, end: next };
    } else if (content[at] === quote) return undefined; // A quote that opens again before it closes delimits no text.
  }
  unclosed.add(quote);
  return undefined;
}

/** The index after the bracket that closes the first one. */
function jsonEnd(content: string, from: number, end: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < end; at++) {
    const char = content[at];
    if (quoted) {
      if (char === "\\") at += 1;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === "[" || char === "{") depth += 1;
    else if (char === "]" || char === "}") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}
