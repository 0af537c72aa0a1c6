import { expect } from "vitest";
import { type JsonGrammarOptions, jsonSchemaToGbnf } from "../../src/grammar/index.js";
import type { JsonSchema } from "../../src/types.js";
import { matcher } from "./gbnf-oracle.js";

/** The texts that a schema's grammar accepts of these; both lists are complete. */
export async function probe(
  schema: JsonSchema,
  accepted: string[],
  rejected: string[],
  options: JsonGrammarOptions = {},
) {
  const result = jsonSchemaToGbnf(schema, options);
  const matches = await matcher(result.grammar);
  expect({ accepted: accepted.filter(matches), rejected: rejected.filter((text) => !matches(text)) }).toEqual({
    accepted,
    rejected,
  });
  return result;
}
