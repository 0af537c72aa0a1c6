import { isObject } from "../plain-object.js";
import type { JsonSchema } from "../types.js";
import type { NodeContext } from "./node-context.js";
import { objectShape } from "./object-shape.js";
import { MAX_REPEAT } from "./rules.js";

/** One key of an object, and the schema of its value. */
export interface Part {
  key: string;
  schema: JsonSchema;
  required: boolean;
}

/** The keys of one kind of object, and how many of them there are. */
export interface ArgumentShape {
  parts: Part[];
  min?: number | undefined;
  max?: number | undefined;
}

/**
 * The keys of the objects that fit, for each kind of object, with their schemas: for formats where arguments stand apart
 * from each other. Undefined where what an object holds depends on more than its keys, or none fits.
 */
export function argumentShapes(
  schema: JsonSchema,
  contextOf: (node: JsonSchema, path: string) => NodeContext,
  parent = "",
): ArgumentShape[] | undefined {
  const context = contextOf(schema, parent);
  const node = context.flat(schema);
  if (!isObject(node) || "const" in node || "enum" in node) return undefined;
  for (const keyword of ["anyOf", "oneOf"] as const) {
    if (!node[keyword]) continue;
    const { [keyword]: branches, ...rest } = node;
    const shapes = (branches as JsonSchema[]).flatMap(
      (branch) => argumentShapes({ allOf: [branch, rest] }, contextOf, context.path) ?? [],
    );
    return shapes.length === 0 ? undefined : shapes;
  }
  const { properties, others } = objectShape(node, context);
  const required = new Set((node.required as string[] | undefined) ?? []);
  if (others.length > 0) context.narrowed("additionalProperties");
  const parts = properties
    .filter(([, part]) => part !== false)
    .map(([key, part]) => ({ key, schema: part, required: required.has(key) }));
  const { minProperties, maxProperties } = node as Record<string, number | undefined>;
  return [{ parts, min: minProperties, max: maxProperties }];
}

/** Items of one kind, and how many of them there are. */
export interface ItemShape {
  item: JsonSchema;
  min: number;
  max: number | undefined;
}

const told = new Set(["type", "items", "minItems", "maxItems"]);

/** What arrays hold, where nothing but the kind and number of items is said; `node` without `$ref` and `allOf`. */
export function itemShape(node: JsonSchema): ItemShape | undefined {
  if (!isObject(node) || Object.keys(node).some((keyword) => !told.has(keyword))) return undefined;
  const { items = true, minItems = 0, maxItems } = node as { items?: JsonSchema; minItems?: number; maxItems?: number };
  return Math.max(minItems, maxItems ?? 0) > MAX_REPEAT ? undefined : { item: items, min: minItems, max: maxItems };
}
