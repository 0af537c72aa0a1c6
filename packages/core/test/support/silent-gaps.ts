import type { GrammarGaps } from "../../src/grammar/gaps.js";
import { GrammarError, type JsonGrammarOptions, jsonSchemaToGbnf } from "../../src/grammar/index.js";
import type { JsonSchema } from "../../src/types.js";
import { ajvJudge, isJudged } from "./ajv-judge.js";
import { isBehindNegation, isWritten, relaxed, tightened } from "./gapped-schema.js";
import { matcher } from "./gbnf-oracle.js";
import { GbnfSampler } from "./gbnf-sampler.js";

/** Gaps for keywords that the schema does not contain. */
export const unwritten = (schema: JsonSchema, { unenforced, narrowed }: GrammarGaps): string[] =>
  [...unenforced, ...narrowed]
    .filter((gap) => !isWritten(schema, gap))
    .map(({ path, keyword }) => `names what nobody wrote: ${keyword} at ${JSON.stringify(path)}`);

/** What the gaps alone explain: `isTold` of values that are admitted, and what `isOwed` for all that is narrowed. */
export const excused = (schema: JsonSchema, { unenforced, narrowed }: GrammarGaps) => ({
  isTold: (!unenforced.some(isBehindNegation) && ajvJudge(relaxed(schema, unenforced))) || (() => true),
  isOwed: (!narrowed.some(isBehindNegation) && ajvJudge(tightened(schema, narrowed))) || (() => false),
});

/**
 * Where the grammar of a schema differs from it without a word, by llama.cpp's matcher and Ajv: values that it admits
 * though they break a keyword that no gap names, or refuses though they fit and no gap says so; a schema called
 * unsatisfiable that is not; texts drawn from the grammar that do not match; and gaps that name what nobody wrote. What
 * an option that bounds values takes away is not told from what else is narrowed.
 */
export async function silentGaps(
  schema: JsonSchema,
  values: readonly unknown[],
  random: () => number,
  options: JsonGrammarOptions = {},
): Promise<string[]> {
  const isContaining = JSON.stringify(schema).includes('"contains"');
  const tried = values.filter((value) => isJudged(value, isContaining));
  const fits = ajvJudge(schema, tried);
  if (!fits) return [];
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
    if (isJudged(value, isContaining) && !fits(value) && !isTold(value))
      found.add(`drawn, but does not match: ${text}`);
  }
  return [...found];
}
