import { isObject } from "../../common/plain-object.js";
import type { JsonObject } from "../../schema/json.js";
import type { JsonSchema } from "../../types.js";
import { UNMERGED } from "../rewriting/merge.js";
import { excluded } from "../rewriting/negate.js";
import { MAX_REPEAT } from "../rules.js";
import type { NodeContext } from "./node-context.js";
import { objectShape } from "./object-shape.js";

/** One key of an object, and the schema of its value. */
export interface Part {
  key: string;
  schema: JsonSchema;
  required: boolean;
  /** The JSON pointer of the object's schema. */
  parent: string;
}

/** The keys of one kind of object, and bounds for their number. */
export interface ArgumentShape {
  parts: Part[];
  min?: number | undefined;
  max?: number | undefined;
  /** Whether such objects may contain keys that are not in `parts`. */
  isOpen: boolean;
  /** Notes the keywords that a format does not enforce exactly. */
  notes: Pick<NodeContext, "narrowed" | "unenforced" | "nothing">;
}

/**
 * The keys of the matching objects with their schemas, for each kind of object. Used by formats that write arguments
 * separately. Empty: no object matches. Undefined where the content of an object depends on more than its keys.
 */
export function argumentShapes(
  schema: JsonSchema,
  contextOf: (node: JsonSchema, path: string) => NodeContext,
  parent = "",
): ArgumentShape[] | undefined {
  const { flat, path } = contextOf(schema, parent);
  const node = flat(schema);
  const context = contextOf(node, path);
  if (node === false) {
    context.nothing(schema === false ? "schema" : "type");
    return [];
  }
  if (!isObject(node) || "const" in node || "enum" in node) return undefined;
  for (const unmerged of (node[UNMERGED] as JsonObject[] | undefined) ?? [])
    for (const keyword of Object.keys(unmerged)) context.unenforced(keyword, unmerged);
  for (const keyword of ["anyOf", "oneOf"] as const) {
    if (!node[keyword]) continue;
    if (keyword === "oneOf") context.unenforced(keyword);
    const rest = context.rest(keyword);
    const shapes = (node[keyword] as JsonSchema[]).map((branch) =>
      argumentShapes({ allOf: [branch, rest] }, contextOf, context.path),
    );
    const known = shapes.filter((shape) => shape !== undefined);
    const isNone = known.every((some) => some.length === 0);
    if (known.length < shapes.length) {
      if (isNone) return undefined;
      context.narrowed(keyword);
    }
    if (isNone) context.nothing(keyword);
    return known.flat();
  }
  if ("if" in node) context.unenforced("if");
  if ("not" in node && (excluded(node.not)?.some(isObject) ?? true)) context.unenforced("not");
  const { properties, others } = objectShape(node, context);
  const required = new Set((node.required as string[] | undefined) ?? []);
  if (properties.some(([key, part]) => part === false && required.has(key))) {
    context.nothing("required");
    return [];
  }
  for (const { by } of others) context.narrowed(by === "propertyNames" ? "additionalProperties" : by);
  const parts = properties
    .filter(([, part]) => part !== false)
    .map(([key, part]) => ({ key, schema: part, required: required.has(key), parent: context.path }));
  const { minProperties, maxProperties } = node as Record<string, number | undefined>;
  const isOpen = node.additionalProperties !== false;
  return [{ parts, min: minProperties, max: maxProperties, isOpen, notes: context }];
}

/** The items of an array that are all of one kind, and bounds for their number. */
export interface ItemShape {
  item: JsonSchema;
  min: number;
  max: number | undefined;
}

const itemKeywords = new Set(["type", "items", "minItems", "maxItems"]);

/** The items of the matching arrays, if `node` only limits their kind and number. `node` has no `$ref` and `allOf`. */
export function itemShape(node: JsonSchema): ItemShape | undefined {
  if (!isObject(node) || Object.keys(node).some((keyword) => !itemKeywords.has(keyword))) return undefined;
  const { items = true, minItems = 0, maxItems } = node as { items?: JsonSchema; minItems?: number; maxItems?: number };
  return Math.max(minItems, maxItems ?? 0) > MAX_REPEAT ? undefined : { item: items, min: minItems, max: maxItems };
}
