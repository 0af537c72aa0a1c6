import type { JsonSchema } from "@toolingua/core";
import { isObject } from "@toolingua/core/adapters";
import { badReference, isReference, type OpenApiDocument } from "./document.js";
import { badOperation } from "./errors.js";
import type { Fields } from "./fields.js";

const MAPS = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);
const LISTS = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const SINGLE = new Set([
  ...["items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"],
  ...["unevaluatedItems", "unevaluatedProperties", "additionalItems", "contentSchema"],
]);
/** Keywords that do not describe values, or that JSON Schema does not have. */
const LEFT_OUT = new Set([
  "example",
  "examples",
  "xml",
  "externalDocs",
  "discriminator",
  "nullable",
  "writeOnly",
  "__proto__",
]);
/** Keywords that may be next to a reference without changing its meaning. */
const WORDS = new Set(["$ref", "description", "title", "default", "deprecated", "summary"]);

interface Definition {
  name: string;
  schema: JsonSchema;
  /** The schemas that are references to it. */
  uses: Fields[];
}

const NONE: ReadonlySet<string> = new Set();

/** The properties of a schema, including those from references and `allOf`. */
interface Mentioned {
  all: Set<string>;
  /** Properties that only the server sets. */
  readOnly: Set<string>;
}

/**
 * Converts the schemas of one tool's parameters from OpenAPI (3.0 or 3.1) to JSON Schema: self-contained, and without
 * properties that only the server sets (`readOnly`). A schema that is referenced more than once, or recursively,
 * becomes one of `$defs`; the others are inlined.
 */
export class ToolSchemas {
  readonly #document: OpenApiDocument;
  readonly #definitions = new Map<string, Definition>();
  readonly #names = new Set<string>();
  /** The schemas that are being converted, since the last reference. */
  #inside = new Set<Fields>();

  constructor(document: OpenApiDocument) {
    this.#document = document;
  }

  /**
   * Converts one schema of this file, without the properties `hidden`, which another part of the same `allOf` declares
   * as set by the server only. Errors: `OpenApiDocumentError` (`bad-reference`).
   */
  async convert(schema: unknown, file: string, hidden = NONE): Promise<JsonSchema> {
    if (isReference(schema)) return await this.#reference(schema, file, hidden);
    if (!isObject(schema)) return schema !== false;
    if (this.#inside.has(schema)) throw badOperation("A schema of it contains itself, without a reference (`$ref`).");
    this.#inside.add(schema);
    try {
      return await this.#converted(schema, file, hidden);
    } finally {
      this.#inside.delete(schema);
    }
  }

  async #converted(schema: Fields, file: string, hidden: ReadonlySet<string>): Promise<JsonSchema> {
    const left = new Set([...hidden, ...(await this.#mentioned(schema, file)).readOnly]);
    const converted: Fields = {};
    for (const [key, value] of Object.entries(schema)) {
      if (LEFT_OUT.has(key) || key.startsWith("x-")) continue;
      if (MAPS.has(key) && isObject(value)) {
        converted[key] = await this.#map(value, file, key === "properties" ? left : NONE);
      } else if (LISTS.has(key) && Array.isArray(value)) {
        converted[key] = await this.#list(value, file, key === "allOf" ? left : NONE);
      } else if (SINGLE.has(key)) converted[key] = await this.convert(value, file);
      else converted[key] = value;
    }
    if (Array.isArray(schema.items)) converted.items = await this.#list(schema.items, file);
    if (Array.isArray(converted.required)) {
      converted.required = converted.required.filter((key) => !left.has(String(key)));
      if ((converted.required as unknown[]).length === 0) delete converted.required;
    }
    exclusive(converted, "exclusiveMinimum", "minimum");
    exclusive(converted, "exclusiveMaximum", "maximum");
    return isNullable(schema) ? orNull(converted) : converted;
  }

  /** The schema of the arguments, with the definitions that the converted schemas need. Called once, at the end. */
  whole(root: Fields): Fields {
    const kept: Fields = {};
    for (const { name, schema, uses } of this.#definitions.values()) {
      const [only] = uses;
      if (uses.length === 1 && isObject(schema) && Object.keys(only!).every((key) => WORDS.has(key))) {
        // In place: another definition may hold this very object.
        const words = { ...only };
        delete words.$ref;
        delete only!.$ref;
        Object.assign(only!, schema, words);
      } else Object.defineProperty(kept, name, { value: schema, enumerable: true });
    }
    return Object.keys(kept).length > 0 ? { ...root, $defs: kept } : root;
  }

  async #reference(schema: { $ref: string } & Fields, file: string, hidden: ReadonlySet<string>): Promise<JsonSchema> {
    const target = await this.#document.follow(schema, file);
    if (target.value === this.#document.root) throw badReference(schema.$ref, "it is the whole document, not a schema");
    const without = hidden.size > 0 ? await this.#concerned(target.value, target.file, hidden) : [];
    const key = without.length > 0 ? `${target.key} without ${JSON.stringify(without)}` : target.key;
    let definition = this.#definitions.get(key);
    if (!definition) {
      definition = { name: this.#nameOf(target.key), schema: true, uses: [] };
      // Registered before its conversion, because it may refer to itself.
      this.#definitions.set(key, definition);
      const outer = this.#inside;
      this.#inside = new Set();
      definition.schema = await this.convert(target.value, target.file, new Set(without));
      this.#inside = outer;
    }
    const { $ref: _, ...beside } = schema;
    const converted = Object.keys(beside).length > 0 ? ((await this.convert(beside, file)) as Fields) : {};
    const use: Fields = { $ref: `#/$defs/${definition.name}`, ...converted };
    definition.uses.push(use);
    return isNullable(schema) ? orNull(use) : use;
  }

  async #map(schemas: Fields, file: string, hidden: ReadonlySet<string>): Promise<Fields> {
    const converted: Fields = {};
    for (const [key, schema] of Object.entries(schemas)) {
      if (hidden.has(key)) continue;
      const value = await this.convert(schema, file);
      Object.defineProperty(converted, key, { value, enumerable: true, configurable: true, writable: true });
    }
    return converted;
  }

  async #list(schemas: unknown[], file: string, hidden = NONE): Promise<JsonSchema[]> {
    const converted: JsonSchema[] = [];
    for (const schema of schemas) converted.push(await this.convert(schema, file, hidden));
    return converted;
  }

  /** The hidden properties that a schema declares and does not remove by itself. */
  async #concerned(schema: unknown, file: string, hidden: ReadonlySet<string>): Promise<string[]> {
    const { all, readOnly } = await this.#mentioned(schema, file);
    return [...hidden].filter((name) => all.has(name) && !readOnly.has(name)).sort();
  }

  async #mentioned(
    schema: unknown,
    from: string,
    found: Mentioned = { all: new Set(), readOnly: new Set() },
    seen = new Set<unknown>(),
  ): Promise<Mentioned> {
    const { value, file } = await this.#document.follow(schema, from);
    if (!isObject(value) || seen.has(value)) return found;
    seen.add(value);
    const { properties, required, allOf } = value;
    for (const name of Array.isArray(required) ? required : []) found.all.add(String(name));
    for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
      found.all.add(name);
      if (await this.#isReadOnly(property, file)) found.readOnly.add(name);
    }
    for (const part of Array.isArray(allOf) ? allOf : []) await this.#mentioned(part, file, found, seen);
    return found;
  }

  async #isReadOnly(schema: unknown, file: string): Promise<boolean> {
    if (isObject(schema) && schema.readOnly === true) return true;
    const { value } = await this.#document.follow(schema, file);
    return isObject(value) && value.readOnly === true;
  }

  /** The last segment of its location. */
  #nameOf(key: string): string {
    const last = key.slice(key.lastIndexOf("/") + 1).replace(/[^\p{L}\p{N}_.-]+/gu, "_") || "schema";
    let name = last;
    for (let number = 2; this.#names.has(name); number++) name = `${last}_${number}`;
    this.#names.add(name);
    return name;
  }
}

const isNullable = (schema: Fields) => schema.nullable === true || schema["x-nullable"] === true;

/**
 * In OpenAPI 3.0, `nullable` is valid only next to a `type`; generators also write it next to references and `allOf`.
 */
function orNull(schema: Fields): Fields {
  if (["$ref", "allOf", "anyOf", "oneOf"].some((key) => Object.hasOwn(schema, key))) {
    const words: Fields = {};
    // The schema keeps its object identity: the target of a reference may replace it later.
    for (const key of ["title", "description", "default", "deprecated"]) {
      if (!Object.hasOwn(schema, key)) continue;
      words[key] = schema[key];
      delete schema[key];
    }
    return { ...words, anyOf: [schema, { type: "null" }] };
  }
  if (typeof schema.type === "string") schema.type = [schema.type, "null"];
  if (Array.isArray(schema.enum) && !schema.enum.includes(null)) schema.enum = [...schema.enum, null];
  return schema;
}

/** Converts OpenAPI 3.0's boolean next to the limit. */
function exclusive(schema: Fields, keyword: string, limit: string): void {
  if (typeof schema[keyword] !== "boolean") return;
  const isExclusive = schema[keyword];
  delete schema[keyword];
  if (!isExclusive || schema[limit] === undefined) return;
  schema[keyword] = schema[limit];
  delete schema[limit];
}
