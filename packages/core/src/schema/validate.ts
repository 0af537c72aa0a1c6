import { isObject } from "../common/plain-object.js";
import type { JsonSchema } from "../types.js";
import { type CompiledSchema, compileSchema } from "./compile.js";
import { findIssues } from "./issues.js";
import type { ValidationIssue } from "./validation-issue.js";
import { describeSchema } from "./words.js";

/**
 * Checks a value, such as a call's arguments or a tool's result, against a JSON Schema (draft 4 to 2020-12, with
 * OpenAPI's `nullable`).
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
export function validateValue(value: unknown, schema: JsonSchema | undefined): ValidationIssue[] {
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

const unchecked = (why: string): ValidationIssue => ({
  path: "",
  keyword: "json",
  message: `cannot be checked: ${why}`,
});

const whyUnchecked = ({ isTooLarge }: CompiledSchema) =>
  isTooLarge
    ? "the schema is too large"
    : "it is nested too deeply, takes too many steps to match, or is not plain JSON";
