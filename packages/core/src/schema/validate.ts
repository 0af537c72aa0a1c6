import type { JsonSchema } from "../types.js";
import { type CompiledSchema, compileSchema } from "./compile.js";
import { findIssues } from "./issues.js";
import { describeSchema } from "./words.js";

/** One way in which arguments do not fit their schema. */
export interface ValidationIssue {
  /** JSON pointer to the value, or to where a missing one should be. `""`: the arguments as a whole. */
  path: string;
  /** The keyword of JSON Schema that is broken. */
  keyword: string;
  /** In plain words: `expected integer, got string "abc"`. */
  message: string;
  /** What would be right: `integer`. */
  expected?: string;
  /** The part of the schema that is broken, as it was given. */
  schema?: unknown;
}

/**
 * Checks a value, such as a call's arguments or a tool's result, against a JSON Schema (draft 4 to 2020-12, with
 * OpenAPI's `nullable`).
 *
 * Takes time linear to the value and to the schema, whatever they are: patterns are matched by an automaton, without
 * backtracking. Returns an empty list when it fits. Otherwise the issues a reader can act on: only the innermost, and of `anyOf` and
 * `oneOf` only those of the branch that fits best. Never throws: parts of a schema that make no sense are not checked
 * (`normalizeTools` reports them when the tools are defined), nor are patterns with a back-reference or of more than
 * 5,000 states, which it reports too. Nothing fits a schema that is too large (`normalizeTools` throws `limit`); a value that is no JSON gives one issue, `undefined` that it is missing.
 * A schema object is compiled once, so do not change it afterwards.
 *
 * @example
 * validateValue({ n: "abc" }, { type: "object", properties: { n: { type: "integer" } } });
 * // [{ path: "/n", keyword: "type", message: 'expected integer, got string "abc"', expected: "integer", schema: { type: "integer" } }]
 */
export function validateValue(value: unknown, schema: JsonSchema | undefined): ValidationIssue[] {
  if (schema === undefined || schema === true) return [];
  const compiled = compileSchema(schema);
  if (value === undefined) {
    const expected = describeSchema(compiled.root, compiled.resolve);
    return [{ path: "", keyword: "required", message: `is missing; expected ${expected}`, expected, schema }];
  }
  const fits = compiled.check(value);
  if (fits === true) return [];
  if (fits === undefined) {
    return [
      {
        path: "",
        keyword: "json",
        message: whyUnchecked(compiled),
      },
    ];
  }
  return findIssues(value, compiled);
}

const whyUnchecked = ({ isTooLarge }: CompiledSchema) =>
  isTooLarge
    ? "cannot be checked: the schema is too large"
    : "cannot be checked: it is nested too deeply, takes too many steps to match, or is not plain JSON";
