import { isObject } from "../common/plain-object.js";
import type { JsonSchema } from "../types.js";
import type { JsonObject } from "./json.js";
import { ignoresBesideRef, placeOf, resolveReference } from "./references.js";

/** The maximum number of references that lead to references; longer chains are only validated. */
const MAX_REFERENCES = 256;

/** Keywords that do not restrict values. */
export const annotations: ReadonlySet<string> = new Set([
  ...["title", "description", "default", "examples", "$schema", "$defs", "definitions", "$id", "$anchor", "$comment"],
  ...["example", "deprecated", "readOnly", "writeOnly"],
]);

/** Results of `resolve` that require less than their original schemas. */
const partial = new WeakSet<object>();

/** Whether a result of `resolve` requires as much as its original schema, so that no validator is needed. */
export const isExact = (resolved: JsonObject): boolean => !partial.has(resolved);

/**
 * Follows `$ref` within the document and merges `allOf` as far as possible, see `isExact`.
 * `known`: the results so far, by schema; a schema inside itself adds nothing.
 */
export function resolve(
  schema: JsonObject,
  root: JsonSchema,
  known: Map<object, JsonObject> = new Map(),
  depth = 0,
): JsonObject {
  if (typeof schema.$ref !== "string" && !Array.isArray(schema.allOf)) return schema;
  const before = known.get(schema);
  if (before) return before;
  if (depth > MAX_REFERENCES) return inexact({});
  known.set(schema, {});
  let resolved = schema;
  if (typeof schema.$ref === "string") {
    const { $ref, ...beside } = schema;
    const reached = resolveReference(root, schema.$ref, placeOf(root, schema));
    const target = part(reached?.schema, root, known, depth);
    resolved = ignoresBesideRef(root) ? target : merge(target, beside);
  }
  if (Array.isArray(resolved.allOf)) {
    const { allOf, ...beside } = resolved;
    const start = isExact(resolved) ? beside : inexact(beside);
    resolved = allOf.map((one) => part(one, root, known, depth)).reduce(merge, start);
  }
  known.set(schema, resolved);
  return resolved;
}

function part(schema: unknown, root: JsonSchema, known: Map<object, JsonObject>, depth: number): JsonObject {
  if (isObject(schema)) return resolve(schema, root, known, depth + 1);
  return schema === false ? { not: {} } : {};
}

/** Marks a schema that requires less than the one that it replaces. */
export function inexact(schema: JsonObject): JsonObject {
  partial.add(schema);
  return schema;
}

function merge(a: JsonObject, b: JsonObject): JsonObject {
  const merged: JsonObject = { ...a, ...b };
  for (const keyword of ["properties", "patternProperties"]) {
    const [left, right] = [a[keyword], b[keyword]];
    if (left !== right && isObject(left) && isObject(right)) merged[keyword] = { ...left, ...right };
  }
  if (a.required !== b.required && Array.isArray(a.required) && Array.isArray(b.required))
    merged.required = [...new Set([...a.required, ...b.required])];
  if (a.additionalProperties === false) merged.additionalProperties = false;
  return isExact(a) && isExact(b) && agree(a, b) ? merged : inexact(merged);
}

/** Keywords that depend on each other, each with the name of its group. */
const together: Readonly<Record<string, string>> = {
  patternProperties: "properties",
  additionalProperties: "properties",
  prefixItems: "items",
  additionalItems: "items",
};

/**
 * Whether two schemas have no group of keywords in common, or the same values in it, so that their merge requires as
 * much as both. The same values occur where several references lead to one schema.
 */
function agree(a: JsonObject, b: JsonObject): boolean {
  const said = (schema: JsonObject) => Object.keys(schema).filter((keyword) => !annotations.has(keyword));
  const group = (keyword: string) => together[keyword] ?? keyword;
  const both = [...new Set([...said(a), ...said(b)])];
  const different = new Set(both.filter((keyword) => a[keyword] !== b[keyword]).map(group));
  const first = new Set(said(a).map(group));
  return !said(b).some((keyword) => first.has(group(keyword)) && different.has(group(keyword)));
}
