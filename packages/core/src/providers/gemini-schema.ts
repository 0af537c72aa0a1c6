import { isObject } from "../plain-object.js";
import { type JsonObject, join, printJson } from "../schema/json.js";
import { pointer, resolve, typesOf } from "../schema/plan.js";
import type { JsonSchema } from "../types.js";
import { Losses } from "./losses.js";
import { plainData } from "./plain-data.js";
import { readGeminiSchema } from "./read-gemini-schema.js";

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

/** The formats that the API takes of each type. */
const formats: Record<string, readonly string[]> = {
  string: ["enum", "date-time"],
  number: ["float", "double"],
  integer: ["int32", "int64"],
};

const counts = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"] as const;
/** What is said of values of one type. */
const byType: Record<string, readonly string[]> = {
  string: ["enum", "const", "format", "pattern", "minLength", "maxLength"],
  number: ["enum", "const", "format", "minimum", "maximum"],
  integer: ["enum", "const", "format", "minimum", "maximum"],
  boolean: ["enum", "const"],
  array: ["items", "prefixItems", "minItems", "maxItems"],
  object: ["properties", "required", "minProperties", "maxProperties"],
};

/** What a value of parts must name; for any other, the type is enough. */
const partsOf: { [Type in GeminiType]?: readonly string[] } = {
  OBJECT: ["properties"],
  ARRAY: ["items", "prefixItems"],
};

/**
 * A JSON Schema in Gemini's subset. References are written out, `allOf` is merged, unions with null become `nullable`;
 * what the subset cannot say is left out. The API refuses a schema without a type, an object without properties and a list
 * without items: the text of their JSON stands in, which `parseToolCallArguments` reads. All of it is reported.
 *
 * At the root an object without properties stays one: a tool that has it is written without parameters.
 */
export function writeGeminiSchema(schema: JsonSchema, path: string, losses: Losses): GeminiSchema {
  return new SchemaWriter(schema, losses).write(schema, path, new Set()) ?? { type: "OBJECT" };
}

/** References that are written out can double with every step. */
const MAX_NODES = 5_000;

class SchemaWriter {
  private nodes = 0;

  constructor(
    private readonly root: JsonSchema,
    private readonly losses: Losses,
  ) {}

  /** `inside`: the schemas that this one stands in, by whatever way it was reached. None: nothing fits, it is left out. */
  write(schema: unknown, path: string, inside: ReadonlySet<object>): GeminiSchema | undefined {
    if (schema === true && inside.size === 0) return { type: "OBJECT" };
    if (schema === true) {
      this.losses.add(path, "true", "any value has no schema here that the API takes: the text of its JSON stands in");
      return textOf("any value");
    }
    if (!isObject(schema)) {
      this.losses.add(path, String(schema), "is left out: nothing fits it");
      return undefined;
    }
    if (inside.has(schema) || ++this.nodes > MAX_NODES) {
      this.losses.add(path, "recursion", "cannot be written out without end: the text of its JSON stands in");
      return textOf("the same again");
    }
    const given = new Keywords(this.resolved(schema, path));
    for (const key of ["$defs", "definitions"]) {
      if (given.take(key) !== undefined) this.losses.add(join(path, key), key, "there are no definitions to refer to");
    }
    const written = this.node(given, path, new Set([...inside, schema]));
    for (const key of given.left()) this.losses.add(join(path, key), key, "cannot be said in Gemini's schemas");
    return written;
  }

  /** The schema without references and `allOf`. */
  private resolved(schema: JsonObject, path: string): JsonObject {
    const { $ref: ref, allOf } = schema;
    if (ref === undefined && allOf === undefined) return schema;
    const { $ref: _, allOf: __, ...node } = resolve(schema, this.root);
    // What was merged from elsewhere, or overruled.
    const instead = Object.keys({ ...schema, ...node }).filter(
      (key) => printJson(schema[key]) !== printJson(node[key]),
    );
    const others = instead.filter((key) => key !== "$ref" && key !== "allOf").map((key) => join(path, key));
    if (ref !== undefined) {
      const isFound = typeof ref === "string" && isObject(pointer(this.root, ref));
      const why = isFound ? "there are no references: written out here" : "leads nowhere: anything fits instead";
      this.losses.add(join(path, "$ref"), "$ref", why, others);
    }
    if (allOf !== undefined) {
      this.losses.add(join(path, "allOf"), "allOf", "was merged as far as that can be", others);
    }
    return node;
  }

  private node(given: Keywords, path: string, inside: ReadonlySet<object>): GeminiSchema {
    const types = typesOf(given.all)?.map((type) => type.toLowerCase());
    const named = given.take("type");
    const plain = types?.filter((type) => geminiTypes[type] !== undefined && type !== "null") ?? [];
    const known = plain.length + Number(types?.includes("null") ?? false);
    if (named !== undefined && (known === 0 || known < (types?.length ?? 0))) {
      this.losses.add(join(path, "type"), "type", `is no type of JSON: ${printJson(named)}`);
    }
    const nullable = types?.includes("null") === true && plain.length > 0;
    const head: GeminiSchema = { ...this.annotations(given, path), ...(nullable && { nullable }) };
    if (plain.length > 1) return { ...head, anyOf: this.typeBranches(given, plain, path, inside) };
    const isRoot = inside.size === 1;
    const type = plain[0] ?? (known > 0 ? "null" : this.inferred(given.all, path, isRoot));
    const choice = this.choice(given, type, path, types);
    const typed = type === undefined ? choice : this.typed(given, type, path, inside);
    const branches = this.branches(given, path, inside, head, { ...typed, ...choice });
    const { nullable: mayBeNull, ...rest } = { ...head, ...typed, ...choice, ...branches };
    const whole = { ...rest, ...(mayBeNull && { nullable: true }) };
    if (rest.type === "OBJECT" && !rest.properties && !(isRoot && !rest.anyOf)) {
      return rest.anyOf ? without(whole, "type") : this.asText(whole, "an object", path);
    }
    // Arguments are an object in any case.
    if (!isDemanding(rest) && isRoot) return { ...whole, type: "OBJECT" };
    return isDemanding(rest) ? whole : this.asText(whole, "any value", path);
  }

  /** A branch for each of several types, with what is said of its values. */
  private typeBranches(given: Keywords, types: readonly string[], path: string, inside: ReadonlySet<object>) {
    const instead = [join(path, "anyOf")];
    this.losses.add(join(path, "type"), "type", "a schema has one type here: each became a branch of `anyOf`", instead);
    const keys = types.flatMap((type) => byType[type] ?? []).filter((key) => given.all[key] !== undefined);
    for (const key of new Set(keys)) {
      this.losses.add(join(path, key), key, "stands in the branch of its type", instead);
    }
    const branches = types.map((type) => {
      const part = new Keywords(pick(given.all, byType[type] ?? []));
      const branch = { ...this.typed(part, type, path, inside), ...this.choice(part, type, path, undefined) };
      const isEmpty = branch.type === "OBJECT" && !branch.properties;
      return isEmpty ? textOf("an object") : without(branch, "nullable");
    });
    for (const key of keys) given.take(key);
    return distinct(branches);
  }

  private annotations(given: Keywords, path: string): GeminiSchema {
    const [title, description, initial] = [given.take("title"), given.take("description"), given.take("default")];
    for (const [key, value] of Object.entries({ title, description })) {
      if (value !== undefined && typeof value !== "string") this.losses.add(join(path, key), key, "is no text");
    }
    const [examples, example] = [given.take("examples"), given.take("example")];
    const shown: unknown[] = Array.isArray(examples) ? examples : [];
    if (examples !== undefined && shown.length !== 1) {
      this.losses.add(join(path, "examples"), "examples", "a schema has one example here");
    }
    if (example !== undefined) {
      this.losses.add(join(path, "example"), "example", "is read as `examples`", [join(path, "examples")]);
    }
    const first = shown.length > 0 ? shown[0] : example;
    return {
      ...(typeof title === "string" && { title }),
      ...(typeof description === "string" && { description }),
      ...(initial !== undefined && { default: plainData(initial, join(path, "default"), this.losses) }),
      ...(first !== undefined && { example: plainData(first, join(path, "examples"), this.losses) }),
    };
  }

  /** What is said of values of one type. */
  private typed(given: Keywords, type: string, path: string, inside: ReadonlySet<object>): GeminiSchema {
    const out: GeminiSchema = { type: geminiTypes[type]! };
    for (const key of ["minimum", "maximum"] as const) {
      const value = given.takeIf(key, (found) => typeof found === "number");
      if (typeof value === "number") out[key] = value;
    }
    for (const key of counts) {
      const value = given.takeIf(key, Number.isInteger);
      if (value !== undefined) out[key] = String(value);
    }
    const pattern = given.takeIf("pattern", (found) => typeof found === "string");
    if (typeof pattern === "string") out.pattern = pattern;
    const format = given.takeIf("format", (found) => formats[type]?.includes(String(found)) === true);
    if (format !== undefined) out.format = String(format);
    if (type === "object") this.object(given, path, inside, out);
    if (type === "array") out.items = this.items(given, path, inside);
    return out;
  }

  /** The type of what is said where none is named. */
  private inferred(node: JsonObject, path: string, isRoot: boolean): string | undefined {
    const listed: unknown[] = Array.isArray(node.enum) ? node.enum : "const" in node ? [node.const] : [];
    const ofValues = [...new Set(listed.filter((value) => value !== null).map(jsonType))];
    const ofNumbers = ofValues.every((type) => type === "integer" || type === "number") ? "number" : undefined;
    const fromValues = ofValues.length === 1 ? ofValues[0] : ofValues.length > 1 ? ofNumbers : undefined;
    const telling = Object.keys(byType).filter((type) => byType[type]!.some((key) => telltale(key) && key in node));
    const fromKeywords = telling.filter((type) => type !== "integer");
    const type = fromValues ?? (listed.length === 0 && fromKeywords.length === 1 ? fromKeywords[0] : undefined);
    if (type === undefined || geminiTypes[type] === undefined) return undefined;
    if (isRoot && type === "object") return type;
    this.losses.add(join(path, "type"), "type", `none was named, and there must be one: ${geminiTypes[type]}`);
    return type;
  }

  /** `enum` and `const`: a choice among texts, or null. */
  private choice(
    given: Keywords,
    type: string | undefined,
    path: string,
    types: readonly string[] | undefined,
  ): GeminiSchema {
    const key = given.all.enum === undefined ? "const" : "enum";
    const found = given.take(key);
    const values: unknown[] =
      key === "const" ? ("const" in given.all ? [found] : []) : Array.isArray(found) ? found : [];
    if (values.length === 0) {
      if (found !== undefined) this.losses.add(join(path, key), key, "lists nothing");
      return {};
    }
    const at = join(path, key);
    // The API refuses empty texts in a list.
    const texts = values.filter((value) => typeof value === "string" && value !== "") as string[];
    const isAll = texts.length > 0 && texts.length + Number(values.includes(null)) === values.length;
    if (!isAll || type !== "string") {
      this.losses.add(at, key, "only texts that are not empty can be listed: any value of the type fits instead");
      return values.includes(null) && types === undefined && type !== undefined ? this.nullable(at, key, path) : {};
    }
    const said = [join(path, "enum"), join(path, "type")];
    if (key === "const") this.losses.add(at, "const", "became an `enum` of one value", said.slice(0, 1));
    if (values.includes(null) !== (types?.includes("null") ?? false)) {
      this.losses.add(at, key, "the type and the values listed say different things of null", said);
    }
    // The null of the type is only one that fits if it is listed too.
    const mayBeNull = values.includes(null) && (types?.includes("null") ?? true);
    return { enum: texts, ...(mayBeNull ? { nullable: true } : types?.includes("null") && { nullable: false }) };
  }

  private nullable(at: string, key: string, path: string): GeminiSchema {
    this.losses.add(at, key, "null fits as well, which is said by the type", [join(path, "type")]);
    return { nullable: true };
  }

  private object(given: Keywords, path: string, inside: ReadonlySet<object>, out: GeminiSchema): void {
    const properties = given.takeIf("properties", isObject);
    if (isObject(properties)) {
      const parts = Object.entries(properties).map(
        ([key, value]) => [key, this.write(value, join(path, "properties", key), inside)] as const,
      );
      const kept = parts.filter((part): part is [string, GeminiSchema] => part[1] !== undefined);
      if (kept.length > 0) out.properties = Object.fromEntries(kept);
      else if (inside.size > 1) this.losses.add(join(path, "properties"), "properties", "there are none to be named");
    }
    const required = given.takeIf("required", Array.isArray);
    if (!Array.isArray(required)) return;
    const isKnown = (name: unknown) => typeof name === "string" && Object.hasOwn(out.properties ?? {}, name);
    required.forEach((name: unknown, i) => {
      const why = "only what stands under `properties` can be required";
      if (!isKnown(name)) this.losses.add(join(path, "required", i), "required", why);
    });
    out.required = required.filter(isKnown) as string[];
  }

  private items(given: Keywords, path: string, inside: ReadonlySet<object>): GeminiSchema {
    const [items, prefixItems] = [given.take("items"), given.take("prefixItems")];
    const prefix: unknown = Array.isArray(prefixItems) ? prefixItems : items;
    const at = join(path, "items");
    if (!Array.isArray(prefix)) {
      const written = items === undefined ? undefined : this.write(items, at, inside);
      if (items === undefined) this.losses.add(at, "items", "a list must name its items here: texts of JSON stand in");
      return written ?? textOf("any value");
    }
    const key = prefix === items ? "items" : "prefixItems";
    const why = "items have no places here: each may be any of these, and nothing else";
    this.losses.add(join(path, key), key, why, [at]);
    const parts = prefix.map((part, i) => this.write(part, join(path, key, i), inside));
    if (isObject(items)) parts.push(this.write(items, at, inside));
    const kept = distinct(parts.filter((part) => part !== undefined));
    return kept.length > 0 ? unite(kept) : textOf("any value");
  }

  /** `anyOf` and `oneOf`. A branch for null is what `nullable` says. */
  private branches(
    given: Keywords,
    path: string,
    inside: ReadonlySet<object>,
    head: GeminiSchema,
    beside: GeminiSchema,
  ): GeminiSchema {
    const key = Array.isArray(given.all.anyOf) ? "anyOf" : "oneOf";
    const branches = given.takeIf(key, Array.isArray);
    if (!Array.isArray(branches)) return {};
    const at = join(path, key);
    const { type } = beside;
    if (type && !branches.every((branch) => this.isWhole(branch, type))) {
      this.losses.add(at, key, "branches that only restrict what stands beside them cannot be said");
      return {};
    }
    if (key === "oneOf") {
      this.losses.add(at, key, "became `anyOf`: that only one branch may fit is lost", [join(path, "anyOf")]);
    }
    const all = branches
      .map((branch: unknown, i) => this.write(branch, join(at, i), inside))
      .filter((branch) => branch !== undefined);
    if (all.length < branches.length) this.losses.add(at, key, "has branches that were left out");
    if (all.length === 0) return {};
    if (Object.keys(beside).length > 0) {
      // An object's type goes where only the branches have properties.
      const isFree = type === "OBJECT" && !beside.properties;
      if (isFree || all.every((branch) => branch.type === type)) return { anyOf: all };
      this.losses.add(at, key, "its branches are of another type than what stands beside them");
      return {};
    }
    const united = unite(all);
    const description = [head.description, united.description].filter(Boolean).join(" ");
    const written: GeminiSchema = {
      ...united,
      ...head,
      ...(description !== "" && { description }),
      ...(united.nullable && { nullable: true }),
    };
    const isLast = all.length > 2 && all.findIndex(isNull) === all.length - 1 && Object.keys(all.at(-1)!).length === 1;
    if ((all.length === 1 || all.some(isNull)) && !isLast) {
      const instead = Object.keys(readGeminiSchema(written, "", new Losses())).map((one) => join(path, one));
      const why = "a branch for null is what `nullable` says, and one branch alone is no choice";
      this.losses.add(at, key, why, instead);
    }
    return written;
  }

  /** Whether a branch can stand by itself: it does not only demand something (`required`, `minItems`, `format`). */
  private isWhole(branch: unknown, type: GeminiType): boolean {
    const node = isObject(branch) ? resolve(branch, this.root) : {};
    return ["anyOf", "oneOf", ...(partsOf[type] ?? ["type", "enum", "const"])].some((key) => key in node);
  }

  /** The text of the value's JSON, where its schema cannot be said. */
  private asText({ title, description, nullable, ...rest }: GeminiSchema, kind: string, path: string): GeminiSchema {
    const why = `${kind} has no schema here that the API takes: the text of its JSON stands in`;
    const gone = Object.keys(readGeminiSchema(rest, "", new Losses())).map((key) => join(path, key));
    this.losses.add(join(path, "type"), "type", why, [...new Set([...gone, join(path, "description")])]);
    return { ...(title !== undefined && { title }), ...textOf(kind, description), ...(nullable && { nullable }) };
  }
}

/** The keywords of a schema, each of which is taken once. */
class Keywords {
  private readonly taken = new Set<string>();

  constructor(readonly all: JsonObject) {}

  take(key: string): unknown {
    this.taken.add(key);
    return Object.hasOwn(this.all, key) ? this.all[key] : undefined;
  }

  takeIf(key: string, isRight: (value: unknown) => boolean): unknown {
    return isRight(this.all[key]) ? this.take(key) : undefined;
  }

  /** What nothing took. */
  left(): string[] {
    return Object.keys(this.all).filter((key) => !this.taken.has(key));
  }
}

/** Stands in for what Gemini's schemas cannot say; whoever reads the call finds the value in the text. */
const textOf = (kind: string, description?: string): GeminiSchema => ({
  type: "STRING",
  description: `${description ? `${description} ` : ""}(${kind}, as the text of its JSON)`,
});

const isNull = ({ type }: GeminiSchema) => type === "NULL";

/** Where nothing is demanded, anything fits. */
const isDemanding = ({ type, anyOf }: GeminiSchema) => type !== undefined || anyOf !== undefined;

/** A choice among schemas; the branch for null is what `nullable` says. */
function unite(all: readonly GeminiSchema[]): GeminiSchema {
  const branches = all.filter((branch) => !isNull(branch));
  const nullable = branches.length < all.length && { nullable: true };
  const [only, other] = branches;
  if (other) return { anyOf: branches, ...nullable };
  return only ? { ...only, ...nullable } : { type: "NULL" };
}

const distinct = (schemas: readonly GeminiSchema[]): GeminiSchema[] => [
  ...new Map(schemas.map((schema) => [printJson(schema), schema])).values(),
];

const pick = (node: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(node).filter(([key]) => keys.includes(key)));

function without<Key extends keyof GeminiSchema>(schema: GeminiSchema, key: Key): GeminiSchema {
  const { [key]: _, ...rest } = schema;
  return rest;
}

/** Whether a keyword is said of one type of values only. */
const telltale = (key: string) => key !== "enum" && key !== "const" && key !== "format";

function jsonType(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}
