import { lackedByJson } from "../common/json-text.js";
import type { JsonSchema } from "../types.js";
import { listed, mistakesIn } from "./check-parameters.js";
import { SchemaError } from "./errors.js";
import { excessOf, placeOf } from "./limits.js";
import { toJsonSchema } from "./to-json-schema.js";
import { unwritableIn } from "./unwritable.js";

/**
 * A schema that is not a tool's, of any kind, as JSON Schema that has no mistake which `refuseMistakes` refuses in a tool's.
 *
 * Errors: {@link SchemaError}: those of {@link toJsonSchema}, `limit`, and `invalid-schema` with the `path`.
 *
 * @example checkedSchema({ required: true }); // throws: The JSON Schema is not valid: required should be a list of keys, is true.
 */
export function checkedSchema(given: unknown): JsonSchema {
  const schema = toJsonSchema(given);
  const excess = excessOf(schema);
  if (excess)
    throw new SchemaError("limit", `The JSON Schema is too large: ${placeOf(excess)} ${excess.message}.`, excess);
  const mistakes = [...mistakesIn(schema), ...unwritableIn(schema)];
  const lacks = mistakes.length > 0 ? undefined : lackedByJson(schema);
  if (lacks)
    mistakes.push({ path: "", keyword: "schema", message: `cannot be JSON: schema${lacks.path} ${lacks.what}` });
  if (mistakes.length === 0) return schema;
  throw new SchemaError("invalid-schema", `The JSON Schema is not valid: ${listed(mistakes)}`, {
    path: mistakes[0]?.path,
  });
}
