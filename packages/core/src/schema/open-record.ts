import { isObject } from "../plain-object.js";
import { requiredOf } from "../required.js";
import type { JsonSchema } from "../types.js";
import { excessOf } from "./limits.js";
import { MAPS, VALUES } from "./references.js";

/** Beside these, an object's properties can be declared elsewhere. */
const DECLARING = ["properties", "patternProperties", "allOf", "anyOf", "oneOf", "if", "$ref", "$dynamicRef"];

/**
 * Whether `additionalProperties: false` is there of an object that declares no property. Frameworks write it beside every
 * object, that of a record (`z.record`) among them: taken at its word no key could be there, and a call would run empty.
 * An object that has none says `properties: {}`.
 */
export const closesRecord = (schema: Readonly<Record<string, unknown>>): boolean =>
  schema.additionalProperties === false &&
  requiredOf(schema).length === 0 &&
  !DECLARING.some((keyword) => schema[keyword] !== undefined);

const opened = new WeakMap<object, JsonSchema>();

/** The schema with its records open, see {@link closesRecord}; the very same one where there is nothing to open. */
export function openRecords(schema: JsonSchema): JsonSchema {
  if (!isObject(schema)) return schema;
  let open = opened.get(schema);
  if (open === undefined) {
    // What is too large is refused, with its place, where limits are checked.
    if (excessOf(schema)) return schema;
    const copies = new Map<object, unknown>();
    const copy = copyOf(schema, false, copies);
    open = copies.has(FOUND) ? (copy as JsonSchema) : schema;
    opened.set(schema, open);
  }
  return open;
}

/** Stands among the copies once a record was opened. */
const FOUND = {};

/** `isMap`: its keys are names of properties or definitions. Schemas may hold themselves. */
function copyOf(value: unknown, isMap: boolean, copies: Map<object, unknown>): unknown {
  if (typeof value !== "object" || value === null) return value;
  const known = copies.get(value);
  if (known !== undefined) return known;
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    copies.set(value, list);
    for (const part of value) list.push(copyOf(part, false, copies));
    return list;
  }
  if (!isObject(value)) return value;
  const copy: Record<string, unknown> = {};
  copies.set(value, copy);
  const closes = !isMap && closesRecord(value);
  if (closes) copies.set(FOUND, true);
  for (const [key, part] of Object.entries(value)) {
    if (closes && key === "additionalProperties") continue;
    const isData = !isMap && VALUES.has(key);
    const own = isData ? part : copyOf(part, !isMap && MAPS.has(key), copies);
    Object.defineProperty(copy, key, { value: own, enumerable: true, configurable: true, writable: true });
  }
  return copy;
}
