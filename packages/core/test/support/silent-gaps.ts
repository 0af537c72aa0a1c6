import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { GrammarGaps } from "../../src/grammar/gaps.js";
import { GrammarError, type JsonGrammarOptions, jsonSchemaToGbnf } from "../../src/grammar/index.js";
import type { JsonSchema } from "../../src/types.js";
import { isBehindNegation, isWritten, relaxed, tightened } from "./gapped-schema.js";
import { matcher } from "./gbnf-oracle.js";
import { GbnfSampler } from "./gbnf-sampler.js";

/** What Ajv says of values. Throws for a schema that is beyond it. */
export function validator(schema: JsonSchema): (value: unknown) => boolean {
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    ownProperties: true,
    multipleOfPrecision: 9,
    logger: false,
  });
  (addFormats as unknown as (to: typeof ajv) => void)(ajv);
  return ajv.compile(schema as object);
}

/** What Ajv says of values; `otherwise` where the schema is beyond it. */
export function judge(schema: JsonSchema, otherwise: boolean): (value: unknown) => boolean {
  try {
    const fits = validator(schema);
    fits(null);
    return fits;
  } catch {
    return () => otherwise;
  }
}

/** Whole numbers and multiples are not spelt with an exponent; what a long fraction is a multiple of is not sure. */
const isPlain = (value: unknown) => !/\d[eE][-+]?\d|\.\d{12}/.test(JSON.stringify(value));

/** Whether Ajv's word counts. For an empty array its `contains` says what it said of the array before. */
export const isJudged = (value: unknown, isContaining: boolean): boolean =>
  isPlain(value) && !(isContaining && JSON.stringify(value).includes("[]"));

/** Gaps that name what nobody wrote. */
export const unwritten = (schema: JsonSchema, { unenforced, narrowed }: GrammarGaps): string[] =>
  [...unenforced, ...narrowed]
    .filter((gap) => !isWritten(schema, gap))
    .map(({ path, keyword }) => `names what nobody wrote: ${keyword} at ${JSON.stringify(path)}`);

/** What the gaps alone explain: `isTold` of values that are admitted, and what `isOwed` for all that is narrowed. */
export const excused = (schema: JsonSchema, { unenforced, narrowed }: GrammarGaps) => ({
  isTold: unenforced.some(isBehindNegation) ? () => true : judge(relaxed(schema, unenforced), true),
  isOwed: narrowed.some(isBehindNegation) ? () => false : judge(tightened(schema, narrowed), false),
});

/**
 * Where the grammar of a schema differs from it without a word, by llama.cpp's matcher and Ajv: values that it admits
 * though they break a keyword that no gap names, or refuses though they fit and no gap says so; a schema called
 * unsatisfiable that is not; texts drawn from the grammar that do not fit; and gaps that name what nobody wrote. What an option that bounds values
 * takes away is not told from what else is narrowed.
 */
export async function silentGaps(
  schema: JsonSchema,
  values: readonly unknown[],
  random: () => number,
  options: JsonGrammarOptions = {},
): Promise<string[]> {
  const isContaining = JSON.stringify(schema).includes('"contains"');
  const tried = values.filter((value) => isJudged(value, isContaining));
  let fits: (value: unknown) => boolean;
  try {
    fits = validator(schema);
    tried.map(fits);
  } catch {
    // References in a circle, and some `unevaluatedProperties` next to constant conditions, are beyond Ajv.
    return [];
  }
  let made: ReturnType<typeof jsonSchemaToGbnf>;
  try {
    made = jsonSchemaToGbnf(schema, options);
  } catch (error) {
    if (!(error instanceof GrammarError) || error.code !== "unsatisfiable") throw error;
    return tried.filter(fits).map((value) => `unsatisfiable (${error.keyword}), but fits: ${JSON.stringify(value)}`);
  }
  const { grammar } = made;
  const matches = await matcher(grammar);
  const found = new Set(unwritten(schema, made));
  const { isTold, isOwed } = excused(schema, made);
  for (const value of tried) {
    for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
      const [valid, admitted] = [fits(value), matches(text)];
      if (!valid && admitted && !isTold(value)) found.add(`loose: ${text}`);
      if (valid && !admitted && isOwed(value)) found.add(`tight: ${text}`);
    }
  }
  const sampler = new GbnfSampler(grammar);
  for (let i = 0; i < 3; i++) {
    const text = sampler.sample(random, 80);
    const value: unknown = JSON.parse(text);
    if (isJudged(value, isContaining) && !fits(value) && !isTold(value)) found.add(`drawn, but does not fit: ${text}`);
  }
  return [...found];
}
