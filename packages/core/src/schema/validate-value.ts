import { isObject } from "../common/plain-object.js";
import type { JsonSchema } from "../types.js";
import { SchemaError } from "./errors.js";
import { type SchemaInput, toJsonSchema } from "./to-json-schema.js";
import { unchecked, validateJson } from "./validate.js";
import type { ValidationIssue } from "./validation-issue.js";

/**
 * Checks a value, such as a call's arguments or a tool's result, against a JSON Schema (draft 4 to 2020-12, with
 * OpenAPI's `nullable`), or against the JSON Schema of a schema that `toJsonSchema` takes.
 *
 * Takes time linear in the value and in the schema, for any input: an automaton matches patterns without backtracking.
 * Returns an empty list if the value matches; otherwise only the innermost issues, and for `anyOf` and `oneOf` only
 * those of the best branch. Never throws. Invalid parts of a schema are not checked (`normalizeTools` reports them when
 * the tools are defined), nor are patterns with a back-reference or of more than 5,000 states, which it reports too. No
 * value matches a schema that is too large (`normalizeTools` throws `limit`), or what is not a schema; every value matches
 * without a schema (`undefined`). A value that is not JSON gives one issue; `undefined` gives the issue that it is missing. A
 * schema object is compiled once, so do not change it afterwards.
 *
 * @example
 * validateValue({ n: "abc" }, { type: "object", properties: { n: { type: "integer" } } });
 * // [{ path: "/n", keyword: "type", message: 'expected integer, got string "abc"', expected: "integer", schema: { type: "integer" } }]
 */
export function validateValue(value: unknown, schema: SchemaInput | undefined): ValidationIssue[] {
  if (!isObject(schema) && typeof schema !== "function") return validateJson(value, schema as JsonSchema);
  try {
    return validateJson(value, toJsonSchema(schema));
  } catch (error) {
    return [unchecked(error instanceof SchemaError ? error.message : "the schema could not be read")];
  }
}
