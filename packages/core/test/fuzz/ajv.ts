import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonSchema } from "../../src/index.js";

const ajv = new Ajv2020({
  strict: false,
  validateSchema: false,
  ownProperties: true,
  multipleOfPrecision: 9,
  logger: false,
});
const compiled = new Map<JsonSchema, ReturnType<typeof ajv.compile>>();

/** The errors of another validator for arguments, or undefined. */
export function fitsSchema(value: unknown, schema: JsonSchema): string | undefined {
  let validate = compiled.get(schema);
  if (!validate) {
    validate = ajv.compile(schema);
    compiled.set(schema, validate);
  }
  return validate(value) ? undefined : ajv.errorsText(validate.errors);
}
