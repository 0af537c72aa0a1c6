import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { JsonSchema } from "../../src/types.js";

/**
 * What Ajv says of values; undefined for a schema that is beyond it with one of these values: references in a circle, and
 * some `unevaluatedProperties` next to constant conditions.
 */
export function ajvJudge(
  schema: JsonSchema,
  values: readonly unknown[] = [null],
): ((value: unknown) => boolean) | undefined {
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    ownProperties: true,
    multipleOfPrecision: 9,
    logger: false,
  });
  (addFormats as unknown as (to: typeof ajv) => void)(ajv);
  try {
    const fits = ajv.compile(schema as object);
    for (const value of values) fits(value);
    return fits;
  } catch {
    return undefined;
  }
}

/** Whole numbers and multiples are not spelt with an exponent; what a long fraction is a multiple of is not sure. */
const isPlain = (value: unknown) => !/\d[eE][-+]?\d|\.\d{12}/.test(JSON.stringify(value));

/** Whether Ajv's word counts. For an empty array its `contains` says what it said of the array before. */
export const isJudged = (value: unknown, isContaining: boolean): boolean =>
  isPlain(value) && !(isContaining && JSON.stringify(value).includes("[]"));
