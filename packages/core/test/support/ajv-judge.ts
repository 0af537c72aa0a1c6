import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { JsonSchema } from "../../src/types.js";

/**
 * Ajv's verdict on values; undefined for a schema that it cannot judge with one of these values: circular references,
 * and some `unevaluatedProperties` next to constant conditions.
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

/** Integers and multiples are spelled without an exponent; multiples of long fractions are uncertain. */
const isPlain = (value: unknown) => !/\d[eE][-+]?\d|\.\d{12}/.test(JSON.stringify(value));

/** Whether Ajv's verdict counts. For an empty array, its `contains` repeats the verdict on the previous array. */
export const isJudged = (value: unknown, isContaining: boolean): boolean =>
  isPlain(value) && !(isContaining && JSON.stringify(value).includes("[]"));
