import { isObject } from "../common/plain-object.js";
import { typeNamed } from "../schema/json-types.js";
import { withinLimits } from "../schema/limits.js";
import { resolveReference } from "../schema/references.js";
import { requiredOf } from "../schema/required.js";
import type { JsonSchema, ToolDefinition } from "../types.js";
import { definitionLine, propertyName, type TypesIn, toolsAsSignatures, typesIn } from "./signature.js";

type SchemaObject = { [keyword: string]: unknown };

const LEGEND = "?: optional; no type: string";
const SHORT: { [type: string]: string } = { string: "", integer: "int", number: "num", boolean: "bool", null: "null" };
/** A text that can be read as one word without quotation marks. */
const WORD = /^[\p{L}\p{N}_.+/-]+$/u;

/**
 * Tools as names and lines, the shortest form of what a signature contains: one line per argument, with the properties
 * of objects indented below it. The type of strings is omitted, and so is a description without new words (all of them
 * are in the names or in the tool's description). For tools of ordinary length it takes less than half of the tokens of
 * OpenAI's compact JSON. A tool whose parameters are not a plain object is written as a signature. A type that contains
 * itself is written by its name, and defined below the arguments.
 *
 * Errors: `ToolDefinitionError` `limit` for a tool whose parameters are too large.
 *
 * @example
 * toolsAsLines([{ name: "add", description: "Adds two numbers", parameters: {
 *   type: "object", properties: { a: { type: "integer", description: "At home" }, b: { type: "integer", default: 0 } },
 *   required: ["a"] } }]);
 * // ?: optional; no type: string
 * // add: Adds two numbers
 * //  a int: At home
 * //  b? int =0
 */
export function toolsAsLines(tools: readonly ToolDefinition[]): string {
  return withinLimits(tools, (some) => [LEGEND, ...some.map(tool)].join("\n"));
}

function tool(definition: ToolDefinition): string {
  const { name, parameters = { type: "object" } } = definition;
  const shown = withoutReference(parameters);
  if (!isPlain(shown, "object")) return toolsAsSignatures([definition]);
  const about = oneLine(definition.description);
  const types = typesIn(parameters);
  const lines = propertyLines(shown, { types, known: [name, about], indent: " " });
  const definitions = types.definitions(" ").map((one) => ` ${definitionLine(one)}`);
  return [about ? `${name}: ${about}` : name, ...lines, ...definitions].join("\n");
}

/** The schema to which a reference at the root leads, however many references there are in between. */
function withoutReference(root: JsonSchema): unknown {
  const seen = new Set<unknown>();
  let schema: unknown = root;
  while (isObject(schema) && typeof schema.$ref === "string" && !seen.has(schema)) {
    seen.add(schema);
    schema = resolveReference(root, schema.$ref)?.schema;
  }
  return schema;
}

interface Scope {
  types: TypesIn;
  /** Texts that precede: a description that repeats them is omitted. */
  known: readonly string[];
  indent: string;
}

function propertyLines(schema: SchemaObject, scope: Scope): string[] {
  const required = new Set(requiredOf(schema));
  const properties = Object.entries(isObject(schema.properties) ? schema.properties : {});
  return properties.flatMap(([key, value]) => {
    const head = `${propertyName(key)}${required.has(key) ? "" : "?"}`;
    const { type, inside } = typeOf(value, scope);
    const facts = isObject(value) ? value : {};
    const about = oneLine(facts.description);
    const words = [head, type, ...limits(facts)].filter(Boolean).join(" ");
    const said = about === "" || repeats(about, [key, ...scope.known]) ? "" : `: ${about}`;
    const below = { ...scope, known: [...scope.known, key, about], indent: `${scope.indent} ` };
    return [`${scope.indent}${words}${said}`, ...(inside ? propertyLines(inside, below) : [])];
  });
}

/** The type in a word, and the object whose properties are listed below. */
function typeOf(schema: unknown, scope: Scope): { type: string; inside?: SchemaObject } {
  if (isPlain(schema, "object")) return { type: "{}", inside: schema };
  if (isPlain(schema, "array") && isObject(schema.items)) {
    const { type, inside } = typeOf(schema.items, scope);
    const item = [type, ...limits(schema.items)].filter(Boolean).join(" ") || "string";
    return { type: `${/^[\w{}[\]-]+$/.test(item) ? item : `(${item})`}[]`, ...(inside && { inside }) };
  }
  if (isPlain(schema, "string", "integer", "number", "boolean", "null")) {
    if (!Array.isArray(schema.enum)) return { type: SHORT[typeNamed(schema.type)!] ?? "" };
    if (schema.enum.every((value) => typeof value === "string" && WORD.test(value))) {
      return { type: schema.enum.join("|") };
    }
  }
  return { type: scope.types.of(schema as JsonSchema, scope.indent).type };
}

/** Keywords that only a type expression can show. */
const COMPOUND = ["$ref", "const", "anyOf", "oneOf", "allOf", "prefixItems", "nullable"];

/** Whether the schema is of one of these types and nothing else. */
function isPlain(schema: unknown, ...types: readonly string[]): schema is SchemaObject {
  if (!isObject(schema) || COMPOUND.some((keyword) => keyword in schema)) return false;
  const type = typeNamed(schema.type) ?? (isObject(schema.properties) ? "object" : undefined);
  if (type === "object" && (isObject(schema.additionalProperties) || !isObject(schema.properties ?? {}))) return false;
  return typeof type === "string" && types.includes(type);
}

/** The limits of a value in symbols: `0-9`, `>=1`, `=0`. */
function limits(schema: SchemaObject): string[] {
  return [
    typeof schema.format === "string" ? schema.format : "",
    typeof schema.pattern === "string" ? `/${schema.pattern}/` : "",
    range(schema.minimum, schema.maximum),
    range(schema.minLength, schema.maxLength, " chars"),
    range(schema.minItems, schema.maxItems, " items"),
    typeof schema.exclusiveMinimum === "number" ? `>${schema.exclusiveMinimum}` : "",
    typeof schema.exclusiveMaximum === "number" ? `<${schema.exclusiveMaximum}` : "",
    typeof schema.multipleOf === "number" ? `step ${schema.multipleOf}` : "",
    schema.uniqueItems === true ? "unique" : "",
    "default" in schema ? `=${plain(schema.default)}` : "",
  ].filter(Boolean);
}

function range(from: unknown, to: unknown, unit = ""): string {
  if (from === undefined && to === undefined) return "";
  if (to === undefined) return `>=${from}${unit}`;
  if (from === undefined) return `<=${to}${unit}`;
  // 1--5 would be read as one to five.
  return `${from}${Number(to) < 0 ? " to " : "-"}${to}${unit}`;
}

const plain = (value: unknown) =>
  typeof value === "string" && WORD.test(value) ? value : (JSON.stringify(value) ?? "undefined");

/** A description on one line, without its final full stop. */
const oneLine = (text: unknown) =>
  typeof text === "string"
    ? text
        .replace(/\s+/g, " ")
        .trim()
        .replace(/(?<!\.)\.$/, "")
    : "";

const FILLERS = new Set(
  "a an and are as at be by for from given in is it its of on or that the this to with".split(" "),
);

/** Whether a text contains no word that is not in `known`. */
function repeats(text: string, known: readonly string[]): boolean {
  const said = new Set(known.flatMap(words));
  return words(text).every((word) => FILLERS.has(word) || said.has(word));
}

/** The words of a text or a name, without their commonest endings. */
const words = (text: string): string[] =>
  (text.replace(/['’]s(?!\p{L})/gu, "").match(/\p{Lu}?\p{Ll}+|\p{Lu}+|\p{N}+|[\p{Lo}\p{M}]+/gu) ?? []).map((word) =>
    word.toLowerCase().replace(/(?<=...)(ies|es|s|ed|ing|e|y)$/, ""),
  );
