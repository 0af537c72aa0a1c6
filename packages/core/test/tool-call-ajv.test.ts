import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonSchema } from "../src/index.js";
import { protocolNames } from "./arbitraries.js";
import { type Combination, combinations } from "./support/arbitrary-combination.js";
import { runs } from "./support/runs.js";
import { silentCallGaps } from "./support/silent-call-gaps.js";

// Ajv defines the meaning of parameters, llama.cpp the texts that a grammar accepts, the parser the meaning of a reply.

const argument = fc.constantFrom("a", "text", "x-1", "item", "name", "é", "a b", "constructor");

/** A schema as that of one argument, next to another one. */
const within = ({ schema, values }: Combination, name: string, isRequired: boolean): Combination => {
  const { $defs, ...node } = typeof schema === "object" ? schema : { allOf: [schema] };
  const parameters: JsonSchema = {
    type: "object",
    properties: Object.fromEntries<JsonSchema>([
      [name, node],
      ["n", { type: "integer" }],
    ]),
    required: isRequired ? [name] : [],
    ...($defs === undefined ? {} : { $defs }),
  };
  return { schema: parameters, values: values.map((value) => Object.fromEntries([[name, value]])) };
};

const parameters = fc.oneof(
  { weight: 2, arbitrary: combinations },
  {
    weight: 3,
    arbitrary: fc.tuple(combinations, argument, fc.boolean()).map(([one, name, needed]) => within(one, name, needed)),
  },
);

const chances = fc
  .infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true }))
  .map((stream) => () => stream.next().value);

test("a grammar for calls accepts what its format reads as matching arguments, and all writable ones, or reports the difference", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...protocolNames),
      parameters,
      chances,
      async (protocol, { schema, values }, random) => {
        const gaps = await silentCallGaps(protocol, schema, values, random);
        expect({ protocol, schema, gaps }).toEqual({ protocol, schema, gaps: [] });
      },
    ),
    runs(125),
  );
});
