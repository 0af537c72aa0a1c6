import type { JsonObject } from "./json.js";

/**
 * The only values that a schema admits, by its `const` or `enum`; undefined: it has neither. With both, it is that of `const`.
 * Other keywords may exclude some of them.
 *
 * @example listedValues({ enum: ["a", "b"] }); // ["a", "b"]
 */
export const listedValues = (schema: JsonObject): readonly unknown[] | undefined =>
  "const" in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : undefined;
