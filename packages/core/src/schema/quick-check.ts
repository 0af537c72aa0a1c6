import { annotations } from "./resolve.js";
import type { SchemaObject } from "./schema-types.js";

/** The keywords of a schema that are checked without a validator, besides its types. */
export interface QuickCheck {
  readonly enum: readonly unknown[] | undefined;
  readonly hasBranches: boolean;
  readonly required: readonly string[];
  /** Whether it limits the size of a number, a string or a list. */
  readonly hasLimits: boolean;
}

const LIMITS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"].concat([
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
]);
const plainKeywords = new Set([
  ...["type", "properties", "required", "additionalProperties", "items", "enum", "anyOf"],
  ...LIMITS,
  ...annotations,
]);

/** The quick check of a schema; undefined: it has keywords that only a validator checks. */
export function quickCheckOf(schema: SchemaObject): QuickCheck | undefined {
  const isPlain = Object.keys(schema).every((keyword) => plainKeywords.has(keyword)) && !Array.isArray(schema.items);
  return isPlain
    ? {
        enum: Array.isArray(schema.enum) ? schema.enum : undefined,
        hasBranches: schema.anyOf !== undefined,
        required: Array.isArray(schema.required) ? schema.required.map(String) : [],
        hasLimits: LIMITS.some((keyword) => schema[keyword] !== undefined),
      }
    : undefined;
}
