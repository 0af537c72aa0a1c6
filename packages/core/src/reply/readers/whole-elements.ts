import { LOOKAHEAD, spaceEnd } from "../../notation/input.js";
import { type ElementReading, readElements } from "../../notation/markup/nested.js";
import { assign } from "../../notation/own-property.js";
import type { Plan } from "../../schema/plan.js";
import type { ElementsBody } from "../../syntax/syntax.js";
import { isAsAsked } from "../arguments/coerce.js";
import { closingTagOf, type TagShape } from "./tag-shape.js";

/** The call that has the arguments. */
export interface WholePlace {
  body: ElementsBody;
  shape: TagShape;
  plan: Plan;
  reading: Pick<ElementReading, "decode">;
  /** Whether the markup that ends the call is at this index; undefined: more input is needed. */
  closes(text: string, index: number): boolean | undefined;
}

/**
 * The arguments that begin at `at`, if all of them were received, and the index of the markup that ends their call.
 *
 * Undefined: the reader must read them one by one. It does so unless each argument is declared, occurs once, is between
 * its own tags, contains no other tag and no entity in a string, and needs no coercion: then it has no second reading.
 *
 * @example wholeElements("<a>1</a></call>", 0, place); // { value: { a: 1 }, end: 8 }
 */
export function wholeElements(
  text: string,
  at: number,
  place: WholePlace,
): { value: Record<string, unknown>; end: number } | undefined {
  const { body, shape, plan, reading, closes } = place;
  if (plan.kind !== "object") return undefined;
  const value: Record<string, unknown> = {};
  for (let pos = spaceEnd(text, at); ; pos = spaceEnd(text, pos)) {
    const ends = closes(text, pos);
    if (ends) return { value, end: pos };
    if (ends === undefined || !text.startsWith(shape.before, pos)) return undefined;
    const keyEnd = wordEnd(text, pos + shape.before.length);
    const declared = plan.declared.get(text.slice(pos + shape.before.length, keyEnd));
    if (!declared || Object.hasOwn(value, declared.key)) return undefined;
    const { key, plan: own } = declared;
    const from = openingEnd(text, keyEnd, place, own);
    const to = from < 0 ? -1 : text.indexOf("<", from);
    const { close } = closingTagOf(shape, key);
    if (to < 0 || !text.startsWith(close, to)) return undefined;
    const raw = body.trims ? text.slice(from, to).trim() : text.slice(from, to);
    const part = own.onlyString && !body.trims ? plainText(raw, body) : readElements([{ raw }], own, reading);
    // An argument that is null may be left out.
    if (part === undefined || part === null || !isAsAsked(part, own)) return undefined;
    assign(value, key, part);
    pos = to + close.length;
  }
}

/** Where an opening tag ends after its key; -1: it is written differently, or says that a value is text which is not. */
function openingEnd(text: string, keyEnd: number, { shape, plan }: WholePlace, own: Plan): number {
  let pos = keyEnd;
  for (const marker of shape.behindKey) {
    if (pos > keyEnd) pos = spaceEnd(text, pos);
    if (!text.startsWith(marker, pos)) return -1;
    pos += marker.length;
  }
  const { behindType, textAttribute } = shape;
  if (behindType === undefined) return pos;
  const typeEnd = wordEnd(text, pos);
  const isText = /^(?:true|string)/.test(text.slice(pos, typeEnd));
  if ((isText && own.kind !== "string") || plan.properties.has(textAttribute ?? "")) return -1;
  return text.startsWith(behindType, typeEnd) ? typeEnd + behindType.length : -1;
}

/** The end of a word of letters, digits and underscores that begins with no digit. */
function wordEnd(text: string, from: number): number {
  let i = from;
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const isLetter = (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f; /* _ */
    if (!isLetter && !(i > from && code >= 0x30 && code <= 0x39)) break;
  }
  return i;
}

/** The text of a string without its layout. Undefined: its end may be a part of it, or it may contain an entity. */
function plainText(raw: string, { leaf }: ElementsBody): string | undefined {
  if (leaf !== "text" && raw.includes("&")) return undefined;
  const first = raw.charCodeAt(0);
  if (first === 0x20 || first === 0x09 /* tab */) return undefined;
  const from = first === 0x0a ? 1 : first === 0x0d /* \r */ && raw.charCodeAt(1) === 0x0a ? 2 : 0;
  const to = from === 0 ? raw.length : lastLineEnd(raw, from);
  if (to < 0 || MAY_GO_ON.test(raw.charAt(to - 1))) return undefined;
  return raw.slice(from, to);
}

/** The characters after which a closing tag may be quoted. */
const MAY_GO_ON = /["'`( \t]/;

/** Where the newline before the last line begins, if that line is only indentation; -1: it is not. */
function lastLineEnd(raw: string, from: number): number {
  let i = raw.length;
  while (i > from && (raw.charCodeAt(i - 1) === 0x20 || raw.charCodeAt(i - 1) === 0x09)) i--;
  if (i === from || raw.charCodeAt(i - 1) !== 0x0a || raw.length - i > LOOKAHEAD - 2) return -1;
  return i - 1 > from && raw.charCodeAt(i - 2) === 0x0d ? i - 2 : i - 1;
}
