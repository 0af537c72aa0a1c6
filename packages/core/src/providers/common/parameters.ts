import { SchemaError } from "../../schema/errors.js";
import type { JsonObject } from "../../schema/json.js";
import { join, stepsOf } from "../../schema/json.js";
import { excessOf } from "../../schema/limits.js";
import { type SchemaInput, toJsonSchema } from "../../schema/to-json-schema.js";
import { describeJson } from "../../schema/words.js";
import type { JsonSchema } from "../../types.js";
import { objectAt } from "./expect.js";
import type { Losses } from "./losses.js";
import { oneObject } from "./one-object.js";
import { plainData } from "./plain-data.js";

/** A schema with `type: "object"` at its root, as providers require for a tool's parameters. */
export type ObjectSchema = { type: "object"; [keyword: string]: unknown };

/**
 * The schema of a tool's parameters with `type: "object"` at its root. Arguments are always an object, so adding it
 * loses nothing. A union at the root becomes one object. A schema of a library (zod, …) becomes JSON Schema; an invalid
 * schema is a `SchemaError`, and so is one that is too large (`limit`).
 */
export function objectSchema(given: SchemaInput, path: string, losses: Losses): ObjectSchema {
  const said = jsonSchemaAt(given, path);
  const excess = excessOf(said);
  if (excess) throw new SchemaError("limit", `${join(path, ...stepsOf(excess.path))}: the schema ${excess.message}.`);
  if (said === true) return { type: "object" };
  if (said === false) {
    losses.add(path, "false", "a schema that matches nothing cannot be written here");
    return { type: "object" };
  }
  const schema = oneObject(said, path, losses);
  const { type, ...rest } = schema;
  if (isObjectSchema(schema)) return schema;
  if (type !== undefined) {
    const why = `arguments are an object, and the root must have \`type: "object"\` here, not ${describeJson(type)}`;
    losses.add(join(path, "type"), "type", why);
  }
  return { type: "object", ...rest };
}

function jsonSchemaAt(given: SchemaInput, path: string): JsonSchema {
  try {
    return toJsonSchema(given);
  } catch (error) {
    if (!(error instanceof SchemaError) || path === "") throw error;
    throw new SchemaError(error.code, `${path}: ${error.message}`, { cause: error });
  }
}

/** The same as plain JSON; other values are reported. A schema that contains itself is a `ProviderFormatError`. */
export const plainObjectSchema = (given: SchemaInput, path: string, losses: Losses): ObjectSchema =>
  plainData(objectSchema(given, path, losses), path, losses) as ObjectSchema;

/** The parameters of a provider's definition; empty if the tool has none. Errors: {@link ProviderFormatError}. */
export const readParameters = (value: unknown, path: string): { parameters?: JsonObject } =>
  value == null ? {} : { parameters: objectAt(value, path, "a JSON Schema, an object") };

const isObjectSchema = (schema: JsonObject): schema is ObjectSchema => schema.type === "object";
