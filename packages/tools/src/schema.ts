import {
  type FromJsonSchema,
  type InputOf,
  type JsonSchema,
  toJsonSchema,
  type ValidationIssue,
  validateValue,
} from "@toolingua/core";
import { checkedSchema, isObject, libraryReader, type ReadValue } from "@toolingua/core/adapters";

/** JSON Schema, or a schema of zod or another library that can convert itself to JSON Schema. */
export type Schema = JsonSchema | object;

/** The arguments that a function with the schema `S` receives: with defaults filled in and transforms applied. */
export type ArgumentsOf<S> = Arguments<Read<S>>;

/** As {@link InputOf}, with fixed arguments `F`, which may be left out. */
export type InputBeside<S, F> = [keyof F] extends [never]
  ? InputOf<S>
  : Omit<InputOf<S>, keyof F> & Partial<Pick<InputOf<S>, Extract<keyof F, keyof InputOf<S>>>>;

type Arguments<A> = unknown extends A ? Record<string, unknown> : A;

type Read<S> = S extends { "~standard": { types?: infer T } }
  ? NonNullable<T> extends { output: infer O }
    ? O
    : unknown
  : FromJsonSchema<S>;

/**
 * Reads a value by its schema: with the library's own validation (which fills in defaults, applies transforms, and
 * removes unknown keys), or by JSON Schema, with defaults of properties filled in at any depth and in the items of
 * arrays, but not inside `anyOf`, `oneOf`, `allOf` or `$ref`. The given value is not changed.
 *
 * A transform that throws makes the value invalid.
 *
 * Errors: `SchemaError` for an invalid schema.
 *
 * @example await readBy(z.object({ n: z.number().default(1) }), {}); // { value: { n: 1 } }
 */
export async function readBy(schema: Schema | undefined, value: unknown): Promise<ReadValue> {
  if (schema === undefined) return { value };
  const read = libraryReader(schema);
  if (read) return read(value);
  const json = toJsonSchema(schema);
  const filled = withDefaults(json, value);
  const issues = validateValue(filled, json);
  return issues.length === 0 ? { value: filled } : { issues };
}

/** Checks that `readBy` can use the schema. Errors: `SchemaError`, with the reason. */
export function assertSchema(schema: Schema): void {
  if (!libraryReader(schema)) checkedSchema(schema);
}

/**
 * The first issue of what every call has: the arguments in `fixed`, and the defaults that {@link readBy} would fill in and
 * then refuse. None if a library reads the arguments.
 *
 * Errors: `SchemaError` for an invalid schema.
 *
 * @example issueBeforeCalls({ properties: { unit: { enum: ["C", "F"], default: "K" } } }, {})?.path; // "/unit"
 */
export function issueBeforeCalls(schema: Schema, fixed: object): ValidationIssue | undefined {
  if (libraryReader(schema)) return undefined;
  const json = toJsonSchema(schema);
  // Only the parameters and what they refer to: other keywords concern the arguments together.
  const { properties = {}, $defs = {}, definitions = {} } = isObject(json) ? json : {};
  return validateValue(withDefaults({ properties }, fixed), { properties, $defs, definitions } as JsonSchema)[0];
}

/** The name of the argument at a JSON pointer or around it. */
export const argumentAt = (path: string): string =>
  (path.split("/")[1] ?? "").replaceAll("~1", "/").replaceAll("~0", "~");

function withDefaults(schema: unknown, value: unknown): unknown {
  if (!isObject(schema)) return value;
  if (Array.isArray(value)) {
    const { items, prefixItems } = schema;
    // Next to `prefixItems`, `items` applies to the items after them.
    return items === undefined || prefixItems !== undefined ? value : value.map((item) => withDefaults(items, item));
  }
  if (!isObject(schema.properties) || !isObject(value)) return value;
  const entries = new Map(Object.entries(value));
  for (const [key, property] of Object.entries(schema.properties)) {
    if (entries.has(key)) entries.set(key, withDefaults(property, entries.get(key)));
    else if (isObject(property) && "default" in property) {
      entries.set(key, withDefaults(property, structuredClone(property.default)));
    }
  }
  return Object.fromEntries(entries);
}
