import { isObject } from "@toolingua/core/adapters";
import { OpenApiCallError } from "./errors.js";

/** How a parameter is written (https://spec.openapis.org/oas/v3.1.1.html#style-values). */
export type Style =
  | "simple"
  | "label"
  | "matrix"
  | "form"
  | "spaceDelimited"
  | "pipeDelimited"
  | "deepObject"
  | "cookie";

export interface Serialization {
  name: string;
  style: Style;
  explode: boolean;
  /** Whether those of `:/?#[]@!$&'()*+,;=` without a meaning at their position are not escaped. */
  allowReserved: boolean;
}

/** The separators between the items of an array or object that is a single value. */
const SEPARATORS: Record<Style, string> = {
  ...{ simple: ",", form: ",", deepObject: ",", spaceDelimited: "%20", pipeDelimited: "%7C" },
  ...{ label: ",", matrix: ",", cookie: "," },
};

/** Whether a style of this name exists. */
export const isStyle = (name: unknown): name is Style => typeof name === "string" && Object.hasOwn(SEPARATORS, name);

/**
 * The text of a parameter in a path: `5`, `.5`, `;id=5`.
 *
 * @example pathText([3, 4], { name: "id", style: "matrix", explode: false, allowReserved: false }); // ";id=3,4"
 */
export function pathText(value: unknown, { name, style, explode }: Serialization): string {
  const key = encode(name);
  if (style === "matrix") {
    const pairs = explode ? exploded(value, key, encode) : [[key, joined(value, ",", encode)] as const];
    return pairs.map(([one, text]) => `;${one}${text === "" ? "" : `=${text}`}`).join("");
  }
  if (style !== "label") return simpleText(value, explode, encode);
  return `.${explode ? simpleText(value, true, encode, ".") : joined(value, ",", encode)}`;
}

/** The text of a header, without escaping. */
export const headerText = (value: unknown, { explode }: Serialization): string =>
  simpleText(value, explode, (text) => text);

/**
 * The pairs of a query, a form or a cookie, to be joined with `&`. An empty array or object has none.
 *
 * @example queryPairs({ a: 1 }, { name: "f", style: "deepObject", explode: true, allowReserved: false }); // ["f%5Ba%5D=1"]
 */
export function queryPairs(value: unknown, { name, style, explode, allowReserved }: Serialization): string[] {
  const write = allowReserved ? encodeReserved : encode;
  const key = encode(name);
  if (typeof value === "object" && value !== null && Object.keys(value).length === 0) return [];
  const pairs =
    style === "deepObject" && typeof value === "object"
      ? deep(value, name, write)
      : explode
        ? exploded(value, key, write)
        : [[key, joined(value, SEPARATORS[style], write)] as const];
  return pairs.map(([one, text]) => `${one}=${text}`);
}

/**
 * The pairs of a `Cookie` header. In the style `cookie` (OpenAPI 3.2) nothing is escaped.
 *
 * Errors: `OpenApiCallError` (`invalid-arguments`) for a value that would start another cookie.
 */
export function cookiePairs(value: unknown, how: Serialization): string[] {
  if (how.style !== "cookie") return queryPairs(value, how);
  const pairs = how.explode ? exploded(value, how.name, asIs) : [[how.name, joined(value, ",", asIs)] as const];
  return pairs.map(([key, text]) => {
    if (/[;\r\n]/.test(key + text)) {
      const message = `The cookie "${how.name}" cannot contain ${JSON.stringify(text)}: the text after the ";" would be another cookie.`;
      throw new OpenApiCallError("invalid-arguments", message);
    }
    return `${key}=${text}`;
  });
}

const asIs: Write = (text) => text;

type Write = (text: string) => string;
type Pair = readonly [key: string, text: string];

function simpleText(value: unknown, explode: boolean, write: Write, separator = ","): string {
  if (!explode || !isObject(value)) return joined(value, separator, write);
  const pairs = exploded(value, "", write).map(([key, text]) => `${key}=${text}`);
  return together(pairs, separator);
}

/**
 * An array as one pair per item, under the parameter's name; an object as one pair per property, under the property's.
 */
function exploded(value: unknown, key: string, write: Write): Pair[] {
  if (Array.isArray(value)) return value.map((item) => [key, write(plain(item))]);
  if (!isObject(value)) return [[key, write(plain(value))]];
  return Object.entries(value).map(([property, item]) => [write(property), write(plain(item))]);
}

/**
 * A single value: the items, or the properties and their values alternately.
 *
 * Errors: `OpenApiCallError` (`invalid-arguments`) for an item that contains the separator, if that is not escaped in it or
 * both are escaped alike.
 */
function joined(value: unknown, separator: string, write: Write): string {
  if (typeof value !== "object" || value === null) return write(plain(value));
  const items = (Array.isArray(value) ? value : Object.entries(value).flat()).map(plain);
  return together(items.map(write), separator, items);
}

/** Joins written items; `given`: the same before they were escaped, for the message. Errors: as {@link joined}. */
function together(written: readonly string[], separator: string, given = written): string {
  const torn = written.findIndex((item) => item.includes(separator));
  if (torn < 0) return written.join(separator);
  const sign = JSON.stringify(decodeURIComponent(separator));
  const message = `The item ${JSON.stringify(given[torn])} contains a ${sign}, which separates items: it would be read as two.`;
  throw new OpenApiCallError("invalid-arguments", message);
}

/**
 * `filter[a][b]=1`. The specification covers only one level without arrays; servers read deeper levels in this form.
 */
function deep(value: unknown, key: string, write: Write): Pair[] {
  if (typeof value !== "object" || value === null) return [[encode(key), write(plain(value))]];
  return Object.entries(value).flatMap(([property, item]) => deep(item, `${key}[${property}]`, write));
}

/**
 * A value as text. What the specification leaves open, objects inside of arrays, is JSON.
 *
 * Errors: those of {@link jsonText}.
 */
export const plain = (value: unknown): string =>
  value === null || value === undefined ? "" : typeof value === "object" ? jsonText(value) : String(exact(value));

/**
 * A value as JSON.
 *
 * Errors: `OpenApiCallError` (`invalid-arguments`) for an integer that was rounded when it was read.
 */
export const jsonText = (value: unknown): string => JSON.stringify(value, (_, part: unknown) => exact(part));

function exact(value: unknown): unknown {
  if (typeof value !== "number" || !isRounded(value)) return value;
  const message = `${value} is too large to be exact: it may be another number than the one that was meant.`;
  throw new OpenApiCallError("invalid-arguments", message);
}

/** Whether a number was written in more digits than it has, such as an id of 64 bits. From 1e21 on it is no id. */
const isRounded = (value: number) => Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 1e21;

/** Escapes all characters except letters, digits and `-._~` (RFC 3986, unreserved). */
const encode: Write = (text) =>
  encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, "\ufffd")).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** As `encode`, but keeps reserved characters, except those that would end the value. */
const encodeReserved: Write = (text) => text.replace(/[^:/?@!$'()*,;[\]]+/g, encode);
