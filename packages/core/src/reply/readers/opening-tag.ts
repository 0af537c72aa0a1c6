import { spaceEnd } from "../../notation/input.js";
import { Lookahead } from "../../notation/lookahead.js";
import { closingTagEnd, readTag, readTagInside } from "../../notation/markup/markup.js";
import { PLAIN_NAME } from "../../schema/names.js";
import type { Plan } from "../../schema/plan.js";
import { closedBy } from "../../syntax/spelling.js";
import { MAX_COMMENT } from "../forms/wrapping.js";
import { closingTagOf, type TagShape } from "./tag-shape.js";
import type { Closer } from "./value-end.js";

const MAX_KEY = 256;

/** The longest tag to wait for, or comment with its end; a longer one is not read in a whole reply either. */
export const MAX_TAG = MAX_COMMENT + 3;

/** The text before an argument's value. */
export interface OpeningTag {
  key: string;
  end: number;
  /** Whether the tag closed itself. */
  empty: boolean;
  isText: boolean;
  /** Whether an attribute says that the value is JSON, and it begins with the quotation mark of a string. */
  isQuoted?: boolean;
  /** Whether a marker between the key and the value is missing. */
  isUntagged?: boolean;
  /** The name of its closing tag, if that is not the format's. */
  closer?: string;
  /** Whether its end may be missing, so that the text read as the tag contains a part of the value. */
  isBroken?: boolean | undefined;
  /** Attributes that are merged into the value. */
  attributes?: ReadonlyMap<string, string> | undefined;
  /** All attributes of the tag. */
  stated?: ReadonlyMap<string, string> | undefined;
}

/**
 * The opening tag at an index; a markup tag may have attributes and may close itself. `declared`: the names of the
 * arguments, which may contain a markup bracket.
 */
export const openingTag = (
  shape: TagShape,
  look: Lookahead,
  at: number,
  declared: ReadonlyMap<string, unknown>,
): OpeningTag | undefined => (shape.isTag ? markupTag(shape, look, at) : keyedTag(shape, look, at, declared));

/** A tag whose name, or one of whose attributes, is the key: `<city>`, `<parameter name="city">`. */
function markupTag({ attribute, textAttribute }: TagShape, look: Lookahead, at: number): OpeningTag | undefined {
  const tag = readTag(look, at);
  if (!tag) return undefined;
  if (attribute && tag.name !== attribute.tag) return undefined;
  const key = attribute ? tag.attributes.get(attribute.name) : tag.name;
  if (key === undefined) return undefined;
  const stated = textAttribute === undefined ? undefined : tag.attributes.get(textAttribute);
  const isText = stated === "true";
  const isQuoted = stated === "false" && !tag.selfClosing && look.charAt(tag.end) === '"';
  // Attributes of the format's own tag are not part of the value.
  const attributes = attribute || tag.attributes.size === 0 ? undefined : tag.attributes;
  const { end, selfClosing: empty } = tag;
  const isOwn =
    attribute && [...tag.attributes.keys()].every((each) => each === attribute.name || each === textAttribute);
  const isBroken = tag.isBroken && !(isOwn && WORDS.test(look.text.slice(at, end)));
  return { key, end, empty, isText, isQuoted, attributes, stated: tag.attributes, isBroken };
}

/** A tag whose attributes are words, perhaps without quotes: no value can be among them. */
const WORDS = /^<[^\s<>]+(?:\s+[\w:.-]+\s*=\s*(["']?)[\w.-]+\1(?=[\s>]))+\s*>$/;

/** A key between markers: `<parameter=city>`, `<arg_key>city</arg_key>`. */
function keyedTag(
  shape: TagShape,
  look: Lookahead,
  at: number,
  declared: ReadonlyMap<string, unknown>,
): OpeningTag | undefined {
  const { text } = look;
  const { before, afterKey, afterType } = shape;
  const [first = "", ...others] = afterKey;
  const opens = look.markerEnd(before, at);
  const from = opens === false && isKeyAlone(look, at, first, declared) ? at : opens;
  if (from === false) return keyBetweenTags(before, look, at);
  const typed = markerAfterKey(text, from, first);
  const untyped = afterType === undefined ? -1 : markerAfterKey(text, from, afterType);
  // The type may be missing, together with the marker before it.
  const isUntyped = untyped >= 0 && (typed < 0 || untyped < typed);
  const found = isUntyped ? untyped : typed;
  if (isUntyped && found - from <= MAX_KEY && !/[<\n]/.test(text.slice(from, found))) {
    const named = text.slice(from, found).trim();
    const key = unquoted((/["']$/.exec(before)?.[0] ?? "") + named);
    // Without a name it is text.
    return named === "" ? undefined : { key, end: found + afterType!.length, empty: false, isText: false };
  }
  const keyed = keyBeforeMarker(look, { from, to: found }, shape, declared);
  if (keyed || look.hitEnd) return keyed;
  if (!isKey(look, { from, to: found }, first, declared)) return undefined;
  let end = look.markerEnd(first, found) || found;
  let isUntagged = false;
  for (const literal of others) {
    // One of several consecutive tags may be missing.
    const next = look.markerEnd(literal, spaceEnd(text, end));
    if (next === false) isUntagged = true;
    else end = next;
  }
  if (look.hitEnd) return undefined;
  const written = text.slice(from, found);
  const key = unquoted(written.trim());
  const tag = declared.has(key) || first !== ">" ? undefined : tagOf(written);
  if (tag && !tag.isBroken && declared.has(tag.name)) {
    const { name, selfClosing: empty, attributes: stated } = tag;
    return { key: name, end, empty, isText: false, stated };
  }
  if (afterType === undefined) return { key, end, empty: false, isText: false, isUntagged };
  return typedTag(look, { key, end, afterType });
}

/** Whether a key ends before its marker; with `to` -1 the marker may be cut off. */
function isKey(
  look: Lookahead,
  { from, to }: { from: number; to: number },
  marker: string,
  declared: ReadonlyMap<string, unknown>,
): boolean {
  const isThere = to >= 0;
  const written = look.text.slice(from, isThere ? to : undefined);
  const whole = isThere ? written : written.slice(0, Math.max(0, written.length - marker.length + 1));
  const cut = isThere ? -1 : written.indexOf("<");
  if (cut >= 0 && look.markerEnd(marker, from + cut) === false && look.hitEnd) return false;
  if (written.length > MAX_KEY || (/[<\n]/.test(whole) && !isDeclared(whole.trim(), isThere, declared))) return false;
  if (!isThere) look.atCut();
  return isThere;
}

/** A tag with the type of its value between the key and its end: `<parameter name="city" string="true">`. */
function typedTag(
  look: Lookahead,
  { key, end, afterType }: { key: string; end: number; afterType: string },
): OpeningTag | undefined {
  const { text } = look;
  const closed = text.slice(0, end + MAX_KEY).indexOf(afterType, end);
  if (/[<\n]/.test(text.slice(end, closed < 0 ? end : closed))) return undefined;
  if (closed < 0) {
    if (text.length - end <= MAX_KEY) look.atEnd();
    return undefined;
  }
  return {
    key,
    end: closed + afterType.length,
    empty: false,
    isText: /^(?:string|true)/.test(text.slice(end, end + 6)),
  };
}

/** The tag of a declared key whose own closing tag is missing: `<arg_key>city\n<arg_value>`. */
function keyBeforeMarker(
  look: Lookahead,
  { from, to }: { from: number; to: number },
  { afterKey: [first = "", next] }: TagShape,
  declared: ReadonlyMap<string, unknown>,
): OpeningTag | undefined {
  const at = look.text.indexOf("<", from);
  if (next === undefined || at < 0 || at === to || closedBy(first) === undefined) return undefined;
  const key = look.text.slice(from, Math.min(at, from + MAX_KEY));
  if (!declared.has(key.trim())) return undefined;
  const end = look.markerEnd(next, at);
  return end === false ? undefined : { key: key.trim(), end, empty: false, isText: false, isUntagged: true };
}

/** The key and attributes of a tag, from the text between its first marker and its end. */
const tagOf = (inside: string) => readTagInside(new Lookahead({ text: `${inside}>`, final: true }), 0);

/** Whether a declared key and its closing tag are at an index, without the tag before the key. */
function isKeyAlone(look: Lookahead, at: number, closer: string, declared: ReadonlyMap<string, unknown>): boolean {
  if (!closer.startsWith("</") || look.text.charAt(at) === "<") return false;
  return look.any(...[...declared.keys()].map((key) => () => look.has(key + closer, at)));
}

/** The index of the marker that ends a key; -1: the longest key ends before it. */
function markerAfterKey(text: string, from: number, marker: string): number {
  const index = Lookahead.indexOf(text.slice(from, from + MAX_KEY + marker.length), marker);
  return index < 0 ? -1 : from + index;
}

/** Whether a key is the name of an argument or, where it `ends` later, the beginning of one. */
function isDeclared(key: string, ends: boolean, declared: ReadonlyMap<string, unknown>): boolean {
  return ends ? declared.has(key) : [...declared.keys()].some((name) => name.startsWith(key));
}

/** An argument's opening tag in another format: `<parameter=city>`, `<parameter name="city">` or `<city>`. */
export function otherTag(look: Lookahead, at: number): OpeningTag | undefined {
  KEYED_TAG.lastIndex = at;
  const keyed = KEYED_TAG.exec(look.text);
  if (keyed) {
    const [whole, closer = "", key = ""] = keyed;
    return { key: unquoted(key), closer, end: at + whole.length, empty: false, isText: false };
  }
  const tag = readTag(look, at);
  if (!tag) return undefined;
  const key = tag.attributes.get("name") ?? tag.attributes.get("key") ?? tag.name;
  const { end, selfClosing: empty, attributes: stated, isBroken } = tag;
  return { key: key.trim(), closer: tag.name, end, empty, isText: false, stated, isBroken };
}

/** The closing tag of an argument, its name if it is markup, and names of closing tags that models write for it. */
export function closerOf({ key, closer }: OpeningTag, shape: TagShape): Closer {
  if (closer !== undefined) return { close: `</${closer}>`, name: closer, others: [] };
  const own = closingTagOf(shape, key);
  const ofKey = shape.afterKey.flatMap((marker) => closedBy(marker) ?? []);
  const others = [key, ...ofKey, own.name?.replace(/^.*[:｜]\s*/, "") ?? ""];
  return { ...own, others: others.filter((name) => name !== "" && name !== own.name) };
}

/** The index after the closing tag of an element without content; false where content follows. */
export function closedTagEnd(look: Lookahead, opening: OpeningTag, shape: TagShape): number | false {
  const { end, empty } = opening;
  const { name } = closerOf(opening, shape);
  if (empty || name === undefined) return false;
  const at = look.next(end);
  return at !== undefined && look.text.charAt(at) === "<" && closingTagEnd(look, at, name);
}

const KEYED_TAG = /<([\p{L}_][\p{L}\p{N}_.:-]{0,63})\s{0,64}=\s{0,64}([^<>\s=]{1,256})>/uy;

/** `<parameter>city</parameter>` in place of `<parameter=city>`: some models put the key between tags. */
function keyBetweenTags(before: string, look: Lookahead, at: number): OpeningTag | undefined {
  const tag = /^<([\w:.-]+)=$/.exec(before)?.[1];
  if (tag === undefined) return undefined;
  const [open, close] = [`<${tag}>`, `</${tag}>`];
  if (!look.has(open, at)) return undefined;
  const from = at + open.length;
  const window = look.text.slice(from, from + MAX_KEY);
  const end = window.indexOf(close);
  if (end < 0) {
    if (window.length < MAX_KEY && !/[<\n]/.test(window.slice(0, -close.length))) look.atEnd();
    return undefined;
  }
  const key = window.slice(0, end).trim();
  return PLAIN_NAME.test(key) ? { key, end: from + end + close.length, empty: false, isText: false } : undefined;
}

/** A key without the quotation marks around it. */
function unquoted(key: string): string {
  const quote = key.charAt(0);
  const isQuoted = (quote === '"' || quote === "'") && key.length > 1 && key.endsWith(quote) && !key.includes("\n");
  return isQuoted ? key.slice(1, -1) : key;
}

/** Attributes that are never a value. */
const NO_VALUE = /^(?:name|key|type|id|xml(?:ns)?(?::.*)?)$/;

/**
 * The names of the attributes of an argument's tag that are values, of this argument or of others. `inAny`: the value may
 * be in any attribute, because the tag is empty.
 */
export function valuesIn(
  stated: OpeningTag["stated"],
  { key, inAny, shape, plan }: { key: string; inAny: boolean; shape: TagShape; plan: Plan },
): string[] {
  const values = [...(stated ?? [])].filter(([name, value]) => {
    if (NO_VALUE.test(name) || (name === key && name !== "value")) return false;
    if (name === shape.textAttribute && /^(?:true|false)$/i.test(value)) return false;
    return inAny || name === "value" || plan.properties.has(name);
  });
  return values.map(([name]) => name);
}
