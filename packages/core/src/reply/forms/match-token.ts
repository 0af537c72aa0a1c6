import { oncePer } from "../../common/once-per.js";
import { characterTest } from "../../notation/character-test.js";
import { asciiWordEnd, LOOKAHEAD, matchesAny, spaceEnd } from "../../notation/input.js";
import { Lookahead } from "../../notation/lookahead.js";
import type { Tag } from "../../notation/markup/markup.js";
import { wholeLength } from "../../notation/text-pieces.js";
import { READABLE_NAME } from "../../schema/names.js";
import { type Body, type BodyFacts, factsOf } from "../../syntax/bodies.js";
import { closedBy } from "../../syntax/spelling.js";
import type { Token } from "../../syntax/tokens.js";
import { cleanName } from "./clean-name.js";
import type { FormNode } from "./forms.js";

// Whether the text begins with the next token of a call.

const MAX_NAME = 256;

/** The markers after the remaining arguments; if no arguments remain, all markers. */
export function literalsAfterBodies(node: FormNode): string[] {
  const bodies = node.branches.flatMap(({ token, node: next }) =>
    token.kind === "body" ? next.literals : hasBody(next) ? literalsAfterBodies(next) : [],
  );
  return hasBody(node) ? bodies : node.literals;
}

const hasBody = (node: FormNode): boolean =>
  node.branches.some(({ token, node: next }) => token.kind === "body" || hasBody(next));

/** Whether a name or arguments are still expected. */
export const holdsMore = (node: FormNode): boolean =>
  node.branches.some(({ token, node: next }) => token.kind === "body" || token.kind === "name" || holdsMore(next));

const isBodyIn = (token: Token, language: BodyFacts["language"]): boolean =>
  token.kind === "body" && factsOf(token.body).language === language;

/** Whether a Python name is expected, which may follow a comment. */
export const namesPython = (node: FormNode): boolean =>
  node.branches.some(
    ({ token, node: next }) =>
      token.kind === "name" && !token.line && next.branches.some((after) => isBodyIn(after.token, "python")),
  );

/** Whether JSON is expected, which may have a wrapping. */
export const takesJson = (node: FormNode): boolean => node.branches.some(({ token }) => isBodyIn(token, "json"));

/** The labels of arguments after a name that begins a line. */
export const labelsAfterName = (node: FormNode): string[] =>
  node.branches.flatMap(({ token, node: next }) =>
    token.kind === "name" && token.line
      ? next.branches.flatMap(({ token: after }) => (after.kind === "label" ? [after.text] : []))
      : [],
  );

/** The markers that can follow a body. */
export interface AfterBody {
  /** The call's closing markers, or those around the next call. JSON's own punctuation is left out. */
  markers: readonly string[];
  /** The markers that close the call, and then its block, in their order. */
  closers: readonly string[];
  /** Whether one of the markers is at an index; undefined: more input is needed. */
  closes(text: string, index: number): boolean | undefined;
  /** The names of the elements that these markers close. */
  elements: readonly string[];
  /** The tokens that opened the call. */
  opener: readonly Token[];
}

/** Whether an argument's tag in one of the forms from here on is at an index, or after space; `<` alone does not count. */
export function elementOpens(look: Lookahead, from: number, { branches }: FormNode): boolean {
  const index = spaceEnd(look.text, from, from + LOOKAHEAD);
  const found = look.find(branches, ({ token, node }) => {
    const open = token.kind === "body" ? factsOf(token.body).argumentOpener?.(token.body) : undefined;
    return open === undefined ? elementOpens(look, index, node) : look.markerEnd(open, index) !== false;
  });
  return found !== undefined;
}

/** Whether the text between or after calls is more than JSON's punctuation. */
export const isMarker = (text: string) => !/^[\s,[\]{}]*$/.test(text);

/** The markers that can follow the body of this node, computed once. */
export const afterBody = oncePer((node: FormNode): AfterBody => {
  const { literals, block, opener = [] } = node;
  const around = block ? [block.separator, ...block.close].filter(isMarker) : [];
  const closers = [...literals, ...blockClosersOf(node)];
  const elements = closers.flatMap((closer) => closedBy(closer) ?? []);
  const markers = [...literals, ...around];
  return { markers, closers, closes: (text, index) => matchesAny(text, index, markers), elements, opener };
});

/** Whether these markers close a list whose items are the calls. */
export const closesList = (closers: readonly string[]): boolean => closers.includes("]");

/** The markers that end the current block of calls. */
export const blockClosersOf = ({ block, branches }: FormNode): readonly string[] =>
  block?.close ?? branches.flatMap(({ node }) => blockClosersOf(node));

const isInName = characterTest(/[\p{L}\p{N}_-]/u);

/** Whether the bracket at the end of a marker begins the marker again, `[TOOL_CALLS][TOOL_CALLS]`, and no list. */
export const isTwice = (look: Lookahead, at: number, marker: string): boolean =>
  marker.length > 2 &&
  marker.endsWith("[") &&
  marker.startsWith("[") &&
  look.has(marker.slice(0, -1), at + marker.length - 1);

/** Whether a literal is at an index; one that ends with a letter, or is a fence without a language, must end a word. */
export function hasWord(look: Lookahead, at: number, literal: string): boolean {
  const end = look.markerEnd(literal, at);
  if (end !== false && isTwice(look, at, literal)) return false;
  if (end === false || !(isInName(literal, literal.length - 1) || literal.endsWith("```"))) return end !== false;
  return look.endsAt(end) || !isInName(look.text, end);
}

/** Where a name of ASCII letters, digits and underscores ends, which most are; -1: it is another name. */
export function plainNameEnd(text: string, from: number, ends: readonly string[]): number {
  const at = asciiWordEnd(text, from);
  if (at === from || at - from > MAX_NAME) return -1;
  let isHere = false;
  for (const end of ends) {
    // Otherwise one may begin inside the name.
    if (end === "" || asciiWordEnd(end, 0) > 0) return -1;
    isHere ||= text.startsWith(end, at);
  }
  return isHere ? at : -1;
}

/** Where the name that begins at an index ends; -1: the longest name ends before it. */
export function nameEnd(look: Lookahead, from: number, ends: readonly string[]): number {
  const plain = plainNameEnd(look.text, from, ends);
  if (plain >= 0) return plain;
  const { text } = look;
  const tag = otherTagAfter(look, from, ends);
  if (tag !== undefined) return tag;
  const window = text.slice(from, from + MAX_NAME + longestOf(ends));
  let found = -1;
  for (const end of ends) {
    const index = Lookahead.indexOf(window, end);
    if (index >= 0 && (found < 0 || index < found)) found = index;
  }
  if (!isTagged(ends) && !isElement(ends)) return found < 0 ? -1 : from + found - fenceBefore(window, found);
  const at = found < 0 ? -1 : from + found;
  // A name whose tag lacks its closing bracket, or whose closing tag is missing, ends with its line or before the next tag.
  const stop = from + text.slice(from, at < 0 ? from + MAX_NAME : at).search(/[<\n]/);
  if (stop < from) return at;
  const next = spaceEnd(text, stop);
  if (next === at || next - from > MAX_NAME) return at;
  if (next === text.length && !look.isWhole) return -1;
  if (isTagged(ends)) return stop;
  // Another closing tag, or the beginning of one, may be a misspelling of its own.
  return text.charAt(next) === "<" && /^\p{L}$/u.test(look.charAt(next + 1)) ? stop : at;
}

/** Where a name of ASCII letters, digits, underscores, points and hyphens ends. */
function writtenNameEnd(text: string, from: number): number {
  let at = asciiWordEnd(text, from);
  while (at > from && /[.-]/.test(text.charAt(at))) at = asciiWordEnd(text, at + 1);
  return at;
}

/**
 * Where a name before the tag of an argument ends if another tag or a comment follows it; -1: more input is needed; undefined:
 * none does.
 */
export function otherTagAfter(look: Lookahead, from: number, ends: readonly string[]): number | undefined {
  const [first = ""] = ends;
  if (first.charAt(0) !== "<" || !isInName(first, 1)) return undefined;
  const { text } = look;
  const begin = spaceEnd(text, from);
  const end = writtenNameEnd(text, begin);
  const tag = spaceEnd(text, end);
  if (end === begin || tag - from > MAX_NAME || text.charAt(tag) !== "<") return undefined;
  if (ends.some((marker) => look.markerEnd(marker, tag) !== false)) return undefined;
  if (look.hitEnd || look.endsAt(tag + 1)) return -1;
  return isInName(text, tag + 1) || look.has("<!--", tag) ? end : undefined;
}

/**
 * Whether the marker that follows an element is at an index, so that the element's closing tag is missing; `node`: from that
 * tag on.
 */
function followsElement(look: Lookahead, at: number, node: FormNode): boolean {
  const next = spaceEnd(look.text, at);
  const after = node.branches.flatMap(({ node: { branches } }) => branches);
  return look.find(after, ({ token }) => token.kind === "literal" && look.has(token.text, next)) !== undefined;
}

/** The beginning of such a fence. */
const FENCE_SO_FAR = /\n\s*`{1,3}\w*\s*$/;

/** The length of the code fence around JSON on the line after a name. */
function fenceBefore(text: string, end: number): number {
  const name = text.slice(0, end);
  if (text.charAt(end) !== "{" || !name.includes("\n```")) return 0;
  return /[^\S\n]*\n\s*```\w*\s*$/.exec(name)?.[0].length ?? 0;
}

/** Whether the end of a tag ends the name. */
export const isTagged = (ends: readonly string[]) => ends.length > 0 && ends.every((end) => end.startsWith(">"));

/** Whether a closing tag ends the name. */
const isElement = (ends: readonly string[]) => ends.length > 0 && ends.every((end) => closedBy(end) !== undefined);

/** What the name that ends at an index lacks: the bracket of its tag, or its closing tag. */
export function lackAfterName(look: Lookahead, at: number, ends: readonly string[]): MissingEnd | undefined {
  const lack = isTagged(ends) ? "missing-bracket" : isElement(ends) ? "missing-name-closer" : undefined;
  return ends.some((end) => look.markerEnd(end, spaceEnd(look.text, at)) !== false) ? undefined : lack;
}

type MissingEnd = "missing-bracket" | "missing-name-closer";

/** The beginning of a possible tool name. */
const NAME_SO_FAR = /^\s*(?:["'`]|\*{1,2})?[\p{L}\p{N}_$.:/\\\- ]*(?:["'`]|\*{1,2})?\s*$/u;

/** The length of the longest variable. */
export const MAX_VARIABLE = 60;

/** The variable of a Python call, and the equals sign after it. */
export const VARIABLE = new RegExp(`^\\s*([\\p{L}_][\\p{L}\\p{N}_]{0,${MAX_VARIABLE - 1}})[ \\t]*=(?!=)`, "u");

/** The word before a Python call whose result is waited for. */
export const AWAIT = /^\s*await\s+/;

/**
 * The tool's name in a text before its arguments, and the variable before the name: in Python, outside of a list, a call
 * may be assigned.
 */
export function calledName(text: string, { branches }: FormNode): CalledName {
  const python = branches.find(({ token }) => isBodyIn(token, "python"));
  const takesVariable = python !== undefined && !closesList(python.node.block?.close ?? []);
  const [assigned = "", variable] = (takesVariable && VARIABLE.exec(text)) || [];
  const called = text.slice(assigned.length);
  const isConditional = python !== undefined && STATEMENT.test(called);
  return { name: cleanName(python ? called.replace(AWAIT, "") : called), variable, isConditional };
}

interface CalledName {
  name: string;
  variable?: string | undefined;
  /** Whether a keyword of Python before the name makes the call depend on more than itself. */
  isConditional: boolean;
}

/** The keyword of a compound statement or of an anonymous function, and more text. */
const STATEMENT =
  /^\s*(?:async\s+)?(?:if|elif|else|for|while|with|try|except|finally|def|class|match|case|lambda)(?:\s+\S|\s*:)/u;

/** Whether a text may be the beginning of a name, which may be written on two lines. */
function isNameSoFar(text: string): boolean {
  if (NAME_SO_FAR.test(text)) return true;
  const [first = "", again, more] = text.trim().split(/\s*\n\s*/, 3);
  return again !== undefined && more === undefined && NAME_SO_FAR.test(first) && first.startsWith(again);
}

/** A name without the emphasis around it and without empty parentheses after it. */
export const plainName = (name: string) =>
  cleanName(name.replace(/^[\s*]+|[\s*]+$/g, "").replace(/\(\)(["'`]?)$/, "$1"));

/** Whether a possible tool name begins at an index; `node`: what follows it. */
export function matchesName(look: Lookahead, from: number, ends: readonly string[], node: FormNode): boolean {
  if (plainNameEnd(look.text, from, ends) >= 0) return true;
  const { text } = look;
  const at = nameEnd(look, from, ends);
  if (at >= 0 && lackAfterName(look, at, ends) === "missing-name-closer" && !followsElement(look, at, node))
    return false;
  if (at >= 0) return at - from <= MAX_NAME && READABLE_NAME.test(calledName(text.slice(from, at), node).name);
  if (text.length - from > MAX_NAME + longestOf(ends)) return false;
  // The end may be cut off.
  const tag = text.indexOf("<", from);
  if (tag > from && tag - from <= MAX_NAME && isNameSoFar(text.slice(from, tag))) {
    for (const end of ends) look.markerEnd(end, tag);
  }
  const before = text.slice(from, Math.max(from, text.length - longestOf(ends) + 1));
  const soFar = calledName(ends.includes("{") ? before.replace(FENCE_SO_FAR, "") : before, node).name;
  // Text that cannot begin a name is not waited for.
  if (isNameSoFar(soFar.slice(0, wholeLength(soFar, false)))) mayEnd(look, from, ends);
  return false;
}

/** Notes that the item at an index may end later. */
function mayEnd(look: Lookahead, from: number, ends: readonly string[]): void {
  if (look.text.length - from <= MAX_NAME + longestOf(ends)) look.atEnd();
}

/** Where the item at an index ends; false: too far away, or not yet. */
function matchesEnd(look: Lookahead, from: number, ends: readonly string[]): number | false {
  const at = nameEnd(look, from, ends);
  if (at < 0) mayEnd(look, from, ends);
  return at >= 0 && at - from <= MAX_NAME && at;
}

/** A word in the place of a call's number, and text in an element; each with the space after it. */
const INDEX_WORD = /^(\s*[\w-]*)\s*/;
const INDEX_TEXT = /^(\s*[^<\n]*)\s*/;

/**
 * Whether the call's number is at an index, up to one of its ends: digits, or before a marker a word, as in an id. In an
 * element it is any text on one line. Other text is that of a sentence or of another call.
 */
export function matchesIndex(look: Lookahead, from: number, ends: readonly string[]): boolean {
  const pattern = isElement(ends) ? INDEX_TEXT : INDEX_WORD;
  // Other text is known before any of the ends.
  const [number = "", word = ""] = pattern.exec(look.text.slice(from, from + MAX_NAME)) ?? [];
  const isEnd = (marker: string) => look.has(marker, from + word.length) || look.has(marker, from + number.length);
  if (from + word.length < look.text.length && !ends.some(isEnd)) return false;
  const at = matchesEnd(look, from, ends);
  if (at === false) return false;
  const written = look.text.slice(from, at);
  return look.text.charAt(at) === "{" ? /^\s*\d*\s*$/.test(written) : pattern.exec(written)?.[0] === written;
}

/** Where a name that may end with the reply ends; false: as for {@link matchesEnd}. */
export function lineNameEnd(look: Lookahead, from: number, ends: readonly string[]): number | false {
  const at = matchesEnd(look, from, ends);
  const { text, isWhole } = look;
  return at === false && isWhole && text.length - from <= MAX_NAME ? text.length : at;
}

function longestOf(ends: readonly string[]): number {
  let longest = 1;
  for (const { length } of ends) longest = Math.max(longest, length);
  return longest;
}

/** Whether a body contains the call's name as well. */
export const holdsName = (body: Body) => factsOf(body).holdsName !== undefined;

/** Whether a body is a whole message, which may be an answer in place of a call. */
export const isMessage = (body: Body) => factsOf(body).holdsName === "message";

/** The names of the elements that contain arguments here. */
const elementsOf = oncePer(
  ({ branches }: FormNode): ReadonlySet<string | undefined> =>
    new Set(
      branches.map(({ token }) => (token.kind === "body" ? factsOf(token.body).element?.(token.body) : undefined)),
    ),
);

/** Whether the tag has attributes besides the tool's name, and a form accepts arguments from them. */
export function hasMoreAttributes(
  text: string,
  at: number,
  { name, attribute }: Extract<Token, { kind: "tag" }>,
  from: FormNode,
): boolean {
  if (!elementsOf(from).has(name)) return false;
  const tag = /<[^\s<>]*\s*/y;
  tag.lastIndex = at;
  tag.test(text);
  const next = /([^\s=<>"'/]{1,64})\s*=\s*(?:"[^"<>]{0,256}"|'[^'<>]{0,256}')?\s*/y;
  next.lastIndex = tag.lastIndex;
  // Ids and similar attributes are not arguments.
  for (let found = next.exec(text); found; found = next.exec(text)) {
    if (found[1] !== attribute && !/^(?:id|index|type|call_id|tool_call_id|xmlns.*)$/i.test(found[1]!)) return true;
  }
  return false;
}

/** Whether a tag is that of a token: of its name, and with the attribute that names the tool. */
export const isTag = (tag: Tag | undefined, { name, attribute }: Extract<Token, { kind: "tag" }>) =>
  tag?.name === name && (attribute === undefined || tag.attributes.has(attribute));

/**
 * What an error says that is expected at this node: in the form that the prompt asks for, if it leads here; otherwise a name or
 * arguments, because the markers are those of many formats.
 */
export function expected({ branches }: FormNode): string {
  const asked = branches.filter((branch) => branch.asked);
  const parts = branches.filter(({ token }) => token.kind === "name" || token.kind === "body");
  const shown = [asked, parts, branches].find((list) => list.length > 0) ?? [];
  return `expected ${[...new Set(shown.map(({ token }) => describe(token)))].join(" or ")}`;
}

function describe(token: Token): string {
  switch (token.kind) {
    case "literal":
    case "label":
      return token.text;
    case "tag":
      return token.attribute === undefined ? `<${token.name}>` : `<${token.name} ${token.attribute}="…">`;
    case "name":
      return "the tool's name";
    case "index":
      return "the call's number";
    case "body":
      return factsOf(token.body).description;
  }
}
