import { isObject } from "../common/plain-object.js";
import type { JsonSchema } from "../types.js";
import { type CompiledSchema, compileSchema } from "./compile.js";
import { findIssues } from "./issues.js";
import type { ValidationIssue } from "./validation-issue.js";
import { describeSchema } from "./words.js";

/**
 * Checks a value against a JSON Schema, as the public `validateValue` does for every kind of schema. Never throws.
 *
 * @example validateJson(1, { type: "integer" }); // []
 */
export function validateJson(value: unknown, schema: JsonSchema | undefined): ValidationIssue[] {
  if (schema === undefined || schema === true) return [];
  if (!isObject(schema) && schema !== false) return [unchecked("the schema is not an object, true or false")];
  const compiled = compileSchema(schema);
  if (value === undefined) {
    const expected = describeSchema(compiled.root, compiled.resolve);
    return [{ path: "", keyword: "required", message: `is missing; expected ${expected}`, expected, schema }];
  }
  const matches = compiled.check(value);
  if (matches === true) return [];
  if (matches === undefined) return [unchecked(whyUnchecked(compiled))];
  return findIssues(value, compiled);
}

/** The issue of a value that cannot be checked. */
export const unchecked = (why: string): ValidationIssue => ({
  path: "",
  keyword: "json",
  message: `cannot be checked: ${why}`,
});

const whyUnchecked = ({ isTooLarge }: CompiledSchema) =>
  isTooLarge
    ? "the schema is too large"
    : "it is nested too deeply, takes too many steps to match, or is not plain JSON";
