import type { JsonSchema } from "../../types.js";
import type { Rules } from "../rules.js";
import type { JsonRules } from "./json-rules.js";

/** What the rules for the values of one schema need from its compiler. */
export interface NodeContext {
  readonly rules: Rules;
  readonly json: JsonRules;
  /** The JSON pointer of the schema. */
  readonly path: string;
  /** A word for the purpose of the rules, from which their names are derived. */
  readonly hint: string;
  readonly maxUnordered: number;
  /** The maximum length of an array for which the schema sets none. */
  readonly maxItems: number | undefined;
  /** The maximum nesting depth of values that the schema does not describe. */
  readonly maxDepth: number | undefined;
  /** Whether objects with no keyword for other keys admit only the declared ones. */
  readonly closed: boolean;
  /** An expression for the matching values of a part; undefined if none match. Calls `onLoose` if it admits others. */
  expression(part: JsonSchema, hint: string, onLoose?: () => void): string | undefined;
  /** Merges a schema with its `$ref` and `allOf`. */
  flat(schema: JsonSchema): JsonSchema;
  /** The keywords beside a union. */
  rest(keyword: string): JsonSchema;
  matches(schema: JsonSchema, value: unknown): boolean;
  /** Notes that the grammar admits violations of a keyword; `by`: a keyword of a part that could not be merged. */
  unenforced(keyword: string, by?: JsonSchema): void;
  /** Notes that the grammar admits less than a keyword. */
  narrowed(keyword: string): void;
  /** Notes that the compiler made a schema in place of a keyword of this one. */
  standsFor(made: JsonSchema, keyword: string): void;
  /** Notes the keyword because of which no value matches. */
  nothing(keyword: string): undefined;
}
