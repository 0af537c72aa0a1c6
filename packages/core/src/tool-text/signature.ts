import { isObject } from "../common/plain-object.js";
import { typeNamed } from "../schema/json-types.js";
import { withinLimits } from "../schema/limits.js";
import { resolveReference } from "../schema/references.js";
import { requiredOf } from "../schema/required.js";
import type { JsonSchema, ToolDefinition } from "../types.js";
import { recursiveTypes } from "./recursive-types.js";

type SchemaObject = { [keyword: string]: unknown };

/** The context for writing one schema: the document of its references, and the types that contain themselves. */
interface Scope {
  root: JsonSchema;
  /** The names of recursive types. */
  named: ReadonlyMap<object, string>;
  /** Those whose names were written, in this order. */
  used: Set<SchemaObject>;
  /** How much references may still expand to: references to references could take exponential space. */
  left: { references: number; characters: number };
  /** The name of the type of whole numbers. */
  integer: "integer" | "number";
}

/**
 * Tools as TypeScript-like signatures, with descriptions, defaults and limits as comments. They take about half the
 * tokens of JSON Schema. `integer` is the type of whole numbers. A type that contains itself is written by its name, and
 * defined below the tool; a reference to another document is `any`.
 *
 * Errors: `ToolDefinitionError` `limit` for a tool whose parameters are too large, or whose references would expand
 * more than 10,000 times, or to more than 5 million characters.
 *
 * @example
 * toolsAsSignatures([{ name: "add", description: "Add two integers", parameters: {
 *   type: "object", properties: { a: { type: "integer" }, b: { type: "integer", default: 0 } }, required: ["a"] } }]);
 * // // Add two integers
 * // add(args: {
 * //   a: integer,
 * //   b?: integer, // default 0
 * // })
 */
export function toolsAsSignatures(tools: readonly ToolDefinition[]): string {
  return withinLimits(tools, (some) => some.map(signature).join("\n\n"));
}

function signature(tool: ToolDefinition): string {
  const about = tool.description?.trim();
  const comment = about ? `${about.replace(/^/gm, "// ")}\n` : "";
  const parameters = tool.parameters ?? { type: "object" };
  const types = typesIn(parameters);
  const { type } = types.of(parameters);
  const line = `${comment}${tool.name}(args: ${type === "object" ? "{}" : type})`;
  return [line, ...types.definitions().map(definitionLine)].join("\n");
}

/** A type, and a note on what it cannot express. */
export interface NotedType {
  type: string;
  note: string;
}

/** Writes the schemas of one document as types. */
export interface TypesIn {
  /** The type of a part of the document. `indent`: the indentation of lines after the first. */
  of(schema: JsonSchema, indent?: string): NotedType;
  /** The definitions of the types that were written by their names. */
  definitions(indent?: string): (NotedType & { name: string })[];
}

/** The types of a document's parts. `integer`: the name of the type of whole numbers. */
export function typesIn(root: JsonSchema, integer: Scope["integer"] = "integer"): TypesIn {
  const left = { references: MAX_REFERENCES, characters: MAX_CHARACTERS };
  const scope = { root, named: recursiveTypes(root), used: new Set<SchemaObject>(), left, integer };
  const noteOf = (schema: unknown) => (isObject(schema) ? notes(schema) : "");
  return {
    of: (schema, indent = "") => ({ type: typeOf(schema, scope, indent), note: noteOf(schema) }),
    definitions(indent = "") {
      // Definitions can name further types, which are appended to the set while it is read.
      return Array.from(scope.used, (schema) => ({
        name: scope.named.get(schema) ?? "",
        type: definitionOf(schema, scope, indent),
        note: noteOf(schema),
      }));
    },
  };
}

/** A definition as a line of TypeScript: `type Node = { next?: Node }`. */
export const definitionLine = ({ name, type, note }: NotedType & { name: string }): string =>
  `type ${name} = ${type}${note && ` // ${note}`}`;

const [MAX_REFERENCES, MAX_CHARACTERS] = [10_000, 5_000_000];

/** The schema as a type expression. Lines after the first are indented by `indent`. */
function typeOf(schema: unknown, scope: Scope, indent: string): string {
  if (schema === false) return "never";
  if (!isObject(schema)) return "any";
  const name = scope.named.get(schema);
  if (name === undefined) return definitionOf(schema, scope, indent);
  scope.used.add(schema);
  return name;
}

/** The same for a schema that may have a name. */
function definitionOf(schema: SchemaObject, scope: Scope, indent: string): string {
  if (typeof schema.$ref === "string") return reference(schema.$ref, scope, indent);
  const type = "const" in schema || Array.isArray(schema.enum) ? choice(schema) : structure(schema, scope, indent);
  return schema.nullable === true ? `${type} | null` : type;
}

function choice(schema: SchemaObject): string {
  return "const" in schema ? literal(schema.const) : (schema.enum as unknown[]).map(literal).join(" | ");
}

function structure(schema: SchemaObject, scope: Scope, indent: string): string {
  const own = ownType(schema, scope, indent);
  const { anyOf, oneOf, allOf } = schema;
  if (anyOf === undefined && oneOf === undefined && allOf === undefined) return own ?? "any";
  const members = own ? [own] : [];
  const alternatives = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  if (alternatives.length > 0) {
    const written = alternatives.map((one) => typeOf(one, scope, indent));
    members.push(grouped([...new Set(written)].join(" | "), members.length > 0));
  }
  if (Array.isArray(allOf)) members.push(...allOf.map((one) => grouped(typeOf(one, scope, indent))));
  return members.length > 0 ? members.join(" & ") : "any";
}

/** The type from `type` and the keywords beside it; `undefined` if they require nothing. */
function ownType(schema: SchemaObject, scope: Scope, indent: string): string | undefined {
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => ownType({ ...schema, type }, scope, indent) ?? "any").join(" | ");
  }
  const type =
    typeNamed(schema.type) ??
    schema.type ??
    (isObject(schema.properties) ? "object" : schema.items ? "array" : undefined);
  if (type === "object") return objectType(schema, scope, indent);
  if (type === "array") return arrayType(schema, scope, indent);
  if (type === "integer") return scope.integer;
  return typeof type === "string" ? type : undefined;
}

function objectType(schema: SchemaObject, scope: Scope, indent: string): string {
  const inner = `${indent}  `;
  const required = new Set(requiredOf(schema));
  const fields = Object.entries(isObject(schema.properties) ? schema.properties : {}).map(([key, value]) => ({
    text: `${propertyName(key)}${required.has(key) ? "" : "?"}: ${typeOf(value, scope, inner)}`,
    note: isObject(value) ? notes(value) : "",
  }));
  const others = isObject(schema.additionalProperties)
    ? {
        text: `[key: string]: ${typeOf(schema.additionalProperties, scope, inner)}`,
        note: notes(schema.additionalProperties),
      }
    : undefined;
  if (others) fields.push(others);
  if (fields.length === 0) return schema.additionalProperties === false ? "{}" : "object";

  if (fields.every((field) => !field.note)) {
    const line = `{ ${fields.map((field) => field.text).join(", ")} }`;
    if (line.length <= 100 && !line.includes("\n")) return line;
  }
  const lines = fields.map((field) => `${inner}${field.text},${field.note && ` // ${field.note}`}`);
  return `{\n${lines.join("\n")}\n${indent}}`;
}

function arrayType(schema: SchemaObject, scope: Scope, indent: string): string {
  const tuple = Array.isArray(schema.prefixItems)
    ? schema.prefixItems
    : Array.isArray(schema.items)
      ? schema.items
      : undefined;
  if (tuple) {
    const rest = Array.isArray(schema.items) ? schema.additionalItems : schema.items;
    const items = tuple.map((item) => typeOf(item, scope, indent));
    if (isObject(rest)) items.push(`...${grouped(typeOf(rest, scope, indent))}[]`);
    return `[${items.join(", ")}]`;
  }
  return `${grouped(typeOf(schema.items ?? true, scope, indent))}[]`;
}

/** Expands a local reference. */
function reference(ref: string, scope: Scope, indent: string): string {
  const target = resolveReference(scope.root, ref);
  if (!target) return "any";
  if (--scope.left.references < 0) throw tooMany();
  const written = typeOf(target.schema, scope, indent);
  scope.left.characters -= written.length;
  if (scope.left.characters < 0) throw tooMany();
  return written;
}

const tooMany = () => new RangeError("what references lead to is too much to be written out");

/** What a type cannot express, as the text of a one-line comment. */
function notes(schema: SchemaObject): string {
  const description = typeof schema.description === "string" ? oneLine(schema.description) : "";
  if (Object.keys(schema).every(isInType)) return description;
  const limits = [
    "default" in schema ? `default ${literal(schema.default)}` : "",
    range(schema.minimum, schema.maximum),
    schema.exclusiveMinimum === undefined ? "" : `more than ${schema.exclusiveMinimum}`,
    schema.exclusiveMaximum === undefined ? "" : `less than ${schema.exclusiveMaximum}`,
    schema.multipleOf === undefined ? "" : `multiple of ${schema.multipleOf}`,
    range(schema.minLength, schema.maxLength, " characters"),
    range(schema.minItems, schema.maxItems, " items"),
    formats(schema),
    typeof schema.pattern === "string" ? `pattern ${schema.pattern}` : "",
  ];
  return [description, limits.filter(Boolean).join(", ")].filter(Boolean).join("; ");
}

/** The format of a text, or those of the choices. */
function formats({ format, anyOf, oneOf }: SchemaObject): string {
  const choices = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const named = [format, ...choices.map((choice) => Object(choice).format)].filter((name) => typeof name === "string");
  return named.length === 0 ? "" : `format ${[...new Set(named)].join(" or ")}`;
}

/** Keywords that the type and its description express already. */
const isInType = (keyword: string) => keyword === "description" || keyword === "type" || keyword === "enum";

const oneLine = (text: string) => text.replace(/\s\s+|[^\S ]/g, " ").trim();

function range(from: unknown, to: unknown, unit = ""): string {
  if (from === undefined && to === undefined) return "";
  if (to === undefined) return `at least ${from}${unit}`;
  if (from === undefined) return `at most ${to}${unit}`;
  return from === to ? `exactly ${from}${unit}` : `${from} to ${to}${unit}`;
}

const literal = (value: unknown): string => JSON.stringify(value) ?? "undefined";

/** A key as JavaScript writes it, in quotation marks only where they are needed. */
export const propertyName = (key: string) => (/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key) ? key : JSON.stringify(key));

/** Brackets a union or an intersection if an operator follows. */
const grouped = (type: string, needed = true) => (needed && hasOperator(type) ? `(${type})` : type);

/** Whether the type is a union or an intersection at its outermost level. */
function hasOperator(type: string): boolean {
  const tokens = /["\\{}[\]()]| [|&] /g;
  let depth = 0;
  let quoted = false;
  for (let token = tokens.exec(type)?.[0]; token !== undefined; token = tokens.exec(type)?.[0]) {
    if (token === "\\") tokens.lastIndex++;
    else if (token === '"') quoted = !quoted;
    if (quoted) continue;
    if (depth === 0 && token.startsWith(" ")) return true;
    if ("{[(".includes(token)) depth += 1;
    else if ("}])".includes(token)) depth -= 1;
  }
  return false;
}
