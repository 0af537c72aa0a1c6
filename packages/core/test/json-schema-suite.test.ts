import { describe, expect, test } from "vitest";
import { GrammarError, type GrammarGap, jsonSchemaToGbnf } from "../src/grammar/index.js";
import { validateValue } from "../src/index.js";
import type { JsonSchema } from "../src/types.js";
import { matcher } from "./support/gbnf-oracle.js";
import { type SuiteGroup, suiteGroups, suiteMissing } from "./support/json-schema-suite.js";

const missing = suiteMissing();
if (missing) console.warn(`The official test suite of JSON Schema is left out: ${missing}.`);

/** What depends on the way on which a reference is reached, which is named, and neither validated nor enforced. */
const DYNAMIC = ["$dynamicRef", "$recursiveRef"];

interface Judge {
  unenforced: GrammarGap[];
  narrowed: GrammarGap[];
  admits(value: unknown): boolean;
}

async function judge(schema: JsonSchema): Promise<Judge> {
  try {
    const { grammar, unenforced, narrowed } = jsonSchemaToGbnf(schema);
    const matches = await matcher(grammar);
    return { unenforced, narrowed, admits: (value) => matches(JSON.stringify(value)) };
  } catch (error) {
    if (!(error instanceof GrammarError) || error.code !== "unsatisfiable") throw error;
    return { unenforced: [], narrowed: [], admits: () => false };
  }
}

/**
 * Where the validator, or the grammar without a word, says something else than the suite; and how often the grammar says the
 * same.
 */
async function differences(groups: readonly SuiteGroup[]) {
  const found: string[] = [];
  let [exact, tests] = [0, 0];
  for (const { file, description, schema, tests: cases } of groups) {
    const { unenforced, narrowed, admits } = await judge(schema);
    const isDynamic = unenforced.some(({ keyword }) => DYNAMIC.includes(keyword));
    for (const { description: what, data, valid } of cases) {
      const name = `${file}: ${description}: ${what}`;
      const isValid = validateValue(data, schema).length === 0;
      const isAdmitted = admits(data);
      tests++;
      if (isAdmitted === valid) exact++;
      if (isValid !== valid && !isDynamic) found.push(`${isValid ? "valid" : "not valid"}: ${name}`);
      if (isAdmitted && !valid && unenforced.length === 0) found.push(`loose: ${name}`);
      if (!isAdmitted && valid && narrowed.length === 0) found.push(`tight: ${name}`);
    }
  }
  return { found, exact: exact / tests };
}

describe.skipIf(missing)("the official test suite of JSON Schema", () => {
  // Most schemas of the suite name no type, and what they say holds for values of others: a grammar narrows these.
  test.each([
    ["draft2020-12", "https://json-schema.org/draft/2020-12/schema", 0.79],
    ["draft2019-09", "https://json-schema.org/draft/2019-09/schema", 0.79],
    ["draft7", "http://json-schema.org/draft-07/schema#", 0.78],
    ["draft6", "http://json-schema.org/draft-06/schema#", 0.82],
    ["draft4", "http://json-schema.org/draft-04/schema#", 0.81],
  ])(
    "a schema of %s is validated correctly, and its grammar accepts the same or reports the difference",
    async (draft, uri, least) => {
      const { found, exact } = await differences(suiteGroups(draft, uri));
      expect(found).toEqual([]);
      expect(exact).toBeGreaterThan(least);
    },
  );
});
