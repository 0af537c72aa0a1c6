import { escapeRegExp } from "../common/escape-reg-exp.js";
import { ownValue } from "../common/plain-object.js";
import { SchemaError } from "./errors.js";
import type { JsonObject } from "./json.js";

/**
 * zod 3 → JSON Schema, from the schemas' own `_def`. zod 3 is frozen, and so is this converter. The library for it
 * (zod-to-json-schema) is no longer maintained, requires zod 3.25 or 4 at run time and cannot be loaded on demand; this
 * converter supports every zod 3.
 */

interface Def {
  typeName: string;
  description?: string;
  [key: string]: unknown;
}

interface Zod3Schema {
  _def: Def;
  isOptional?(): boolean;
}

export const isZod3 = (schema: object): schema is Zod3Schema =>
  !("_zod" in schema) && typeof (schema as Partial<Zod3Schema>)._def?.typeName === "string";

/**
 * The JSON Schema of a zod 3 schema's input. Errors: `SchemaError` code `unrepresentable` for types without a JSON form
 * (a Map, a function, a Date that is not coerced), `too-deep` for endless lazies.
 */
export function zod3ToJsonSchema(schema: Zod3Schema): JsonObject {
  const converter = new Converter();
  const root = converter.convert(schema, []);
  return Object.keys(converter.defs).length > 0 ? { ...root, $defs: converter.defs } : root;
}

const MAX_PATH = 100;

class Converter {
  readonly defs: JsonObject = {};
  private readonly lazies = new Map<unknown, string>();

  convert(schema: unknown, path: readonly string[]): JsonObject {
    const { _def: def } = schema as Zod3Schema;
    if (path.length > MAX_PATH)
      throw new SchemaError("too-deep", `The zod schema is nested more than ${MAX_PATH} deep.`);
    const make = ownValue(makers, def.typeName);
    if (!make) throw unrepresentable(def.typeName, path);
    const made = make(def, (part, step = "") => this.convert(part, step ? [...path, step] : path), this, path, schema);
    return def.description === undefined ? made : { ...made, description: def.description };
  }

  /** Lazy schemas are the only recursion in zod 3: each becomes a definition. */
  lazy(schema: unknown, getter: () => unknown, path: readonly string[]): JsonObject {
    let name = this.lazies.get(schema);
    if (name === undefined) {
      name = `lazy${this.lazies.size}`;
      this.lazies.set(schema, name);
      this.defs[name] = this.convert(getter(), [...path, name]);
    }
    return { $ref: `#/$defs/${name}` };
  }
}

type Convert = (schema: unknown, step?: string) => JsonObject;
type Maker = (def: Def, convert: Convert, converter: Converter, path: readonly string[], schema: unknown) => JsonObject;

/** A text that becomes a date, which may be without a time. */
export const dateText = { anyOf: ["date", "date-time"].map((format) => ({ type: "string", format })) };

const inner: Maker = (def, convert) => convert(def.innerType ?? def.schema ?? def.type);

const makers: Record<string, Maker> = {
  ZodString: (def) => string(def),
  ZodNumber: (def) => numeric("number", def),
  ZodBigInt: (def, _, __, path) => (def.coerce === true ? { type: "integer" } : refuse(def, path)),
  ZodDate: (def, _, __, path) => (def.coerce === true ? { ...dateText } : refuse(def, path)),
  ZodBoolean: () => ({ type: "boolean" }),
  ZodNull: () => ({ type: "null" }),
  ZodAny: () => ({}),
  ZodUnknown: () => ({}),
  ZodNever: () => ({ not: {} }),
  ZodUndefined: () => ({ not: {} }),
  ZodVoid: () => ({ not: {} }),
  ZodLiteral: (def, _, __, path) => (isJsonScalar(def.value) ? { const: def.value } : refuse(def, path)),
  ZodEnum: (def) => ({ type: "string", enum: def.values }),
  ZodNativeEnum: (def) => ({ enum: enumValues(def.values as Record<string, string | number>) }),
  ZodObject: object,
  ZodArray: (def, convert) => array(def, convert),
  ZodTuple: (def, convert) => {
    const items = (def.items as unknown[]).map((item, i) => convert(item, String(i)));
    const rest = def.rest ? convert(def.rest, "rest") : false;
    return { type: "array", ...(items.length > 0 ? { prefixItems: items } : {}), items: rest, minItems: items.length };
  },
  ZodRecord: (def, convert) => {
    const { type, ...key } = convert(def.keyType, "key");
    const names = Object.keys(key).length > 0 ? { propertyNames: { type, ...key } } : {};
    return { type: "object", ...names, additionalProperties: convert(def.valueType, "value") };
  },
  ZodUnion: (def, convert) => union(def.options as unknown[], convert),
  ZodDiscriminatedUnion: (def, convert) => {
    const options = def.options as unknown[] | Map<unknown, unknown>;
    return union(Array.isArray(options) ? options : [...new Set(options.values())], convert);
  },
  ZodIntersection: (def, convert) => ({ allOf: [convert(def.left), convert(def.right)] }),
  ZodOptional: inner,
  ZodBranded: inner,
  ZodReadonly: inner,
  ZodCatch: inner,
  ZodDefault: (def, convert) => {
    const value = (def.defaultValue as () => unknown)();
    return isJson(value) ? { ...convert(def.innerType), default: value } : convert(def.innerType);
  },
  ZodNullable: (def, convert) => nullable(convert(def.innerType)),
  ZodEffects: inner,
  ZodPipeline: (def, convert) => convert(def.in),
  ZodLazy: (def, _, converter, path, schema) => converter.lazy(schema, def.getter as () => unknown, path),
};

function object(def: Def, convert: Convert): JsonObject {
  const shape = (def.shape as () => Record<string, unknown>)();
  const properties = Object.fromEntries(Object.entries(shape).map(([key, part]) => [key, convert(part, key)]));
  const required = Object.keys(shape).filter((key) => !isOptional(shape[key]));
  const catchall = def.catchall as Zod3Schema | undefined;
  let additional: JsonObject = {};
  if (catchall && catchall._def.typeName !== "ZodNever") additional = { additionalProperties: convert(catchall) };
  else if (def.unknownKeys === "strict") additional = { additionalProperties: false };
  else if (def.unknownKeys === "passthrough") additional = { additionalProperties: true };
  return { type: "object", properties, ...(required.length > 0 ? { required } : {}), ...additional };
}

/** Whether `undefined` is accepted, as zod decides it. */
function isOptional(schema: unknown): boolean {
  try {
    return (schema as Zod3Schema).isOptional?.() ?? false;
  } catch {
    return false;
  }
}

function array(def: Def, convert: Convert): JsonObject {
  const bounds = def as { minLength?: Bound; maxLength?: Bound; exactLength?: Bound } & Def;
  const min = bounds.exactLength ?? bounds.minLength;
  const max = bounds.exactLength ?? bounds.maxLength;
  return {
    type: "array",
    items: convert(def.type, "items"),
    ...(min ? { minItems: min.value } : {}),
    ...(max ? { maxItems: max.value } : {}),
  };
}

type Bound = { value: number } | null;

/**
 * A union of plain values is an `enum`, which models read more easily; `undefined` among the options means "optional".
 */
function union(options: unknown[], convert: Convert): JsonObject {
  const branches = options
    .filter((option) => !["ZodUndefined", "ZodVoid"].includes((option as Zod3Schema)._def.typeName))
    .map((option, i) => convert(option, String(i)));
  const isPlainConst = (branch: JsonObject) => "const" in branch && Object.keys(branch).length === 1;
  if (branches.length > 0 && branches.every(isPlainConst)) return { enum: branches.map((branch) => branch.const) };
  return branches.length === 1 ? branches[0]! : { anyOf: branches };
}

function nullable(schema: JsonObject): JsonObject {
  const plain = typeof schema.type === "string" && !("enum" in schema) && !("const" in schema);
  return plain ? { ...schema, type: [schema.type, "null"] } : { anyOf: [schema, { type: "null" }] };
}

interface Check {
  kind: string;
  value?: unknown;
  inclusive?: boolean;
  regex?: RegExp;
  version?: string;
  local?: boolean;
}

/** zod's times may lack a zone, which the JSON Schema formats require; a pattern beside the format permits that. */
const TIME = "^([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d+)?)?$";
const LOCAL_DATETIME = "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?(Z|[+-]\\d{2}:?\\d{2})?$";

const formats: Record<string, string> = {
  email: "email",
  url: "uri",
  uuid: "uuid",
  datetime: "date-time",
  date: "date",
  time: "time",
  duration: "duration",
};

/** The patterns of checks that JSON Schema has no format for. */
const patternsOf: Record<string, (check: Check) => string | undefined> = {
  time: () => TIME,
  datetime: ({ local }) => (local ? LOCAL_DATETIME : undefined),
  regex: ({ regex }) => (regex && !/[ims]/.test(regex.flags) ? regex.source : undefined),
  startsWith: ({ value }) => `^${escapeRegExp(String(value))}`,
  endsWith: ({ value }) => `${escapeRegExp(String(value))}$`,
  includes: ({ value }) => escapeRegExp(String(value)),
};

function string(def: Def): JsonObject {
  const schema: JsonObject = { type: "string" };
  const patterns: string[] = [];
  for (const check of (def.checks as Check[]) ?? []) {
    const { kind, value, version } = check;
    if (kind === "min" || kind === "length") schema.minLength = value;
    if (kind === "max" || kind === "length") schema.maxLength = value;
    if (Object.hasOwn(formats, kind)) schema.format = formats[kind];
    if (kind === "ip" && version !== undefined) schema.format = version === "v6" ? "ipv6" : "ipv4";
    const pattern = Object.hasOwn(patternsOf, kind) ? patternsOf[kind]!(check) : undefined;
    if (pattern !== undefined) patterns.push(pattern);
  }
  if (patterns.length === 1) schema.pattern = patterns[0];
  else if (patterns.length > 1) schema.allOf = patterns.map((pattern) => ({ pattern }));
  return schema;
}

function numeric(type: string, def: Def): JsonObject {
  const schema: JsonObject = { type };
  for (const { kind, value, inclusive } of (def.checks as Check[]) ?? []) {
    if (kind === "int") schema.type = "integer";
    if (kind === "min") schema[inclusive ? "minimum" : "exclusiveMinimum"] = value;
    if (kind === "max") schema[inclusive ? "maximum" : "exclusiveMaximum"] = value;
    if (kind === "multipleOf") schema.multipleOf = value;
  }
  return schema;
}

/** The values of an enum. TypeScript's numeric enums also map the numbers back to the names. */
function enumValues(values: Record<string, string | number>): (string | number)[] {
  return Object.keys(values)
    .filter((key) => typeof values[values[key]!] !== "number")
    .map((key) => values[key]!);
}

const isJsonScalar = (value: unknown) => value === null || ["string", "number", "boolean"].includes(typeof value);

function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}

function refuse(def: Def, path: readonly string[]): never {
  throw unrepresentable(def.typeName, path);
}

function unrepresentable(typeName: string, path: readonly string[]): SchemaError {
  const where = path.length > 0 ? ` at ${path.join(".")}` : "";
  const remedy = typeName === "ZodDate" ? " Use z.coerce.date() or z.string().datetime()." : "";
  return new SchemaError("unrepresentable", `${typeName}${where} has no JSON form.${remedy}`);
}
