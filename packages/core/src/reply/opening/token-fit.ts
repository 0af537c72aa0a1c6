import { type Body, factsOf } from "../../syntax/bodies.js";
import { closedBy } from "../../syntax/spelling.js";
import type { Token } from "../../syntax/tokens.js";
import { READABLE_NAME } from "../../tool-name.js";
import { textBegins } from "../bodies/lone-text.js";
import type { Tag } from "../bodies/markup.js";
import { wholeLength } from "../bodies/text-pieces.js";
import { type Input, LOOKAHEAD, spaceEnd, standsAt } from "../input.js";
import type { FormNode } from "./forms.js";

// Whether the text begins with the next token of a call: yes, no, or undefined when more input is needed.

const MAX_NAME = 256;

/** The markers after the arguments that are still to come; without any, all markers. */
export function literalsAfterBodies(node: FormNode): string[] {
  const bodies = node.branches.flatMap(({ token, node: next }) =>
    token.kind === "body" ? next.literals : hasBody(next) ? literalsAfterBodies(next) : [],
  );
  return hasBody(node) ? bodies : node.literals;
}

const hasBody = (node: FormNode): boolean =>
  node.branches.some(({ token, node: next }) => token.kind === "body" || hasBody(next));

/** Whether a name or arguments are still to come. */
export const holdsMore = (node: FormNode): boolean =>
  node.branches.some(({ token, node: next }) => token.kind === "body" || token.kind === "name" || holdsMore(next));

/** A name in Python comes next, which may follow a comment. */
export const namesPython = (node: FormNode): boolean =>
  node.branches.some(
    ({ token, node: next }) =>
      token.kind === "name" &&
      !token.line &&
      next.branches.some(({ token: body }) => body.kind === "body" && body.body.body === "python-arguments"),
  );

/** JSON comes next, with which something may stand around it. */
export const takesJson = (node: FormNode): boolean =>
  node.branches.some(({ token }) => token.kind === "body" && /^json(?:-call)?$/.test(token.body.body));

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
  /** The names of the elements that these close. */
  elements: readonly string[];
  /** How the call began. */
  opener: readonly Token[];
}

/** Whether the tag of an argument, as one of the forms from here on writes it, is at an index; `<` alone is none. */
export function elementOpens(node: FormNode, text: string, index: number): boolean | undefined {
  let opens: boolean | undefined = false;
  for (const { token, node: next } of node.branches) {
    const open = token.kind === "body" && token.body.body === "elements" ? String(token.body.open[0]).trimEnd() : "";
    const found = open.length > 1 ? standsAt(text, index, open) : elementOpens(next, text, index);
    if (found) return true;
    opens = found === undefined ? undefined : opens;
  }
  return opens;
}

const cache = new WeakMap<FormNode, AfterBody>();

/** The markers that can follow the body of this node, computed once. */
export function afterBody(node: FormNode): AfterBody {
  let found = cache.get(node);
  if (!found) {
    const { literals, block, opener = [] } = node;
    const around = block ? [block.separator, ...block.close].filter((marker) => !/^[\s,[\]{}]*$/.test(marker)) : [];
    const closers = [...literals, ...blockClosersOf(node)];
    const elements = closers.flatMap((closer) => closedBy(closer) ?? []);
    found = { markers: [...literals, ...around], closers, elements, opener };
    cache.set(node, found);
  }
  return found;
}

/** The markers that end the block of calls that are still to come. */
export const blockClosersOf = ({ block, branches }: FormNode): readonly string[] =>
  block?.close ?? branches.flatMap(({ node }) => blockClosersOf(node));

const NAME_SIGN = /[\p{L}\p{N}_-]/u;

/** Whether a literal stands here; one that ends with a letter must end a word. */
export function wordStandsAt({ text, pos, final }: Input, literal: string): boolean | undefined {
  const stands = standsAt(text, pos, literal);
  if (!stands || !NAME_SIGN.test(literal.slice(-1))) return stands;
  const next = text.charAt(pos + literal.length);
  return next === "" && !final ? undefined : !NAME_SIGN.test(next);
}

/** Where the name that begins here ends, or -1. */
export function nameEnd(input: Input, ends: readonly string[]): number {
  const { text, pos, final } = input;
  let at = -1;
  for (const end of ends) {
    const found = input.find(end, pos);
    if (found >= 0 && (at < 0 || found < at)) at = found;
  }
  if (!isTagged(ends)) return at;
  // A tag whose closing sign was left out ends with its line, or before the next tag.
  const stop = pos + text.slice(pos, at < 0 ? pos + MAX_NAME : at).search(/[<\n]/);
  if (stop < pos) return at;
  const next = spaceEnd(text, stop);
  if (next === at) return at;
  return next === text.length && !final ? -1 : stop;
}

/** A name that the end of its tag ends. */
export const isTagged = (ends: readonly string[]) => ends.length > 0 && ends.every((end) => end.startsWith(">"));

/** What may become a tool's name. */
const NAME_SO_FAR = /^\s*["'`]?[\p{L}\p{N}_$.:/\\\- ]*["'`]?\s*$/u;

/** A name without the emphasis around it and without empty parentheses after it. */
export const plainName = (name: string) =>
  unquoted(name.replace(/^[\s*]+|[\s*]+$/g, "").replace(/\(\)(["'`]?)$/, "$1"));

/** A name without quotes around it, nor Markdown's escapes in it. */
export const unquoted = (name: string) =>
  /^\w+$/.test(name)
    ? name
    : name
        .trim()
        .replace(/^(["'`])(.*)\1$/, "$2")
        .replaceAll("\\_", "_");

export function nameFits(input: Input, ends: readonly string[]): boolean | undefined {
  const at = endFits(input, ends);
  if (typeof at === "number") return READABLE_NAME.test(unquoted(input.text.slice(input.pos, at)));
  const soFar = input.text.slice(input.pos, Math.max(input.pos, input.text.length - longestOf(ends) + 1));
  return NAME_SO_FAR.test(soFar.slice(0, wholeLength(soFar, false))) ? at : false;
}

/** Where what stands here ends; false: too far away; undefined: not there yet. */
export function endFits(input: Input, ends: readonly string[]): number | false | undefined {
  const { text, pos } = input;
  const at = nameEnd(input, ends);
  if (at >= 0) return at - pos <= MAX_NAME && at;
  return input.final || text.length - pos > MAX_NAME + longestOf(ends) ? false : undefined;
}

/** The same for a name that may end with the reply. */
export function lineNameEnd(input: Input, ends: readonly string[]): number | false | undefined {
  const at = endFits(input, ends);
  const rest = input.text.length - input.pos;
  return at === false && input.final && rest <= MAX_NAME ? input.text.length : at;
}

const longestOf = (ends: readonly string[]) => Math.max(1, ...ends.map((end) => end.length));

export const isThere = (at: number | false | undefined) => (typeof at === "number" ? true : at);

/** A body that holds the call's name as well. */
export const isWhole = (body: Body) => factsOf(body).holdsName === true;

/**
 * Whether a body begins here; undefined: only a bracket of one is there. `takesText`: text may stand in the place of
 * elements, and is then no YAML.
 */
export function bodyStands(body: Body, input: Input, takesText = false): boolean | undefined {
  const { text, pos, final } = input;
  if (takesText && (body.body === "elements" || body.body === "yaml") && text.charAt(pos) !== "<") {
    const isText = textBegins(input);
    if (isText !== false || body.body === "elements") return isText && body.body === "elements";
  }
  if (body.body === "json-call" && text.charAt(pos) === '"') return quotedCallStands(text, pos, final);
  if (body.body === "json-call" && text.charAt(pos) === "(") return tupleStands(text, pos, final);
  if (!factsOf(body).beginsWith(body, text.charAt(pos))) return false;
  if (text.charAt(pos) !== "[" || !isWhole(body)) return true;
  // A word in brackets is a mark of some format, and no list of calls.
  const next = text.charAt(spaceEnd(text, pos + 1));
  return next === "" && !final ? undefined : !/\p{L}/u.test(next);
}

/** Whether a quote begins a call's object whose first bracket is missing, or one that is encoded as a string. */
function quotedCallStands(text: string, pos: number, final: boolean): boolean | undefined {
  const window = text.slice(pos, pos + LOOKAHEAD);
  if (/^"\s*\{|^"[\w.]+"\s*:/.test(window)) return true;
  return /^"\s*$|^"[\w.]+"?\s*$/.test(window) && window.length < LOOKAHEAD && !final ? undefined : false;
}

/** Whether a tuple begins here whose first item is a string. */
function tupleStands(text: string, pos: number, final: boolean): boolean | undefined {
  const next = text.charAt(spaceEnd(text, pos + 1));
  return next === "" && !final ? undefined : /["']/.test(next);
}

/** Whether the tag has other attributes than the tool's name, and there is a form that takes arguments from them. */
export function hasMoreAttributes(
  { text, pos }: Input,
  { name, attribute }: Extract<Token, { kind: "tag" }>,
  from: FormNode,
): boolean {
  const isOf = ({ token }: FormNode["branches"][number]) =>
    token.kind === "body" && token.body.body === "attributes" && token.body.tag === name;
  if (!from.branches.some(isOf)) return false;
  const tag = /<[^\s<>]+\s*/y;
  tag.lastIndex = pos;
  tag.test(text);
  const next = /([^\s=<>"'/]{1,64})\s*=\s*(?:"[^"<>]{0,256}"|'[^'<>]{0,256}')?\s*/y;
  next.lastIndex = tag.lastIndex;
  // Ids and the like are no arguments.
  for (let found = next.exec(text); found; found = next.exec(text)) {
    if (found[1] !== attribute && !/^(?:id|index|type|call_id|tool_call_id|xmlns.*)$/i.test(found[1]!)) return true;
  }
  return false;
}

export const isTag = (tag: Tag | undefined, { name, attribute }: Extract<Token, { kind: "tag" }>) =>
  tag?.name === name && (attribute === undefined || tag.attributes.has(attribute));

export function describe(token: Token): string {
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
