import type { JsonSchema } from "@toolingua/core";
import { type Fields, isFields, isReference, type OpenApiDocument } from "./document.js";

const MAPS = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);
const LISTS = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const SINGLE = new Set([
  ...["items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"],
  ...["unevaluatedItems", "unevaluatedProperties", "additionalItems", "contentSchema"],
]);
/** What says nothing of the values, or nothing that JSON Schema knows. */
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
/** What may stand beside a reference without saying anything of the values. */
const WORDS = new Set(["$ref", "description", "title", "default", "deprecated", "summary"]);

interface Definition {
  name: string;
  schema: JsonSchema;
  /** The schemas that are references to it. */
  uses: Fields[];
}

/**
 * The schemas of one tool's parameters, from OpenAPI's (3.0 or 3.1) to JSON Schema's: self-contained, without what only a
 * server sets (`readOnly`). What is referred to more than once, or refers to itself, becomes one of `$defs`; all else
 * stands where it is used.
 */
export class ToolSchemas {
  readonly #document: OpenApiDocument;
  readonly #definitions = new Map<string, Definition>();
  readonly #names = new Set<string>();

  constructor(document: OpenApiDocument) {
    this.#document = document;
  }

  /** One schema, which stands in this file. Errors: `OpenApiDocumentError` (`bad-reference`). */
  async convert(schema: unknown, file: string): Promise<JsonSchema> {
    if (isReference(schema)) return await this.#reference(schema, file);
    if (!isFields(schema)) return schema !== false;
    const converted: Fields = {};
    for (const [key, value] of Object.entries(schema)) {
      if (LEFT_OUT.has(key) || key.startsWith("x-")) continue;
      if (MAPS.has(key) && isFields(value)) converted[key] = await this.#map(value, file, key === "properties");
      else if (LISTS.has(key) && Array.isArray(value)) converted[key] = await this.#list(value, file);
      else if (SINGLE.has(key)) converted[key] = await this.convert(value, file);
      else converted[key] = value;
    }
    if (Array.isArray(schema.items)) converted.items = await this.#list(schema.items, file);
    withoutReadOnly(converted, schema);
    if (schema.nullable === true) orNull(converted);
    exclusive(converted, "exclusiveMinimum", "minimum");
    exclusive(converted, "exclusiveMaximum", "maximum");
    return converted;
  }

  /** The schema of the arguments, with the definitions that the converted schemas need. Called once, at the end. */
  whole(root: Fields): Fields {
    const kept: Fields = {};
    for (const { name, schema, uses } of this.#definitions.values()) {
      const [only] = uses;
      if (uses.length === 1 && isFields(schema) && Object.keys(only!).every((key) => WORDS.has(key))) {
        // In place: another definition may hold this very object.
        const words = { ...only };
        delete words.$ref;
        delete only!.$ref;
        Object.assign(only!, schema, words);
      } else Object.defineProperty(kept, name, { value: schema, enumerable: true });
    }
    return Object.keys(kept).length > 0 ? { ...root, $defs: kept } : root;
  }

  async #reference(schema: { $ref: string } & Fields, file: string): Promise<JsonSchema> {
    const target = await this.#document.follow(schema, file);
    let definition = this.#definitions.get(target.key);
    if (!definition) {
      definition = { name: this.#nameOf(target.key), schema: true, uses: [] };
      // Known before it is converted: it may refer to itself.
      this.#definitions.set(target.key, definition);
      definition.schema = await this.convert(target.value, target.file);
    }
    const { $ref: _, ...beside } = schema;
    const converted = Object.keys(beside).length > 0 ? ((await this.convert(beside, file)) as Fields) : {};
    const use: Fields = { $ref: `#/$defs/${definition.name}`, ...converted };
    definition.uses.push(use);
    return use;
  }

  async #map(schemas: Fields, file: string, areProperties: boolean): Promise<Fields> {
    const converted: Fields = {};
    for (const [key, schema] of Object.entries(schemas)) {
      if (areProperties && (await this.#isReadOnly(schema, file))) continue;
      const value = await this.convert(schema, file);
      Object.defineProperty(converted, key, { value, enumerable: true, configurable: true, writable: true });
    }
    return converted;
  }

  async #list(schemas: unknown[], file: string): Promise<JsonSchema[]> {
    const converted: JsonSchema[] = [];
    for (const schema of schemas) converted.push(await this.convert(schema, file));
    return converted;
  }

  async #isReadOnly(schema: unknown, file: string): Promise<boolean> {
    if (isFields(schema) && schema.readOnly === true) return true;
    const { value } = await this.#document.follow(schema, file);
    return isFields(value) && value.readOnly === true;
  }

  /** The last word of where it stands. */
  #nameOf(key: string): string {
    const last =
      decodeURIComponent(key.slice(key.lastIndexOf("/") + 1)).replace(/[^\p{L}\p{N}_.-]+/gu, "_") || "schema";
    let name = last;
    for (let number = 2; this.#names.has(name); number++) name = `${last}_${number}`;
    this.#names.add(name);
    return name;
  }
}

/** What is no property any more is not required either. */
function withoutReadOnly(converted: Fields, { properties: before }: Fields): void {
  const { required, properties } = converted;
  if (!Array.isArray(required) || !isFields(properties) || !isFields(before)) return;
  const left = required.filter((key) => !Object.hasOwn(before, key) || Object.hasOwn(properties, key));
  if (left.length > 0) converted.required = left;
  else delete converted.required;
}

/** OpenAPI 3.0: `nullable` counts only beside a `type`. */
function orNull(schema: Fields): void {
  if (typeof schema.type !== "string") return;
  schema.type = [schema.type, "null"];
  if (Array.isArray(schema.enum) && !schema.enum.includes(null)) schema.enum = [...schema.enum, null];
}

/** OpenAPI 3.0 says it by a boolean beside the limit. */
function exclusive(schema: Fields, keyword: string, limit: string): void {
  if (typeof schema[keyword] !== "boolean") return;
  const isExclusive = schema[keyword];
  delete schema[keyword];
  if (!isExclusive || schema[limit] === undefined) return;
  schema[keyword] = schema[limit];
  delete schema[limit];
}
