import { didYouMean } from "../../common/nearest-name.js";
import { isObject } from "../../common/plain-object.js";
import { parseReply, type ReplyParserOptions } from "../../full/index.js";
import { FENCE_LINE } from "../../notation/markdown-code.js";
import { everyProtocol } from "../../protocols/index.js";
import type { ToolDefinition } from "../../types.js";
import { objectsInText } from "../objects-in-text.js";

/** The context of a text in a reply. */
interface TextPlace {
  /** Whether the text is reasoning. */
  isReasoning: boolean;
  /** Whether an invalid call precedes it. */
  followsInvalid: boolean;
  /** Whether the reply ends with it. */
  isLast: boolean;
  /** Whether it is a copy of a text that the model did not write. */
  isCopied: boolean;
}

/**
 * Why a text that looks like a call was not read as one; undefined if it does not look like one. Each reason is tried by
 * parsing the text again without what would be the reason.
 *
 * @example
 * whyNoCall("Write `<tool_call>…</tool_call>`.", how, place); // a call of "now" in a code block or inline code is quoted
 */
export function whyNoCall(text: string, how: ReplyParserOptions, place: TextPlace): string | undefined {
  const { tools, accept, protocol = "auto" } = how;
  const found = (source: string, changed: ReplyParserOptions = {}, { cutOff = true } = {}) => {
    const { toolCalls, invalidToolCalls } = parseReply(source, { ...how, prefill: "", ...changed });
    const invalid = invalidToolCalls.filter(({ error }) => cutOff || error.code !== "truncated");
    const names = [...toolCalls, ...invalid].flatMap(({ name }) => name ?? []);
    return names.length > 0 ? [...new Set(names)].map((name) => JSON.stringify(name)).join(", ") : undefined;
  };
  const foundIn = (sources: readonly string[], changed: ReplyParserOptions) => {
    for (const source of sources) {
      const names = found(source, changed);
      if (names !== undefined) return names;
    }
    return undefined;
  };
  const anyFormat: ReplyParserOptions = { protocol: "auto", accept: "any" };
  const plain = unquoted(text);
  const unmarked = plain.replace(QUOTE, "");
  const unescaped = plain.replace(ENTITY, (entity) => ENTITIES[entity] ?? entity);
  const ways: (() => string | false | undefined)[] = [
    () =>
      place.isCopied &&
      say(found(text), (names) => `a call of ${names} that is copied from a message of a user or from a result`),
    () =>
      tools?.length === 0 &&
      say(found(text, { ...anyFormat, tools: undefined }) ?? found(plain, { ...anyFormat, tools: undefined }), noTools),
    () =>
      place.isReasoning && say(found(text) ?? found(plain), (names) => `a call of ${names} in reasoning is a thought`),
    () =>
      place.followsInvalid && say(found(text), (names) => `after an invalid call, a call of ${names} may belong to it`),
    () =>
      plain !== text &&
      say(
        found(plain) ?? foundIn([plain, ...inFences(text)], anyFormat),
        (names) => `a call of ${names} in a code block or inline code is quoted`,
      ),
    () =>
      unmarked !== plain &&
      say(
        found(unmarked) ?? found(unmarked, anyFormat),
        (names) => `a call of ${names} in a block quote or a comment is quoted`,
      ),
    () =>
      accept === "own" &&
      say(
        found(text, anyFormat),
        (names) => `a call of ${names} in another format than ${nameOf(protocol)}; only that is read (accept: "own")`,
      ),
    () => withExpression(plain, how),
    () =>
      unescaped !== plain &&
      say(
        found(unescaped) ?? found(unescaped, anyFormat),
        (names) => `a call of ${names} is written with HTML's entities, such as &lt; for <`,
      ),
    () => otherKeys(plain, tools, (json) => found(json, { ...anyFormat, protocol: "json-action" })),
    () => unknownTool(plain, tools, (other) => found(plain, { ...anyFormat, tools: other })),
    () =>
      say(
        aroundCall(plain, (part) => found(part, anyFormat, { cutOff: false })),
        (names) => `words are around a call of ${names} without a marker`,
      ),
    () =>
      place.isLast &&
      say(
        completed(plain, (whole) => found(whole, anyFormat)),
        (names) => `a call of ${names} is incomplete: the reply ends in it`,
      ),
    () => markerWithoutCall(text),
    () => bareName(text, tools),
  ];
  for (const way of ways) {
    const reason = way();
    if (reason) return reason;
  }
  return undefined;
}

const noTools = (names: string) => `a call of ${names}, but there are no tools`;

const nameOf = (protocol: NonNullable<ReplyParserOptions["protocol"]>) =>
  typeof protocol === "string" ? protocol : protocol.name;

const ENTITY = /&(?:lt|gt|quot|amp|#39|#x27);/g;
const ENTITIES: Record<string, string> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&amp;": "&",
  "&#39;": "'",
  "&#x27;": "'",
};

/** How many objects of a text are tried, and how many of an object's keys. */
const TRIED = { objects: 20, keys: 20 };

/** An object with the name of a tool and its arguments, but under other keys, or beside other keys. */
function otherKeys(
  text: string,
  tools: readonly ToolDefinition[] | undefined,
  found: (json: string) => string | undefined,
): string | undefined {
  if (tools === undefined) return undefined;
  let tried = 0;
  for (const json of objectsInText(text)) {
    if (tried++ === TRIED.objects) break;
    const entries = entriesIn(json).slice(0, TRIED.keys);
    for (const [nameKey, name] of entries) {
      if (typeof name !== "string" || !tools.some((tool) => tool.name === name)) continue;
      for (const [key, value] of entries) {
        if (!isObject(value)) continue;
        const called = JSON.stringify(name);
        const rest = entries.filter(([other]) => other !== key && other !== nameKey).map(([other]) => other);
        if (found(JSON.stringify({ [nameKey]: name, [key]: value })) !== undefined) {
          if (rest.length > 0) return `a call of ${called} is beside other keys: ${listed(rest)}`;
        } else if (found(JSON.stringify({ name, arguments: value })) !== undefined)
          return `a call of ${called} has the keys ${listed([nameKey, key])} instead of "name", "arguments"`;
      }
    }
  }
  return undefined;
}

const listed = (keys: readonly string[]) => keys.map((key) => JSON.stringify(key)).join(", ");

function entriesIn(json: string): [string, unknown][] {
  try {
    return Object.entries(JSON.parse(json) as object);
  } catch {
    return [];
  }
}

/** A Python call, of which an argument is not a value. Between the markers of a list of calls, the parser says which one. */
function withExpression(text: string, { tools }: ReplyParserOptions): string | undefined {
  const [open, close] = ["<|tool_call_start|>[", "]<|tool_call_end|>"];
  const lines = text.split("\n").filter((line) => /^\s*[\p{L}_][\w.]*\s*\(.*\)[\s;,]*$/u.test(line));
  for (const line of lines.slice(0, 100)) {
    const marked = `${open}${line.slice(0, line.lastIndexOf(")") + 1).trim()}${close}`;
    const [call] = parseReply(marked, { tools, protocol: "lfm2" }).invalidToolCalls;
    const fault =
      call?.error.code === "malformed" && /the argument .* is an expression .*(?=;)/s.exec(call.error.message);
    if (fault) return `a call of ${JSON.stringify(call.name)} cannot be read: ${fault[0]}`;
  }
  return undefined;
}

const say = (names: string | undefined, reason: (names: string) => string) =>
  names === undefined ? undefined : reason(names);

/** The text without the markers of code blocks and inline code. */
const unquoted = (text: string) => text.replace(FENCE_LINE, "").replaceAll("`", "");

/** The texts of code blocks: of the first twenty. */
function inFences(text: string): string[] {
  const lines = [...text.matchAll(FENCE_LINE)].slice(0, 40);
  return lines.flatMap(({ 0: line, index }, i) =>
    i % 2 === 0 ? text.slice(index + line.length, lines[i + 1]?.index) : [],
  );
}

/** The mark of a block quote or a comment, also in an item of a list, and of a comment after something else. */
const QUOTE = /^(?:[ \t]*(?:[-*+•]|\d{1,2}[.)])[ \t])?[ \t]*(?:>|\/\/|#(?!#))|(?<=[\s)\]}>;])(?:\/\/|#)/gm;

/** What may be a tool's name: after a key or the beginning of a tag, or before a parenthesis. */
const NAME =
  /"(?:name|tool|tool_name|function|action)"\s*:\s*"([^"\n]{1,100})"|([\p{L}_][\p{L}\p{N}_.-]{0,99})\s*\(|<(?:invoke |tool_call )?(?:name=")?([\p{L}_][\w.-]{0,99})/gu;

function unknownTool(
  text: string,
  tools: readonly ToolDefinition[] | undefined,
  found: (tools: ToolDefinition[]) => string | undefined,
): string | undefined {
  if (tools === undefined) return undefined;
  const names = tools.map(({ name }) => name);
  const others = [...text.matchAll(NAME)].map(([, key, call, tag]) => key ?? call ?? tag ?? "");
  const unknown = [...new Set(others)]
    .filter((name) => !names.includes(name) && !markers().includes(`<${name}>`))
    .slice(0, 50);
  const called = unknown.find((name) => found([{ name }]) !== undefined);
  if (called !== undefined && names.length === 0) return noTools(JSON.stringify(called));
  return called === undefined ? undefined : `there is no tool ${JSON.stringify(called)}. ${didYouMean(called, names)}`;
}

/**
 * A call like a function's, with one level of brackets within it. It is matched line by line: one over several is not found.
 */
const FUNCTION_CALL = /(?<![\w.])[\p{L}_][\w.]{0,99}\((?:[^()"']|"[^"]*"|'[^']*'|\([^()]*\)){0,2000}\)/gu;

/**
 * The calls in the lines and the brackets of a text, and those like a function's within a line, which are no calls where
 * other words are around them.
 */
function aroundCall(text: string, found: (part: string) => string | undefined): string | undefined {
  const within = (open: string, close: string) => {
    const [from, to] = [text.indexOf(open), text.lastIndexOf(close)];
    return from >= 0 && to > from ? [text.slice(from, to + 1)] : [];
  };
  const lines = text.split("\n").slice(0, 100);
  const functionCalls = lines.flatMap((line) => line.match(FUNCTION_CALL) ?? []).slice(0, 100);
  const parts = [...within("{", "}"), ...within("[", "]"), ...within("<", ">"), ...lines, ...functionCalls];
  for (const part of parts) {
    const names = part.trim() === "" ? undefined : found(part.trim());
    if (names !== undefined) return names;
  }
  return undefined;
}

const ENDS = ["}", "}}", '"}', '"}}', ")", ")]", '")', '")]', "}]", "}}]"];

function completed(text: string, found: (whole: string) => string | undefined): string | undefined {
  const from = text.search(/[{[]|[\p{L}_][\w.]{0,99}\(/u);
  if (from < 0) return undefined;
  for (const end of ENDS) {
    const names = found(text.slice(from).trimEnd() + end);
    if (names !== undefined) return names;
  }
  return undefined;
}

let known: readonly string[] | undefined;

/** The markers of all formats that are whole tags or tokens. */
function markers(): readonly string[] {
  known ??= [
    ...new Set(
      everyProtocol.flatMap(({ syntax }) => {
        const [first] = syntax.call;
        return typeof first === "string" && /^[<[]\S{3,}[>\]]$/.test(first.trim()) ? [first.trim()] : [];
      }),
    ),
  ];
  return known;
}

function markerWithoutCall(text: string): string | undefined {
  const marker = markers().find((one) => text.includes(one));
  return marker === undefined ? undefined : `the marker ${marker} is mentioned, without a call that can be read`;
}

function bareName(text: string, tools: readonly ToolDefinition[] | undefined): string | undefined {
  const line = text.split("\n").find((one) => tools?.some(({ name }) => name === one.trim().replace(/[`*:.]/g, "")));
  return line === undefined
    ? undefined
    : `${JSON.stringify(line.trim())} is the name of a tool, without arguments or a marker`;
}
