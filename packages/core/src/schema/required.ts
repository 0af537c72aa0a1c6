import { isObject } from "../common/plain-object.js";

/** The property names that a JSON Schema requires. */
export const requiredOf = (schema: unknown): string[] =>
  isObject(schema) && Array.isArray(schema.required)
    ? schema.required.filter((key): key is string => typeof key === "string")
    : [];
