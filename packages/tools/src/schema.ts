import {
  type FromJsonSchema,
  type InputOf,
  type JsonSchema,
  toJsonSchema,
  type ValidationIssue,
  validateValue,
} from "@toolingua/core";
import { isObject } from "@toolingua/core/adapters";

/** An issue in the form of Standard Schema (https://standardschema.dev). */
interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

type StandardResult = { readonly value: unknown } | { readonly issues: readonly StandardIssue[] };

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

/** The value as the schema reads it, or its issues. */
export type Checked = { value: unknown } | { issues: ValidationIssue[] };

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
export async function readBy(schema: Schema | undefined, value: unknown): Promise<Checked> {
  if (schema === undefined) return { value };
  const validate = standardValidate(schema);
  if (validate) {
    try {
      const result = await validate(value);
      return "issues" in result && result.issues
        ? { issues: result.issues.map(toIssue) }
        : (result as { value: unknown });
    } catch (error) {
      return { issues: [toIssue({ message: error instanceof Error ? error.message : String(error) })] };
    }
  }
  const json = toJsonSchema(schema);
  const filled = withDefaults(json, value);
  const issues = validateValue(filled, json);
  return issues.length === 0 ? { value: filled } : { issues };
}

/** Checks that `readBy` can use the schema. Errors: `SchemaError`, with the reason. */
export function assertSchema(schema: Schema): void {
  if (!standardValidate(schema)) toJsonSchema(schema);
}

/**
 * The first issue of the defaults of parameters, which {@link readBy} would fill in and then refuse. None if a library fills them in.
 * `fixed`: the arguments that every call has, for which no default is filled in.
 *
 * Errors: `SchemaError` for an invalid schema.
 *
 * @example issueOfDefaults({ properties: { unit: { enum: ["C", "F"], default: "K" } } }, {})?.path; // "/unit"
 */
export function issueOfDefaults(schema: Schema, fixed: object): ValidationIssue | undefined {
  if (standardValidate(schema)) return undefined;
  const json = toJsonSchema(schema);
  // Only the parameters and what they refer to: other keywords concern the arguments together.
  const { properties = {}, $defs = {}, definitions = {} } = isObject(json) ? json : {};
  const free = Object.fromEntries(
    Object.entries({ ...Object(properties) }).filter(([key]) => !Object.hasOwn(fixed, key)),
  );
  return validateValue(withDefaults({ properties: free }, {}), { properties, $defs, definitions } as JsonSchema)[0];
}

/** The name of the argument at a JSON pointer or around it. */
export const argumentAt = (path: string): string =>
  (path.split("/")[1] ?? "").replaceAll("~1", "/").replaceAll("~0", "~");

/** The `validate` function of Standard Schema. The result of `z.toJSONSchema` has `~standard` without it. */
function standardValidate(schema: Schema): ((value: unknown) => StandardResult | Promise<StandardResult>) | undefined {
  if (typeof schema === "boolean") return undefined;
  const standard = (schema as { "~standard"?: { validate?: unknown } })["~standard"];
  return typeof standard?.validate === "function"
    ? (value) => (standard.validate as (value: unknown) => StandardResult)(value)
    : undefined;
}

/** Converts the path to a JSON pointer, as in core. `keyword`: only the library knows which one is violated. */
const toIssue = ({ path = [], message }: StandardIssue): ValidationIssue => {
  const keys = path.map((part) => String(typeof part === "object" ? part.key : part));
  const pointer = keys.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  return { path: pointer, keyword: "schema", message };
};

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
