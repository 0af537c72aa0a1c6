import { isObject } from "../plain-object.js";
import { printJson } from "../schema/json.js";
import type { JsonSchema } from "../types.js";
import { checkGaps, type GapPolicy, GrammarError, unsatisfiable, withinLimits } from "./errors.js";
import type { GrammarGap, GrammarGaps } from "./gaps.js";
import { type JsonStyle, spellingOf } from "./json-style.js";
import { checkOptions } from "./options.js";
import { Rules } from "./rules.js";
import { SchemaRules } from "./schema/schema-rules.js";

export interface JsonGrammarOptions extends JsonStyle, GapPolicy {}

export interface JsonGrammar {
  /** In llama.cpp's GBNF; the start rule is `root`. */
  grammar: string;
  /** What the grammar does not enforce: it admits values that break these keywords. Empty: every admitted value fits. */
  unenforced: GrammarGap[];
  /** Where the grammar admits less than the schema. */
  narrowed: GrammarGap[];
}

/**
 * A grammar for the JSON texts of values that fit a schema (JSON Schema, any draft from 4 on).
 *
 * Enforced: types, enum, const, properties and whether they are required, other keys (which never stand in for a declared
 * one), keys by pattern, items and tuples, lengths and counts, patterns and formats, bounds and small multiples, unions,
 * `oneOf` and `not` where they can be turned round, `contains`, listed items without repetition, merged allOf,
 * conditions, references with recursion. All else is in `unenforced`, never silently loose.
 *
 * In `narrowed`: `properties` where an object has more than `maxUnordered` (4) keys, which then come in the order of the
 * schema with others behind them; `type` where keywords of one type stand without a type, and only values of that type
 * are admitted; what other keywords hold of which the grammar has only a part; `maxStringLength`, `maxItems`, `maxDepth`,
 * `closed` (as `additionalProperties`) and `whitespace` where these options take something away. How a value is spelt is no
 * part of the schema: no space before `,` and `:` unless `whitespace` is `any` (default `pretty`), numbers with at most 21
 * digits before the point and 25 behind it, and no whole number with an exponent. OpenAPI's `nullable` admits null beside
 * listed values without null too; by the specification it does not, so `enum` is then in `unenforced`.
 *
 * Errors: {@link GrammarError} `unsatisfiable` where no value fits, with the path and keyword because of which;
 * `unenforced` and `narrowed` where the options refuse a grammar that is not exact; `bad-option`; `limit` for one that is too large; `bad-schema` for what is
 * neither an object nor a boolean.
 *
 * @example jsonSchemaToGbnf({ type: "boolean" }).grammar; // 'root ::= bool\nbool ::= "true" | "false"\n'
 */
export function jsonSchemaToGbnf(schema: JsonSchema, options: JsonGrammarOptions = {}): JsonGrammar {
  checkOptions(options);
  if (typeof schema !== "boolean" && !isObject(schema))
    throw new GrammarError("bad-schema", `A JSON Schema is an object or a boolean, not ${printJson(schema)}.`);
  return withinLimits(schema, () => compile(schema, options));
}

function compile(schema: JsonSchema, options: JsonGrammarOptions): JsonGrammar {
  const { whitespace = "pretty" } = options;
  const rules = new Rules();
  const gaps: GrammarGaps = { unenforced: [], narrowed: [] };
  const compiler = new SchemaRules(schema, rules, options, { ...spellingOf(options), whitespace }, gaps);
  const root = compiler.compile("value");
  if (root === undefined) throw unsatisfiable("value fits the schema", compiler.cause);
  const grammar = rules.print(root);
  if ((whitespace === "none" || whitespace === "spaced") && /"[[{]/.test(grammar))
    gaps.narrowed.push({ path: "", keyword: "whitespace" });
  checkGaps(options, gaps);
  return { grammar, ...gaps };
}
