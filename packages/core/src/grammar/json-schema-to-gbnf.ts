import { checkOptions } from "../options/check-options.js";
import { checkedSchema } from "../schema/check-schema.js";
import type { SchemaInput } from "../schema/to-json-schema.js";
import type { JsonSchema } from "../types.js";
import { checkGaps, grammarWithinLimits, unsatisfiable } from "./errors.js";
import type { GrammarGap, GrammarGaps } from "./gaps.js";
import type { JsonGrammarOptions } from "./grammar-options.js";
import { anySpellingOf } from "./json-style.js";
import { jsonRules } from "./options.js";
import { Rules } from "./rules.js";
import { SchemaRules } from "./schema/schema-rules.js";

export interface JsonGrammar {
  /** In llama.cpp's GBNF; the start rule is `root`. */
  grammar: string;
  /** Keywords whose violations the grammar admits. Empty: every value that the grammar admits matches the schema. */
  unenforced: GrammarGap[];
  /** Keywords for which the grammar admits less than the schema. */
  narrowed: GrammarGap[];
}

/**
 * A grammar for the JSON texts of values that match a schema: JSON Schema (any draft from 4 on), or one that `toJsonSchema`
 * takes, such as zod's.
 *
 * Enforced: types, enum, const, properties and whether they are required, other keys (never spelt like a declared one),
 * keys by pattern, items and tuples, lengths and counts, patterns and formats, bounds and small multiples, unions,
 * `oneOf` and `not` where they can be negated, `contains`, `uniqueItems` of listed values, merged allOf, conditions,
 * and references with recursion. Every keyword that is not enforced is in `unenforced`.
 *
 * `narrowed` contains:
 * - `properties` where an object has more than `maxUnordered` (4) keys: they come in the order of the schema, other
 *   keys last,
 * - `type` where a schema has keywords of one type and no `type`: only values of that type are admitted,
 * - other keywords of which the grammar covers only a part,
 * - `maxStringLength`, `maxItems`, `maxDepth`, `closed` (as `additionalProperties`) and `whitespace` where these
 *   options exclude something.
 *
 * The spelling of a value is not part of the schema: there is no space before `,` and `:` unless `whitespace` is `any`
 * (default `pretty`), numbers have at most 21 digits before the point and 25 after it, and whole numbers have no
 * exponent. With OpenAPI's `nullable` the grammar admits null even where `enum` does not list it; the specification
 * does not admit it, so `enum` is then in `unenforced`.
 *
 * Errors: {@link GrammarError} `unsatisfiable` where no value matches, with the path and keyword that exclude every
 * value; `unenforced` and `narrowed` where the options refuse a grammar that is not exact; `limit` for a schema that is
 * too large. `SchemaError` for what is no schema, and `invalid-schema` for what is certainly a mistake: a keyword with a value
 * of another kind (`required: true`), a misspelt type, `properties` or `required`, properties that are not under `properties`.
 * `OptionsError` (`bad-option`).
 *
 * @example jsonSchemaToGbnf({ type: "boolean" }).grammar; // 'root ::= bool\nbool ::= "true" | "false"\n'
 */
export function jsonSchemaToGbnf(schema: SchemaInput, options: JsonGrammarOptions = {}): JsonGrammar {
  checkOptions(jsonRules, options, "the options of jsonSchemaToGbnf");
  return grammarWithinLimits(schema, () => compile(checkedSchema(schema), options));
}

function compile(schema: JsonSchema, options: JsonGrammarOptions): JsonGrammar {
  const { whitespace = "pretty" } = options;
  const rules = new Rules();
  const gaps: GrammarGaps = { unenforced: [], narrowed: [] };
  const compiler = new SchemaRules(schema, rules, options, { ...anySpellingOf(options), whitespace }, gaps);
  const root = compiler.compile("value");
  if (root === undefined) throw unsatisfiable("value matches the schema", compiler.cause);
  const grammar = rules.print(root);
  if ((whitespace === "none" || whitespace === "spaced") && /"[[{]/.test(grammar))
    gaps.narrowed.push({ path: "", keyword: "whitespace" });
  checkGaps(options, gaps);
  return { grammar, ...gaps };
}
