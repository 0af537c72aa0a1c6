import { isObject } from "../common/plain-object.js";
import type { JsonSchema } from "../types.js";
import { MAPS, VALUES } from "./references.js";

/**
 * A copy of a schema in which `change` has replaced every subschema, and then the schema itself. Data in a schema
 * (`default`, `enum`, …) stays as it is.
 *
 * @example mapSchemas(schema, ({ title, ...rest }) => rest); // without titles
 */
export function mapSchemas(
  schema: JsonSchema,
  change: (schema: Record<string, unknown>) => Record<string, unknown>,
): JsonSchema {
  const within = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(within);
    if (!isObject(value)) return value;
    return change(
      mapValues(value, (part, key) => {
        if (VALUES.has(key)) return part;
        return MAPS.has(key) && isObject(part) ? mapValues(part, within) : within(part);
      }),
    );
  };
  return typeof schema === "boolean" ? schema : (within(schema) as JsonSchema);
}

const mapValues = (object: Record<string, unknown>, change: (value: unknown, key: string) => unknown) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
