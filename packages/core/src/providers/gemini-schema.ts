import { isObject } from "../plain-object.js";
import { type JsonObject, join } from "../schema/json.js";
import { pointer, resolve, typesOf } from "../schema/plan.js";
import type { JsonSchema } from "../types.js";
import { objectAt } from "./expect.js";
import type { Losses } from "./losses.js";

// Gemini's Schema, a subset of OpenAPI 3.0's: https://ai.google.dev/api/caching#Schema

export type GeminiType = "STRING" | "NUMBER" | "INTEGER" | "BOOLEAN" | "ARRAY" | "OBJECT" | "NULL";

/**
 * A schema as Gemini has it. `Type` is the names of its types: texts in JSON, while the SDK has an enum of its own that
 * TypeScript takes no text for.
 */
export interface GeminiSchema<Type extends string = GeminiType> {
  type?: Type;
  title?: string;
  description?: string;
  nullable?: boolean;
  default?: unknown;
  example?: unknown;
  enum?: string[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  /** Counts are 64-bit integers, which Google's JSON writes as texts. */
  minLength?: string;
  maxLength?: string;
  minItems?: string;
  maxItems?: string;
  minProperties?: string;
  maxProperties?: string;
  items?: GeminiSchema<Type>;
  properties?: Record<string, GeminiSchema<Type>>;
  required?: string[];
  anyOf?: GeminiSchema<Type>[];
}

const geminiTypes: Record<string, GeminiType> = {
  string: "STRING",
  number: "NUMBER",
  integer: "INTEGER",
  boolean: "BOOLEAN",
  array: "ARRAY",
  object: "OBJECT",
  null: "NULL",
};

/** The formats that the API takes. */
const formats = new Set(["float", "double", "int32", "int64", "enum", "date-time"]);

const counts = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"] as const;
const annotations = ["title", "description", "default", "examples", "example"];
const byType: Record<string, readonly string[]> = {
  string: ["enum", "const", "format", "pattern", "minLength", "maxLength"],
  number: ["enum", "const", "format", "minimum", "maximum"],
  integer: ["enum", "const", "format", "minimum", "maximum"],
  boolean: ["enum", "const"],
  array: ["items", "prefixItems", "minItems", "maxItems"],
  object: ["properties", "required", "minProperties", "maxProperties"],
};
const written = [
  ...["type", "nullable", "anyOf", "oneOf", "$ref", "allOf", "$defs", "definitions"],
  ...annotations,
  ...Object.values(byType).flat(),
];

/**
 * A JSON Schema in Gemini's subset. References are written out, `allOf` is merged, unions with null become `nullable`;
 * what the subset cannot say is left out. All of it is reported.
 */
export const writeGeminiSchema = (schema: JsonSchema, path: string, losses: Losses): GeminiSchema =>
  new SchemaWriter(schema, losses).write(schema, path, new Set());

/** References that are written out can double with every step. */
const MAX_NODES = 5_000;

class SchemaWriter {
  private nodes = 0;

  constructor(
    private readonly root: JsonSchema,
    private readonly losses: Losses,
  ) {}

  /** `inside`: the schemas that this one stands in, by whatever way it was reached. */
  write(schema: unknown, path: string, inside: ReadonlySet<object>): GeminiSchema {
    if (schema === true) {
      this.losses.add(path, "true", "is written as an empty schema");
      return {};
    }
    if (!isObject(schema)) {
      this.losses.add(path, String(schema), "is no schema here: anything fits instead");
      return {};
    }
    if (inside.has(schema) || ++this.nodes > MAX_NODES) {
      this.losses.add(path, "recursion", "cannot be written out without end: cut off here");
      const type = oneType(resolve(schema, this.root));
      return type === undefined ? {} : { type };
    }
    const ref = schema.$ref;
    if (ref !== undefined) {
      const isFound = typeof ref === "string" && isObject(pointer(this.root, ref));
      const why = isFound ? "there are no references: written out here" : "leads nowhere: anything fits instead";
      this.losses.add(join(path, "$ref"), "$ref", why);
    }
    if (schema.allOf !== undefined) this.losses.add(join(path, "allOf"), "allOf", "was merged as far as that can be");
    const node = schema.$ref !== undefined || schema.allOf !== undefined ? resolve(schema, this.root) : schema;
    for (const key of ["$defs", "definitions"]) {
      if (node[key] !== undefined) this.losses.add(join(path, key), key, "there are no definitions to refer to");
    }
    for (const key of Object.keys(node)) {
      if (!written.includes(key)) this.losses.add(join(path, key), key, "is no keyword of Gemini's schemas");
    }
    return this.node(node, path, new Set([...inside, schema]));
  }

  private node(node: JsonObject, path: string, inside: ReadonlySet<object>): GeminiSchema {
    const types = typesOf(node)?.map((type) => type.toLowerCase());
    const plain = types?.filter((type) => type !== "null" && geminiTypes[type] !== undefined) ?? [];
    const head: GeminiSchema = this.annotations(node, path);
    if (types?.includes("null") && plain.length > 0) head.nullable = true;
    if (plain.length > 1) {
      this.losses.add(join(path, "type"), "type", "a schema has one type here: each became a branch of `anyOf`");
      if (node.anyOf !== undefined) this.losses.add(join(path, "anyOf"), "anyOf", "stands beside several types");
      const branch = (type: string) =>
        this.typed({ ...pick(node, byType[type] ?? []), type }, type, path, inside, undefined);
      return { ...head, anyOf: plain.map(branch) };
    }
    const type = plain[0] ?? (types?.includes("null") ? "null" : undefined);
    const typed = this.typed(node, type, path, inside, types);
    const { nullable, ...rest } = { ...head, ...typed, ...this.branches(node, path, inside, head, typed) };
    return { ...rest, ...(nullable && isDemanding(rest) && { nullable }) };
  }

  private annotations(node: JsonObject, path: string): GeminiSchema {
    const { title, description, examples, example } = node;
    const shown = Array.isArray(examples) ? examples : [];
    if (examples !== undefined && shown.length !== 1) {
      this.losses.add(join(path, "examples"), "examples", "a schema has one example here");
    }
    if (example !== undefined && shown.length === 0)
      this.losses.add(join(path, "example"), "example", "is read as `examples`");
    const first: unknown = shown.length > 0 ? shown[0] : example;
    return {
      ...(typeof title === "string" && { title }),
      ...(typeof description === "string" && { description }),
      ...(node.default !== undefined && { default: node.default }),
      ...(first !== undefined && { example: first }),
    };
  }

  /** What is said of values of one type; of any, where none is named. */
  private typed(
    node: JsonObject,
    type: string | undefined,
    path: string,
    inside: ReadonlySet<object>,
    types: readonly string[] | undefined,
  ): GeminiSchema {
    const out: GeminiSchema = {};
    const known = type === undefined ? undefined : geminiTypes[type];
    if (known) out.type = known;
    else if (type !== undefined) this.losses.add(join(path, "type"), "type", "is no type of JSON");
    Object.assign(out, this.choice(node, type, path, types));
    this.scalars(node, path, out);
    const { properties, required } = node;
    if (isObject(properties)) {
      const part = ([key, value]: [string, unknown]) =>
        [key, this.write(value, join(path, "properties", key), inside)] as const;
      out.properties = Object.fromEntries(Object.entries(properties).map(part));
    }
    if (Array.isArray(required)) out.required = this.required(required, properties, path);
    const items = this.items(node, path, inside);
    if (items) out.items = items;
    return this.withType(out, path);
  }

  private scalars(node: JsonObject, path: string, out: GeminiSchema): void {
    for (const key of ["minimum", "maximum"] as const) {
      const value = node[key];
      if (typeof value === "number") out[key] = value;
    }
    for (const key of counts) {
      const value = node[key];
      if (typeof value === "number" && Number.isInteger(value)) out[key] = String(value);
    }
    if (typeof node.pattern === "string") out.pattern = node.pattern;
    const { format } = node;
    if (typeof format === "string" && formats.has(format)) out.format = format;
    else if (format !== undefined) {
      this.losses.add(
        join(path, "format"),
        "format",
        `only ${[...formats].join(", ")} are known, not ${String(format)}`,
      );
    }
  }

  /** `enum` and `const`: a choice among texts, or null. */
  private choice(
    node: JsonObject,
    type: string | undefined,
    path: string,
    types: readonly string[] | undefined,
  ): GeminiSchema {
    const key = node.enum === undefined ? "const" : "enum";
    const values: unknown[] = Array.isArray(node.enum) ? node.enum : "const" in node ? [node.const] : [];
    if (values.length === 0) return {};
    if (key === "const") this.losses.add(join(path, key), "const", "became an `enum` of one value");
    // The API refuses empty texts in a list.
    const texts = values.filter((value) => typeof value === "string" && value !== "") as string[];
    const mayBeNull = values.includes(null) && (types?.includes("null") ?? true);
    if (
      texts.length === 0 ||
      texts.length + Number(values.includes(null)) < values.length ||
      (type ?? "string") !== "string"
    ) {
      this.losses.add(
        join(path, key),
        key,
        "only texts that are not empty can be listed: any value of the type fits instead",
      );
      return {};
    }
    if (values.includes(null) !== (types?.includes("null") ?? false)) {
      this.losses.add(join(path, key), key, "the type and the values listed say different things of null");
    }
    // The null of the type is only one that fits if it is listed too.
    return { enum: texts, ...(mayBeNull ? { nullable: true } : types?.includes("null") && { nullable: false }) };
  }

  private required(required: readonly unknown[], properties: unknown, path: string): string[] {
    const names = required.filter((name) => typeof name === "string");
    const known = names.filter((name) => isObject(properties) && Object.hasOwn(properties, name));
    if (known.length < required.length) {
      this.losses.add(join(path, "required"), "required", "only what stands under `properties` can be required");
    }
    return known;
  }

  private items(node: JsonObject, path: string, inside: ReadonlySet<object>): GeminiSchema | undefined {
    const { items, prefixItems } = node;
    const prefix = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : undefined;
    if (!prefix) return items === undefined ? undefined : this.write(items, join(path, "items"), inside);
    const key = prefix === items ? "items" : "prefixItems";
    this.losses.add(join(path, key), key, "items have no places here: each may be any of these, and nothing else");
    const parts: GeminiSchema[] = prefix.map((part, i) => this.write(part, join(path, key, i), inside));
    if (isObject(items)) parts.push(this.write(items, join(path, "items"), inside));
    const distinct = [...new Map(parts.map((part) => [JSON.stringify(part), part])).values()];
    return distinct.length > 0 ? unite(distinct) : undefined;
  }

  /** `anyOf` and `oneOf`. A branch for null is what `nullable` says. */
  private branches(
    node: JsonObject,
    path: string,
    inside: ReadonlySet<object>,
    head: GeminiSchema,
    beside: GeminiSchema,
  ): GeminiSchema {
    const key = Array.isArray(node.anyOf) ? "anyOf" : "oneOf";
    const given = node[key];
    if (!Array.isArray(given)) return {};
    if (key === "oneOf") this.losses.add(join(path, key), key, "became `anyOf`: that only one branch may fit is lost");
    else if (node.oneOf !== undefined) this.losses.add(join(path, "oneOf"), "oneOf", "stands beside `anyOf`");
    const all: GeminiSchema[] = given.map((branch: unknown, i) => this.write(branch, join(path, key, i), inside));
    if (Object.keys(beside).length > 0) return { anyOf: all };
    const united = unite(all);
    if (all.length === 1 || all.some(isNull)) {
      this.losses.add(
        join(path, key),
        key,
        "a branch for null is what `nullable` says, and one branch alone is no choice",
      );
    }
    return { ...united, ...head, ...(united.nullable && { nullable: true }) };
  }

  /** The API needs a type wherever something is said that only one type can be meant by. */
  private withType(out: GeminiSchema, path: string): GeminiSchema {
    const type = out.enum ? "STRING" : out.properties ? "OBJECT" : out.items ? "ARRAY" : undefined;
    if (out.type !== undefined || type === undefined) return out;
    this.losses.add(path, "type", `none was named, and there must be one: ${type}`);
    return { type, ...out };
  }
}

const isNull = ({ type }: GeminiSchema) => type === "NULL";

/** Where nothing is demanded, null fits in any case. */
const isDemanding = ({ type, anyOf }: GeminiSchema) => type !== undefined || anyOf !== undefined;

/** A choice among schemas; the branch for null is what `nullable` says. */
function unite(all: readonly GeminiSchema[]): GeminiSchema {
  const branches = all.filter((branch) => !isNull(branch));
  const nullable = branches.length < all.length && { nullable: true };
  const [only, other] = branches;
  if (other) return { anyOf: branches, ...nullable };
  if (!only) return all.length > 0 ? { type: "NULL" } : { anyOf: [] };
  return isDemanding(only) ? { ...only, ...nullable } : only;
}

const pick = (node: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(node).filter(([key]) => keys.includes(key)));

function oneType(node: JsonObject): GeminiType | undefined {
  const [type, other] = typesOf(node) ?? [];
  return type !== undefined && other === undefined ? geminiTypes[type] : undefined;
}

const same = ["title", "description", "default", "format", "pattern", "minimum", "maximum", "required"];

/** A schema of Gemini's as JSON Schema. */
export function readGeminiSchema(given: unknown, path: string, losses: Losses): JsonObject {
  const schema = objectAt(given, path, "a schema: { type, properties, … }");
  const { type, nullable, example, propertyOrdering, properties, items, anyOf } = schema;
  const others = ["type", "nullable", "example", "enum", "propertyOrdering", "properties", "items", "anyOf"];
  losses.rest(schema, [...same, ...others, ...counts], path);
  const out: JsonObject = {};
  const name = typeof type === "string" && type !== "TYPE_UNSPECIFIED" ? type.toLowerCase() : undefined;
  if (name !== undefined) out.type = nullable === true && name !== "null" ? [name, "null"] : name;
  for (const key of same) if (schema[key] !== undefined) out[key] = schema[key];
  for (const key of counts) if (schema[key] !== undefined) out[key] = Number(schema[key]);
  if (example !== undefined) out.examples = [example];
  if (Array.isArray(schema.enum)) out.enum = nullable === true ? [...schema.enum, null] : schema.enum;
  if (isObject(properties)) out.properties = readProperties(properties, propertyOrdering, path, losses);
  if (items !== undefined) out.items = readGeminiSchema(items, join(path, "items"), losses);
  if (Array.isArray(anyOf)) {
    const branches: unknown[] = anyOf.map((part: unknown, i) => readGeminiSchema(part, join(path, "anyOf", i), losses));
    out.anyOf = nullable === true && name === undefined ? [...branches, { type: "null" }] : branches;
  } else if (nullable === true && name === undefined && !("enum" in out)) {
    losses.add(join(path, "nullable"), "nullable", "says nothing without a type");
  }
  return out;
}

function readProperties(properties: JsonObject, order: unknown, path: string, losses: Losses): JsonObject {
  const first = Array.isArray(order) ? order.filter((key) => Object.hasOwn(properties, String(key))).map(String) : [];
  const keys = [...new Set([...first, ...Object.keys(properties)])];
  const read = (key: string) => [key, readGeminiSchema(properties[key], join(path, "properties", key), losses)];
  return Object.fromEntries(keys.map(read));
}
