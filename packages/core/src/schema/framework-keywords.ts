import { oncePer } from "../common/once-per.js";
import { isObject } from "../common/plain-object.js";
import type { JsonSchema } from "../types.js";
import type { JsonObject } from "./json.js";
import { excessOf } from "./limits.js";
import { MAPS, VALUES } from "./references.js";
import { requiredOf } from "./required.js";

/** Keywords that can declare an object's properties. */
export const DECLARING = ["properties", "patternProperties", "allOf", "anyOf", "oneOf", "if", "$ref", "$dynamicRef"];

/**
 * Whether an object has `additionalProperties: false` and declares no property. Frameworks write that keyword for every
 * object, even for a record (`z.record`); applied exactly, it would allow no key, and a call would run with empty
 * arguments. An object without keys has `properties: {}`.
 */
export const closesRecord = (schema: Readonly<Record<string, unknown>>): boolean =>
  schema.additionalProperties === false &&
  requiredOf(schema).length === 0 &&
  !DECLARING.some((keyword) => schema[keyword] !== undefined);

/** Whether a keyword is a bound of JavaScript's safe integers, which zod writes for every integer. */
const isSafeIntegerBound = (keyword: string, value: unknown): boolean =>
  (keyword === "minimum" && value === Number.MIN_SAFE_INTEGER) ||
  (keyword === "maximum" && value === Number.MAX_SAFE_INTEGER);

/** How the pattern begins that zod writes beside the format of a date: the leap days. It says the same in 200 characters. */
const DATE_PATTERN = "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|";

/** Whether a pattern is that of a date, beside its format. */
const isDatePattern = (keyword: string, value: unknown, { format }: Readonly<Record<string, unknown>>): boolean =>
  keyword === "pattern" && format === "date" && typeof value === "string" && value.startsWith(DATE_PATTERN);

/**
 * The schema without keywords that frameworks write although no tool means them: the `additionalProperties: false` of records
 * (see {@link closesRecord}), the range of JavaScript's safe integers, and the pattern beside the format `date` (that of
 * `date-time` is stricter than the format). The same object if it has none.
 *
 * @example withoutFrameworkKeywords({ type: "object", additionalProperties: false }); // { type: "object" }
 */
export const withoutFrameworkKeywords = (schema: JsonSchema): JsonSchema =>
  isObject(schema) ? leaveOut(schema) : schema;

const leaveOut = /* @__PURE__ */ oncePer((schema: JsonObject): JsonSchema => {
  // A schema that is too large is refused, with its place, where limits are checked.
  if (excessOf(schema)) return schema;
  const copies = new Map<object, unknown>();
  const copy = copyOf(schema, false, copies);
  return copies.has(FOUND) ? (copy as JsonSchema) : schema;
});

const isRedundant = (keyword: string, value: unknown, schema: Readonly<Record<string, unknown>>): boolean =>
  isSafeIntegerBound(keyword, value) || isDatePattern(keyword, value, schema);

/** A key of the copies that is set once a keyword was left out. */
const FOUND = {};

/** `isMap`: the keys are names of properties or definitions. Schemas may contain themselves. */
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
  for (const [key, part] of Object.entries(value)) {
    if ((closes && key === "additionalProperties") || (!isMap && isRedundant(key, part, value))) {
      copies.set(FOUND, true);
      continue;
    }
    const isData = !isMap && VALUES.has(key);
    const own = isData ? part : copyOf(part, !isMap && MAPS.has(key), copies);
    Object.defineProperty(copy, key, { value: own, enumerable: true, configurable: true, writable: true });
  }
  return copy;
}
