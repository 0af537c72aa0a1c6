import { canonicalJson } from "../../common/canonical-json.js";
import { escapeRegExp } from "../../common/escape-reg-exp.js";
import { isObject } from "../../common/plain-object.js";
import { admits, listOf } from "../../schema/admits.js";
import { anyPlan, declares, type Plan, property } from "../../schema/plan.js";
import { characterTest } from "../character-test.js";
import { MAX_DEPTH } from "../json/brackets.js";
import { readJsonText } from "../json/read-json.js";
import { readNumber } from "../numbers.js";
import { assign } from "../own-property.js";
import { readChildTag, trimLayout } from "./markup.js";

/** The text between an element's tags, and the attributes of its opening tag. */
export interface Element {
  raw: string;
  attributes?: ReadonlyMap<string, string> | undefined;
}

/** How elements are read. */
export interface ElementReading {
  decode(text: string): string;
  /** Whether a newline before a closing tag is always layout. */
  endNewlineIsLayout?: boolean | undefined;
  /** Called for an attribute that has no place in the value. */
  dropped?: (() => void) | undefined;
  /** Called when one place gets two values. */
  contradicted?: (() => void) | undefined;
}

/**
 * The value of an element. Where only a string is allowed it is the text itself; otherwise nested elements or JSON of a kind
 * that is allowed, or else a string. Attributes are properties like the elements inside.
 */
function readElement(element: Element, plan: Plan, reading: ElementReading, depth: number): unknown {
  const value = readContent(element.raw, plan, reading, depth);
  return element.attributes ? withAttributes(value, element.attributes, plan, reading) : value;
}

/** The value of an element's text, without its attributes. */
export function readContent(raw: string, plan: Plan, reading: ElementReading, depth = 0): unknown {
  if (plan.onlyString) return reading.decode(trimLayout(raw, reading.endNewlineIsLayout));
  const trimmed = raw.trim();
  const empty = trimmed === "" ? emptyOf(plan) : undefined;
  if (empty) return empty;
  const nested = trimmed.startsWith("<") && !isString(plan) ? readNested(trimmed, plan, reading, depth) : undefined;
  const value = nested ?? readPlain(reading.decode(trimmed));
  return value === undefined || isMeantAsText(value, plan)
    ? reading.decode(trimLayout(raw, reading.endNewlineIsLayout))
    : value;
}

/** The list or object without parts, where the schema asks for one and not for null. */
function emptyOf({ kind, types }: Plan): object | undefined {
  if (types?.includes("null")) return undefined;
  return kind === "array" ? [] : kind === "object" ? {} : undefined;
}

/**
 * Whether a text that reads as a number, a list or the like is a string, because the schema admits strings and no such
 * value. An object may be the only item of a list.
 */
function isMeantAsText(value: unknown, plan: Plan): boolean {
  if (!plan.takesText || value === null || typeof value === "string" || admits(plan, value)) return false;
  const list = isObject(value) ? listOf(plan) : undefined;
  return !list || !admits(list.items, value);
}

/** Attributes that describe the markup of any element. */
const OF_MARKUP = /^(?:type|xmlns|(?:xmlns|xml|xsi):.*)$/i;

function withAttributes(
  value: unknown,
  attributes: ReadonlyMap<string, string>,
  plan: Plan,
  reading: ElementReading,
): unknown {
  if (plan.kind === "array" && plan.items.kind === "object" && Array.isArray(value) && value.length === 0) {
    const item = withAttributes({}, attributes, plan.items, reading);
    return Object.keys(item as object).length > 0 ? [item] : value;
  }
  const mayBeObject = plan.types === undefined || plan.types.includes("object");
  const object = isObject(value) ? value : value === "" && mayBeObject ? {} : undefined;
  let isEmpty = object !== value;
  for (const [name, text] of attributes) {
    const found = property(plan, name);
    const isKey = plan.properties.size > 0 ? declares(plan, name) : !OF_MARKUP.test(name);
    const key = found?.key ?? name;
    if (!object || !isKey) {
      reading.dropped?.();
      continue;
    }
    const read = readAttribute(text, found?.plan ?? anyPlan);
    if (Object.hasOwn(object, key)) {
      if (canonicalJson(object[key]) !== canonicalJson(read)) reading.contradicted?.();
      continue;
    }
    assign(object, key, read);
    isEmpty = false;
  }
  return isEmpty ? value : object;
}

/** The value of an attribute's text, with its entities decoded, at its place. */
export function readAttribute(text: string, plan: Plan): unknown {
  if (plan.onlyString) return text;
  const trimmed = text.trim();
  const value = (trimmed === "" ? emptyOf(plan) : undefined) ?? readPlain(trimmed);
  return value === undefined || isMeantAsText(value, plan) ? text : value;
}

const isList = (text: string) => text.trimStart().startsWith("[") && Array.isArray(readPlain(text.trim()));

const isString = (plan: Plan) => plan.types?.length === 1 && plan.types[0] === "string";

/** The number that at most nine digits write; undefined for any other text. Most numbers are like this. */
function wholeNumber(text: string): number | undefined {
  if (text.length > 9 || (text.length > 1 && text.charCodeAt(0) === 0x30) /* 0 */) return undefined;
  let value = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 0x30;
    if (digit < 0 || digit > 9) return undefined;
    value = 10 * value + digit;
  }
  return value;
}

const beginsValue = characterTest(/[[{"'\-0-9tfnTFN]/);
const beginsComposite = characterTest(/[[{]/);

/** The number, boolean, null, array, object or quoted string in a text; undefined for any other text. */
export function readPlain(text: string): unknown {
  if (!beginsValue(text, 0)) return undefined;
  if (beginsComposite(text, 0)) return readJsonText(text);
  if (text === "true" || text === "false") return text === "true";
  const whole = wholeNumber(text);
  if (whole !== undefined) return whole;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "number" ? readNumber(text) : value;
  } catch {
    return text === "True" ? true : text === "False" ? false : text === "None" ? null : undefined;
  }
}

/**
 * The object or array written as nested elements: `<a>1</a><b>2</b>` is an object, `<item>1</item><item>2</item>` an
 * array, depending on the schema; a repeated element is an array. Undefined if the text contains more than elements.
 */
export function readNested(text: string, plan: Plan, reading: ElementReading, depth = 0): unknown {
  if (depth > MAX_DEPTH) return undefined;
  const children = childrenOf(text);
  if (!children) return undefined;
  const isItem = ({ name }: { name: string }, i: number) => name === "item" || name === String(i);
  const asList = plan.kind === "array" || (plan.kind !== "object" && children.every(isItem));
  const [only] = children;
  if (asList && only && children.length === 1 && only.raw.trimStart().startsWith("[")) {
    const list = readContent(only.raw, plan, reading, depth + 1);
    if (Array.isArray(list)) return list;
  }
  if (asList && isOneObject(plan.items, children)) return [readNested(text, plan.items, reading, depth + 1)];
  if (asList) {
    return children.map((child, i) => readElement(child, plan.prefix[i] ?? plan.items, reading, depth + 1));
  }
  const object: Record<string, unknown> = {};
  for (const [name, elements] of groupByName(children)) {
    const found = property(plan, name);
    assign(object, found?.key ?? name, readElements(elements, found?.plan ?? anyPlan, reading, depth + 1));
  }
  return object;
}

/** Whether the elements of a list are the properties of its only item. */
const isOneObject = (item: Plan, children: readonly { name: string }[]) =>
  item.kind === "object" && children.every(({ name }) => declares(item, name));

/**
 * The value of elements that share a name: a list if there are several, unless the schema asks for something else. Then
 * all must have equal values; of several lists, none is chosen. Where it may be either, equal values are one.
 */
export function readElements(elements: readonly Element[], plan: Plan, reading: ElementReading, depth = 0): unknown {
  const [only = { raw: "" }] = elements;
  if (elements.length < 2) return readElement(only, plan, reading, depth);
  const list = plan.kind === "any" ? plan : listOf(plan);
  if (plan.kind !== "array" && plan.kind !== "any") {
    const values = elements.map((element) => readElement(element, plan, reading, depth));
    const [first, ...others] = values.map(canonicalJson);
    const areSame = others.every((other) => other === first);
    if (!list && !areSame) reading.contradicted?.();
    if (!list || areSame) return values.at(-1);
  }
  const { items } = list ?? plan;
  if (items.onlyString && elements.some(({ raw }) => isList(raw))) reading.contradicted?.();
  return elements.map((element) => readElement(element, items, reading, depth));
}

/** The elements of a text; undefined if it contains anything else. */
function childrenOf(text: string): (Element & { name: string })[] | undefined {
  const children: (Element & { name: string })[] = [];
  let i = 0;
  while (i < text.length) {
    const comment = /\s*<!--[\s\S]*?-->\s*/y;
    comment.lastIndex = i;
    if (comment.test(text)) {
      i = comment.lastIndex;
      continue;
    }
    const tag = readChildTag(text, i);
    if (tag === undefined || tag.isBroken) return undefined;
    const attributes = tag.attributes.size > 0 ? tag.attributes : undefined;
    if (tag.selfClosing) {
      children.push({ name: tag.name, raw: "", attributes });
      i = tag.end;
    } else {
      const close = closingTagIndex(text, tag.end, tag.name);
      if (close < 0) return undefined;
      children.push({ name: tag.name, raw: text.slice(tag.end, close), attributes });
      i = text.indexOf(">", close) + 1;
      if (i === 0) return undefined;
    }
    while (/\s/.test(text.charAt(i))) i++;
  }
  return children.length > 0 ? children : undefined;
}

/** Where the closing tag of an element begins; elements of the same name may be nested inside. */
function closingTagIndex(text: string, from: number, name: string): number {
  const openers = new RegExp(`<!\\[CDATA\\[|<(/?)${escapeRegExp(name)}(?=[\\s/>])`, "g");
  openers.lastIndex = from;
  let open = 1;
  let hasCdataEnd = true;
  for (let found = openers.exec(text); found; found = openers.exec(text)) {
    const [, slash] = found;
    if (slash === undefined) {
      // After a section without an end, none has one.
      const end: number = hasCdataEnd ? text.indexOf("]]>", openers.lastIndex) : -1;
      hasCdataEnd = end >= 0;
      if (hasCdataEnd) openers.lastIndex = end + 3;
      continue;
    }
    const end: number = text.indexOf(">", openers.lastIndex);
    if (end < 0) return -1;
    openers.lastIndex = end + 1;
    if (text.charAt(end - 1) === "/") continue;
    open += slash === "/" ? -1 : 1;
    if (open === 0) return found.index;
  }
  return -1;
}

function groupByName<T extends { name: string }>(children: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const child of children) {
    const group = groups.get(child.name);
    if (group) group.push(child);
    else groups.set(child.name, [child]);
  }
  return groups;
}
