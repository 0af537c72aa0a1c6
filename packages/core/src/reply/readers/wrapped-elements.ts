import { isObject } from "../../common/plain-object.js";
import { LOOKAHEAD, spaceEnd } from "../../notation/input.js";
import { Lookahead } from "../../notation/lookahead.js";
import { closingTagEnd, readTag, type Tag } from "../../notation/markup/markup.js";
import { type Element, type ElementReading, readElements } from "../../notation/markup/nested.js";
import type { Plan } from "../../schema/plan.js";
import { type ElementArguments, isWrapper, wrapperBegins } from "./element-arguments.js";
import { openingTag, otherTag } from "./opening-tag.js";
import type { TagShape } from "./tag-shape.js";

/** One element and nothing else. */
const ELEMENT = /^\s*<([\w:.-]{1,64})(?:\s[^<>]{0,256})?>([\s\S]*)<\/\1>\s*$/;

/** A YAML key and its colon. */
const LINE = /^\s{0,64}([\p{L}_][\p{L}\p{N}_.-]{0,63})\s{0,64}:\s/u;

/** The maximum depth of nested wrappers. */
const MAX_WRAPPERS = 4;

/** The call that contains the element. */
interface WrapperPlace {
  /** Whether the element has a usual name of the arguments' object. */
  wraps: boolean;
  plan: Plan;
  /** Whether an argument has this name. */
  knows(name: string): boolean;
  reading: ElementReading;
}

/**
 * The arguments inside an element that is not an argument, as elements or as JSON, also in nested such elements.
 * Undefined: it contains none, and is an argument that the schema lacks. `"partly"`: only part of its contents is.
 *
 * @example argumentsWithin({ raw: "<city>Rome</city>" }, place); // { city: "Rome" }, where `city` is an argument
 */
export function argumentsWithin(
  { raw, attributes }: Element,
  { wraps, plan, knows, reading }: WrapperPlace,
): Record<string, unknown> | "partly" | undefined {
  if (!wraps && !/^\s*[<{]/.test(raw)) return undefined;
  const value = readElements([{ raw: unwrap(raw, knows), attributes }], plan, reading);
  if (!isObject(value)) return undefined;
  const names = Object.keys(value);
  const known = names.filter(knows).length;
  if (wraps || (known > 0 && known === names.length)) return value;
  return known === 0 ? undefined : "partly";
}

/** Whether a text begins with an argument in YAML. */
export function holdsLine(raw: string, knows: (name: string) => boolean): boolean {
  const [, key] = LINE.exec(raw) ?? [];
  return key !== undefined && knows(key);
}

function unwrap(raw: string, knows: (name: string) => boolean): string {
  let inside = raw;
  for (let i = 0; i < MAX_WRAPPERS; i++) {
    const [, name, content = ""] = ELEMENT.exec(inside) ?? [];
    if (name === undefined || knows(name)) break;
    inside = content;
  }
  return inside;
}

/**
 * The tag of an element around all arguments at an index: one whose contents are tags of other formats, or one that is
 * empty, with the `{}` inside it.
 */
export function wrapperTag(
  look: Lookahead,
  at: number,
  shape: TagShape,
  args: Pick<ElementArguments, "given" | "knows" | "plan">,
): Tag | undefined {
  const { properties } = args.plan;
  if (args.given.size > 0 || !wrapperBegins(look.text, at)) return undefined;
  const tag = readTag(look, at);
  if (!tag || !isWrapper(tag.name) || args.knows(tag.name)) return undefined;
  const end = tag.selfClosing ? tag.end : emptyObjectEnd(look, tag.end);
  const next = spaceEnd(look.text, end);
  if (!tag.selfClosing && (next - end > LOOKAHEAD || look.charAt(next) !== "<")) return undefined;
  const own = new Lookahead({ text: look.text, final: look.isWhole });
  const isOwn = openingTag(shape, own, at, properties) !== undefined;
  const mayBeEmpty = !isOwn || properties.size > 0;
  const isEmpty = tag.selfClosing || closingTagEnd(look, next, tag.name) !== false;
  if (isEmpty && mayBeEmpty) return { ...tag, end };
  if (tag.selfClosing || end > tag.end) return undefined;
  const child = otherTag(look, next);
  if (look.hitEnd) return undefined;
  const isAnyKey = !isOwn && properties.size === 0;
  const isOther = child !== undefined && child.key !== child.closer && (isAnyKey || args.knows(child.key));
  return isOther || (!isOwn && child !== undefined && isWrapper(child.key)) ? tag : undefined;
}

/** The index after `{}`, or the index itself where something else follows. */
function emptyObjectEnd(look: Lookahead, at: number): number {
  const open = look.next(at);
  if (open === undefined || look.text.charAt(open) !== "{") return at;
  const close = look.next(open + 1);
  return close !== undefined && look.text.charAt(close) === "}" ? close + 1 : at;
}
