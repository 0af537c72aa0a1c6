import { oncePerPair } from "../../common/once-per.js";
import { characterTest } from "../../notation/character-test.js";
import { asciiNameEnd, type Input, isAt, LOOKAHEAD, spaceEnd } from "../../notation/input.js";
import { decodeMarkup, decodeXml, trimLine } from "../../notation/markup/markup.js";
import { type ElementReading, readContent } from "../../notation/markup/nested.js";
import { assign } from "../../notation/own-property.js";
import type { Plan, Property } from "../../schema/plan.js";
import { quicklyMatchesAround, quicklyMatchesAsIs } from "../../schema/quickly-matches.js";
import { planOfTool } from "../../schema/tool-plan.js";
import type { ElementsBody } from "../../syntax/syntax.js";
import { matchesAsIs } from "../arguments/matches-as-is.js";
import { afterBody } from "../forms/match-token.js";
import type { WholeBody, WholeBodyPlace } from "./body-kind.js";
import { MAX_TAG } from "./opening-tag.js";
import { closingTagOf, type TagShape, tagShape } from "./tag-shape.js";

/** The call that has the arguments. */
export interface WholePlace {
  shape: TagShape;
  plan: Plan;
  reading: ElementReading;
  /** Whether the markup that ends the call is at this index; undefined: more input is needed. */
  closes(text: string, index: number): boolean | undefined;
}

/**
 * The arguments that begin at `at`, if all of them were received, the index of the markup that ends their call, and
 * whether they certainly match the schema.
 *
 * Undefined: the reader must read them one by one. It does so unless each argument is declared, occurs once, is between
 * its own tags, contains no other tag and no entity in a string, and needs no coercion: then it has no second reading.
 *
 * @example wholeElements("<a>1</a></call>", 0, place); // { value: { a: 1 }, end: 8, matches: true }
 */
export function wholeElements(
  text: string,
  at: number,
  place: WholePlace,
): { value: Record<string, unknown>; end: number; matches: boolean } | undefined {
  const { shape, plan, closes } = place;
  if (plan.kind !== "object") return undefined;
  const tags = tagsOf(shape, plan);
  const value: Record<string, unknown> = {};
  // The number of the next tag, if the arguments are in the order of the schema.
  let next = 0;
  let matches = true;
  for (let pos = spaceEnd(text, at); ; pos = spaceEnd(text, pos)) {
    const ends = closes(text, pos);
    if (ends) return { value, end: pos, matches: matches && quicklyMatchesAround(value, plan) };
    if (ends === undefined) return undefined;
    const expected = tags.inOrder[next];
    const isExpected = expected !== undefined && expected.open !== "" && isAt(text, pos, expected.open);
    const tag = isExpected ? expected : tagAt(text, pos, tags, place);
    // In the order of the schema, none occurs twice.
    if (!tag || (tag.number < next && Object.hasOwn(value, tag.key))) return undefined;
    const { key, plan: own, close } = tag;
    const from = isExpected
      ? pos + tag.open.length
      : openingEnd(text, pos + shape.before.length + key.length, place, own);
    const to = from < 0 || from - pos > MAX_TAG ? -1 : text.indexOf("<", from);
    if (to < 0 || !isAt(text, to, close)) return undefined;
    const part =
      own.onlyString && !shape.trims ? plainText(text, from, to, shape) : partOf(text.slice(from, to), own, place);
    // An argument that is null may be left out.
    if (part === undefined || part === null) return undefined;
    if (!quicklyMatchesAsIs(part, own)) {
      if (!matchesAsIs(part, own)) return undefined;
      matches = false;
    }
    assign(value, key, part);
    next = Math.max(next, tag.number + 1);
    pos = to + close.length;
  }
}

/** The arguments in elements, see `BodyKind.whole`. */
export function wholeElementsBody(
  body: ElementsBody,
  { node, tools, name }: WholeBodyPlace,
  input: Input,
  at: number,
): WholeBody | undefined {
  const tool = name === undefined ? undefined : tools.resolve(name)?.tool;
  if (name === undefined || !tool) return undefined;
  const { closes } = afterBody(node);
  const plan = planOfTool(tool);
  const shape = tagShape(body);
  const reading = readingOf(shape);
  const found = wholeElements(input.text, at, { shape, plan, reading, closes });
  if (!found) return undefined;
  const { value, end, matches } = found;
  return { name, arguments: value, matches, json: () => JSON.stringify(value), end };
}

/**
 * How the values in tags of this shape are read.
 *
 * @example readingOf(tagShape(body)).decode("a &lt; b"); // "a < b", if the values are XML
 */
export const readingOf = ({
  leaf,
  endNewlineIsLayout,
}: Pick<TagShape, "leaf" | "endNewlineIsLayout">): Pick<ElementReading, "decode" | "endNewlineIsLayout"> => ({
  decode: leaf === "text" ? asItIs : leaf === "xml" ? decodeXml : decodeMarkup,
  endNewlineIsLayout,
});

const asItIs = (text: string) => text;

const partOf = (raw: string, own: Plan, { shape, reading }: WholePlace) =>
  readContent(shape.trims ? trimLine(raw) : raw, own, reading);

/** The tags of a declared argument, and its place in the schema. */
interface ArgumentTags extends Property {
  number: number;
  /** The opening tag as it is written; "" if it has more than the key. */
  open: string;
  close: string;
}

/** The tags of all declared arguments. */
interface TagsOfPlan {
  inOrder: readonly ArgumentTags[];
  byKey: ReadonlyMap<string, ArgumentTags>;
}

/** The tags of the arguments in one notation, computed once. */
const tagsOf = oncePerPair((shape: TagShape, plan: Plan): TagsOfPlan => {
  const after = shape.afterType === undefined ? shape.afterKey.join("") : "";
  const hasOnlyKey = after !== "" && asciiNameEnd(after, 0) === 0;
  const inOrder = [...plan.declared.values()].map(({ key, plan: own }, number) => {
    const open = hasOnlyKey && isWord(key) ? shape.before + key + after : "";
    return { key, plan: own, number, open, close: closingTagOf(shape, key).close };
  });
  return { inOrder, byKey: new Map(inOrder.map((tag) => [tag.key, tag])) };
});

/** The argument whose opening tag begins at an index. */
function tagAt(text: string, at: number, { byKey }: TagsOfPlan, { shape }: WholePlace): ArgumentTags | undefined {
  if (!isAt(text, at, shape.before)) return undefined;
  const from = at + shape.before.length;
  return byKey.get(text.slice(from, asciiNameEnd(text, from)));
}

/**
 * The end of an opening tag whose key ends at `keyEnd`. -1: the tag is written in another way, or its attribute for the type
 * does not agree with the schema or the value. Then the value may have two readings.
 *
 * @example
 * // <parameter name="city" string="true">Oslo: the index of `Oslo`
 * // <parameter name="days" string="true">3, where `days` is an integer: -1
 * // <parameter name="city" string="false">"Oslo": -1
 */
function openingEnd(text: string, keyEnd: number, { shape, plan }: WholePlace, own: Plan): number {
  let pos = keyEnd;
  for (const marker of shape.afterKey) {
    if (pos > keyEnd) pos = spaceEnd(text, pos);
    if (!text.startsWith(marker, pos)) return -1;
    pos += marker.length;
  }
  const { afterType, textAttribute } = shape;
  if (afterType === undefined) return pos;
  const typeEnd = asciiNameEnd(text, pos);
  const type = text.slice(pos, typeEnd);
  const isText = /^(?:true|string)/.test(type);
  if ((isText && own.kind !== "string") || plan.properties.has(textAttribute ?? "")) return -1;
  if (!text.startsWith(afterType, typeEnd)) return -1;
  const end = typeEnd + afterType.length;
  const isQuoted = type === "false" && text.charAt(end) === '"';
  return isQuoted ? -1 : end;
}

const isWord = (text: string) => text !== "" && asciiNameEnd(text, 0) === text.length;

/** The text of a string without its layout. Undefined: its end may be a part of it, or it may contain an entity. */
function plainText(
  text: string,
  start: number,
  end: number,
  { leaf, endNewlineIsLayout }: TagShape,
): string | undefined {
  const first = start < end ? text.charCodeAt(start) : 0;
  if (first === 0x20 || first === 0x09 /* tab */) return undefined;
  const from = start + (first === 0x0a ? 1 : first === 0x0d /* \r */ && text.charCodeAt(start + 1) === 0x0a ? 2 : 0);
  // The indentation of a single line may be layout.
  if (from > start && (text.charCodeAt(from) === 0x20 || text.charCodeAt(from) === 0x09)) return undefined;
  if (from === start && endNewlineIsLayout && text.charCodeAt(end - 1) === 0x0a) return undefined;
  const to = from === start ? end : lastLineEnd(text, from, end);
  if (to < 0 || (to > start && mayGoOn(text, to - 1))) return undefined;
  const part = text.slice(from, to);
  return leaf !== "text" && part.includes("&") ? undefined : part;
}

/** The characters after which a closing tag may be quoted. */
const mayGoOn = characterTest(/["'`( \t]/);

/** Where the newline before the last line begins, if that line is only indentation; -1: it is not. */
function lastLineEnd(text: string, from: number, end: number): number {
  let i = end;
  while (i > from && (text.charCodeAt(i - 1) === 0x20 || text.charCodeAt(i - 1) === 0x09)) i--;
  if (i === from || text.charCodeAt(i - 1) !== 0x0a || end - i > LOOKAHEAD - 2) return -1;
  return i - 1 > from && text.charCodeAt(i - 2) === 0x0d ? i - 2 : i - 1;
}
