import { clip } from "../common/clip.js";
import { isObject } from "../common/plain-object.js";
import { type JsonObject, printJson } from "./json.js";

/** A value in a few words: `string "abc"`, `number 5`, `object with keys "a", "b"`. */
export function describeJson(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length === 0 ? "empty array" : `array ${start(value, 40)}`;
  if (typeof value === "object") {
    const keys = Object.keys(value);
    return keys.length === 0 ? "empty object" : `object with keys ${list(keys, ", ", 4, quote)}`;
  }
  if (typeof value === "string") return `string ${start(value, 60)}`;
  return `${typeof value} ${clip(printJson(value), 40)}`;
}

/**
 * The requirements of a schema node in a few words: `integer from 1 to 5`, `"a" or "b"`, `array of string`. `resolve`
 * follows `$ref`.
 */
export function describeSchema(node: unknown, resolve: (ref: string) => unknown, depth = 0): string {
  if (node === false) return "nothing";
  if (!isObject(node) || depth > 3) return "any value";
  if (typeof node.$ref === "string") return describeSchema(resolve(node.$ref), resolve, depth + 1);
  if ("const" in node) return literal(node.const);
  if (Array.isArray(node.enum)) return list(node.enum, " or ", 12, literal);
  const branches = node.anyOf ?? node.oneOf;
  if (node.type === undefined && Array.isArray(branches)) {
    const words = branches.map((branch) => describeSchema(branch, resolve, depth + 1));
    return list([...new Set(words)], " or ", 5);
  }
  if (node.type === undefined && Array.isArray(node.allOf) && node.allOf.length > 0) {
    return describeSchema(node.allOf[0], resolve, depth + 1);
  }
  const types = typesOf(node);
  const words = types.map((type) => (type === "array" ? arrayOf(node, resolve, depth) : type)).join(" or ");
  return [words || "value", details(node).join(" and ")].filter((part) => part !== "").join(" ");
}

/** The types that a node's `type` names; an empty list if it names none. */
export function typesOf(node: JsonObject): string[] {
  if (typeof node.type === "string") return [node.type];
  return Array.isArray(node.type) ? (node.type as string[]) : [];
}

/** Joins up to `max` words, and adds the number of the others. `print`: the word for an item. */
export function list<T>(
  words: readonly T[],
  separator: string,
  max: number,
  print: (item: T) => string = String,
): string {
  const shown = words.slice(0, max).map(print).join(separator);
  return words.length > max ? `${shown} and ${words.length - max} more` : shown;
}

export const quote = (text: string): string => printJson(clip(text, 60));

const literal = (value: unknown) => clip(printJson(value), 40);

/** The beginning of a text or list as JSON, of which only that is read: each of its parts takes at least one character. */
const start = (value: string | unknown[], max: number) => clip(printJson(value.slice(0, max)), max);

function arrayOf(node: JsonObject, resolve: (ref: string) => unknown, depth: number): string {
  if (Array.isArray(node.prefixItems)) {
    const parts = node.prefixItems.map((part) => describeSchema(part, resolve, depth + 1));
    return `array [${list(parts, ", ", 5)}]`;
  }
  return isObject(node.items) ? `array of ${describeSchema(node.items, resolve, depth + 1)}` : "array";
}

/** Typed as a method, since normal form guarantees the types of arguments. */
type Phrase = { of(argument: unknown): string }["of"];

/** The words after the type, by keyword. */
const phrases: readonly (readonly [keyword: string, phrase: Phrase])[] = [
  ["minimum", (n: number) => `of at least ${n}`],
  ["exclusiveMinimum", (n: number) => `greater than ${n}`],
  ["maximum", (n: number) => `of at most ${n}`],
  ["exclusiveMaximum", (n: number) => `less than ${n}`],
  ["multipleOf", (n: number) => `divisible by ${n}`],
  ["minLength", (n: number) => `of at least ${n} ${n === 1 ? "character" : "characters"}`],
  ["maxLength", (n: number) => `of at most ${n} ${n === 1 ? "character" : "characters"}`],
  ["pattern", (source: string) => `matching the regular expression ${clip(source, 80)}`],
  ["format", (name: string) => `in the format ${clip(name, 40)}`],
  ["minItems", (n: number) => `with at least ${n} ${n === 1 ? "item" : "items"}`],
  ["maxItems", (n: number) => `with at most ${n} ${n === 1 ? "item" : "items"}`],
  ["minProperties", (n: number) => `with at least ${n} ${n === 1 ? "key" : "keys"}`],
  ["maxProperties", (n: number) => `with at most ${n} ${n === 1 ? "key" : "keys"}`],
];

function details(node: JsonObject): string[] {
  const said = phrases.filter(([keyword]) => keyword in node).map(([keyword, phrase]) => phrase(node[keyword]));
  return node.uniqueItems === true ? [...said, "without repeated items"] : said;
}
