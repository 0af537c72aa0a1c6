import type { JsonSchema } from "../../types.js";
import type { Rules } from "../rules.js";
import type { JsonRules } from "./json-rules.js";

/** What the rules for the values of one schema need of its compiler. */
export interface NodeContext {
  readonly rules: Rules;
  readonly json: JsonRules;
  /** Where the schema stands, as a JSON pointer. */
  readonly path: string;
  /** What the rules are for; their names are made from it. */
  readonly hint: string;
  readonly maxUnordered: number;
  /** The most items of an array that the schema gives no bound. */
  readonly maxItems: number | undefined;
  /** How deep a value may nest where the schema says nothing of it. */
  readonly maxDepth: number | undefined;
  /** Objects that do not say what other keys they may have hold only the declared ones. */
  readonly closed: boolean;
  /** An expression for the values of a part; undefined where none fits. `onLoose`: it admits others too, as noted. */
  expression(part: JsonSchema, hint: string, onLoose?: () => void): string | undefined;
  /** A schema without `$ref` and `allOf` at its top. */
  flat(schema: JsonSchema): JsonSchema;
  /** What this one says beside a union. */
  rest(keyword: string): JsonSchema;
  fits(schema: JsonSchema, value: unknown): boolean;
  /** Notes that the grammar admits what breaks a keyword; `by`: of a part that could not be merged. */
  unenforced(keyword: string, by?: JsonSchema): void;
  /** Notes that the grammar admits less than a keyword. */
  narrowed(keyword: string): void;
  /** Notes that a schema made here says what a keyword of this one does. */
  standsFor(made: JsonSchema, keyword: string): void;
  /** Notes the keyword because of which nothing fits. */
  nothing(keyword: string): undefined;
}
