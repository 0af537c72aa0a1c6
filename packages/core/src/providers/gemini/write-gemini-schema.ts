import { isObject, ownValue } from "../../common/plain-object.js";
import { type JsonObject, join, printJson } from "../../schema/json.js";
import { LIMITS } from "../../schema/limits.js";
import { resolveReference } from "../../schema/references.js";
import { resolve } from "../../schema/resolve.js";
import { plainTypesOf } from "../../schema/schema-types.js";
import type { JsonSchema } from "../../types.js";
import { Losses } from "../common/losses.js";
import { type GeminiSchema, type GeminiType, geminiTypes, keywordsOf } from "./gemini-schema.js";
import { annotationsOf, boundsOf, choiceOf, inferredType } from "./gemini-values.js";
import { Keywords } from "./keywords.js";
import { readGeminiSchema } from "./read-gemini-schema.js";

/** The keywords that a type with parts requires; for other types, the type is enough. */
const partsOf: { [Type in GeminiType]?: readonly string[] } = {
  OBJECT: ["properties"],
  ARRAY: ["items", "prefixItems"],
};

/**
 * A JSON Schema in Gemini's subset. References are expanded, `allOf` is merged, unions with null become `nullable`;
 * other keywords outside the subset are omitted. The API refuses a schema without a type, an object without properties
 * and a list without items: these become a string with their JSON, which `parseToolCallArguments` parses. All changes
 * are reported.
 *
 * An object without properties at the root is kept: its tool is written without parameters.
 */
export function writeGeminiSchema(schema: JsonSchema, path: string, losses: Losses): GeminiSchema {
  return new SchemaWriter(schema, losses).write(schema, path, new Set()) ?? { type: "OBJECT" };
}

/** The limit of schema nodes: expanded references can double with every step. */
const MAX_NODES = 5_000;

class SchemaWriter {
  private nodes = 0;

  constructor(
    private readonly root: JsonSchema,
    private readonly losses: Losses,
  ) {}

  /** `inside`: the schemas that contain this one, also through references. Returns undefined if no value matches. */
  write(schema: unknown, path: string, inside: ReadonlySet<object>): GeminiSchema | undefined {
    if (schema === true && inside.size === 0) return { type: "OBJECT" };
    if (schema === true) {
      this.losses.add(path, "true", "the API accepts no schema for any value: written as a string with its JSON");
      return textOf("any value");
    }
    if (!isObject(schema)) {
      this.losses.add(path, String(schema), "no value matches it: omitted");
      return undefined;
    }
    if (inside.has(schema) || inside.size > LIMITS.depth || ++this.nodes > MAX_NODES) {
      this.losses.add(path, "recursion", "cannot be expanded: written as a string with its JSON");
      return textOf("recursive value");
    }
    const given = new Keywords(this.resolved(schema, path));
    for (const key of ["$defs", "definitions"]) {
      if (given.take(key) !== undefined) this.losses.add(join(path, key), key, "there are no definitions to refer to");
    }
    const written = this.node(given, path, new Set([...inside, schema]));
    for (const key of given.left()) this.losses.add(join(path, key), key, "Gemini's schemas do not have this keyword");
    return written;
  }

  /** The schema without references and `allOf`. */
  private resolved(schema: JsonObject, path: string): JsonObject {
    const { $ref: ref, allOf } = schema;
    if (ref === undefined && allOf === undefined) return schema;
    const { $ref: _, allOf: __, ...node } = resolve(schema, this.root);
    // Keywords that were merged from elsewhere, or overridden.
    const instead = Object.keys({ ...schema, ...node }).filter(
      (key) => printJson(schema[key]) !== printJson(node[key]),
    );
    const others = instead.filter((key) => key !== "$ref" && key !== "allOf").map((key) => join(path, key));
    if (ref !== undefined) {
      const isFound = typeof ref === "string" && resolveReference(this.root, ref) !== undefined;
      const why = isFound
        ? "there are no references: written out here"
        : "refers to nothing: any value matches instead";
      this.losses.add(join(path, "$ref"), "$ref", why, others);
    }
    if (allOf !== undefined) {
      this.losses.add(join(path, "allOf"), "allOf", "was merged as far as possible", others);
    }
    return node;
  }

  private node(given: Keywords, path: string, inside: ReadonlySet<object>): GeminiSchema {
    const types = plainTypesOf(given.all);
    const named = given.take("type");
    const plain = types?.filter((type) => ownValue(geminiTypes, type) !== undefined && type !== "null") ?? [];
    const known = plain.length + Number(types?.includes("null") ?? false);
    if (named !== undefined && (known === 0 || known < (types?.length ?? 0))) {
      this.losses.add(join(path, "type"), "type", `is not a JSON type: ${printJson(named)}`);
    }
    const nullable = types?.includes("null") === true && plain.length > 0;
    const head: GeminiSchema = { ...annotationsOf(given, path, this.losses), ...(nullable && { nullable }) };
    if (plain.length > 1) return { ...head, anyOf: this.typeBranches(given, plain, path, inside) };
    const isRoot = inside.size === 1;
    const type = plain[0] ?? (known > 0 ? "null" : inferredType(given.all, path, isRoot, this.losses));
    const choice = choiceOf(given, type, path, types, this.losses);
    const typed = type === undefined ? choice : this.typed(given, type, path, inside);
    const branches = this.branches(given, path, inside, head, { ...typed, ...choice });
    const { nullable: mayBeNull, ...rest } = { ...head, ...typed, ...choice, ...branches };
    const whole = { ...rest, ...(mayBeNull && { nullable: true }) };
    if (rest.type === "OBJECT" && !rest.properties && !(isRoot && !rest.anyOf)) {
      return rest.anyOf ? without(whole, "type") : this.asText(whole, "an object", path);
    }
    // Arguments are always an object.
    if (!isDemanding(rest) && isRoot) return { ...whole, type: "OBJECT" };
    return isDemanding(rest) ? whole : this.asText(whole, "any value", path);
  }

  /** A branch for each of several types, with the keywords for its values. */
  private typeBranches(given: Keywords, types: readonly string[], path: string, inside: ReadonlySet<object>) {
    const instead = [join(path, "anyOf")];
    this.losses.add(join(path, "type"), "type", "a schema has one type here: each became a branch of `anyOf`", instead);
    const keys = types.flatMap((type) => keywordsOf[type] ?? []).filter((key) => given.all[key] !== undefined);
    for (const key of new Set(keys)) {
      this.losses.add(join(path, key), key, "moved to the branch of its type", instead);
    }
    const branches = types.map((type) => {
      const part = new Keywords(pick(given.all, keywordsOf[type] ?? []));
      const branch = { ...this.typed(part, type, path, inside), ...choiceOf(part, type, path, undefined, this.losses) };
      const isEmpty = branch.type === "OBJECT" && !branch.properties;
      return isEmpty ? textOf("an object") : without(branch, "nullable");
    });
    for (const key of keys) given.take(key);
    return distinct(branches);
  }

  /** The schema for values of one type. */
  private typed(given: Keywords, type: string, path: string, inside: ReadonlySet<object>): GeminiSchema {
    const out = boundsOf(given, type);
    if (type === "object") this.object(given, path, inside, out);
    if (type === "array") out.items = this.items(given, path, inside);
    return out;
  }

  private object(given: Keywords, path: string, inside: ReadonlySet<object>, out: GeminiSchema): void {
    const properties = given.takeIf("properties", isObject);
    if (isObject(properties)) {
      const parts = Object.entries(properties).map(
        ([key, value]) => [key, this.write(value, join(path, "properties", key), inside)] as const,
      );
      const kept = parts.filter((part): part is [string, GeminiSchema] => part[1] !== undefined);
      if (kept.length > 0) out.properties = Object.fromEntries(kept);
      else if (inside.size > 1) this.losses.add(join(path, "properties"), "properties", "there are no properties");
    }
    const required = given.takeIf("required", Array.isArray);
    if (!Array.isArray(required)) return;
    const isKnown = (name: unknown) => typeof name === "string" && Object.hasOwn(out.properties ?? {}, name);
    required.forEach((name: unknown, i) => {
      const why = "only names under `properties` can be required";
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
      if (items === undefined) this.losses.add(at, "items", "a list needs `items` here: they became strings with JSON");
      return written ?? textOf("any value");
    }
    const key = prefix === items ? "items" : "prefixItems";
    const why = "items have no positions here: each may be any of these, and nothing else";
    this.losses.add(join(path, key), key, why, [at]);
    const parts = prefix.map((part, i) => this.write(part, join(path, key, i), inside));
    if (isObject(items)) parts.push(this.write(items, at, inside));
    const kept = distinct(parts.filter((part) => part !== undefined));
    return kept.length > 0 ? unite(kept) : textOf("any value");
  }

  /** `anyOf` and `oneOf`. A branch for null becomes `nullable`. */
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
      this.losses.add(at, key, "branches that only restrict the keywords next to them cannot be expressed");
      return {};
    }
    if (key === "oneOf") {
      this.losses.add(at, key, "became `anyOf`: more than one branch may match", [join(path, "anyOf")]);
    }
    const all = branches
      .map((branch: unknown, i) => this.write(branch, join(at, i), inside))
      .filter((branch) => branch !== undefined);
    if (all.length < branches.length) this.losses.add(at, key, "some branches were omitted");
    if (all.length === 0) return {};
    if (Object.keys(beside).length > 0) {
      // If only the branches have properties, the object's type is dropped.
      const isFree = type === "OBJECT" && !beside.properties;
      if (isFree || all.every((branch) => branch.type === type)) return { anyOf: all };
      this.losses.add(at, key, "its branches have another type than the keywords next to them");
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
      const why = "the branch for null became `nullable`, and one branch needs no choice";
      this.losses.add(at, key, why, instead);
    }
    return written;
  }

  /** Whether a branch is a complete schema, not only a condition (`required`, `minItems`, `format`). */
  private isWhole(branch: unknown, type: GeminiType): boolean {
    const node = isObject(branch) ? resolve(branch, this.root) : {};
    return ["anyOf", "oneOf", ...(partsOf[type] ?? ["type", "enum", "const"])].some((key) => key in node);
  }

  /** A string with the value's JSON, if the schema cannot be expressed. */
  private asText({ title, description, nullable, ...rest }: GeminiSchema, kind: string, path: string): GeminiSchema {
    const why = `the API accepts no schema for ${kind}: written as a string with its JSON`;
    const gone = Object.keys(readGeminiSchema(rest, "", new Losses())).map((key) => join(path, key));
    this.losses.add(join(path, "type"), "type", why, [...new Set([...gone, join(path, "description")])]);
    return { ...(title !== undefined && { title }), ...textOf(kind, description), ...(nullable && { nullable }) };
  }
}

/** The replacement for a schema that Gemini cannot express: a string that contains the value's JSON. */
const textOf = (kind: string, description?: string): GeminiSchema => ({
  type: "STRING",
  description: `${description ? `${description} ` : ""}(${kind}, as JSON text)`,
});

const isNull = ({ type }: GeminiSchema) => type === "NULL";

/** Whether a schema restricts its values. */
const isDemanding = ({ type, anyOf }: GeminiSchema) => type !== undefined || anyOf !== undefined;

/** A union of schemas; a branch for null becomes `nullable`. */
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
