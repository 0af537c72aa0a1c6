import { isObject } from "../common/plain-object.js";
import { requiredOf } from "../schema/required.js";
import type { ToolDefinition } from "../types.js";
import { withoutDialect } from "./json.js";
import { xmlAttribute, xmlText } from "./xml-text.js";

type SchemaObject = { [keyword: string]: unknown };

/** Keywords that are written as attributes. */
const inAttributes = [
  ...["format", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  ...["minLength", "maxLength", "minItems", "maxItems", "uniqueItems"],
];
/** Keywords that have an element or an attribute; a schema with any other is written as JSON. */
const expressible = new Set([
  ...["type", "title", "description", "default", "enum", "properties", "required", "items", "additionalProperties"],
  ...["$schema", "$defs", "definitions", "examples", ...inAttributes],
]);

/**
 * Tools as `<am:tool>` elements: a `<parameter>` for each argument, `<enum>` for each allowed value, `<items>` for the
 * values of an array, nested `<parameter>`s for the properties of an object. A schema with keywords that have no
 * element (`anyOf`, `$ref`, …) is written as JSON Schema in a `<schema>` element.
 *
 * @example
 * // <am:tool name="calculator" description="Add two integers">
 * // <parameter name="a" type="integer" description="First number" required="true"/>
 * // </am:tool>
 */
export function toolsAsElements(tools: readonly ToolDefinition[]): string {
  return tools
    .map((tool) => {
      const open = `am:tool${attribute("name", tool.name)}${attribute("description", tool.description || undefined)}`;
      return element(open, "am:tool", content(tool.parameters ?? {}, tool.parameters ?? {}));
    })
    .join("\n");
}

/** The lines inside an element: the schema's parts, or the schema itself. */
function content(schema: unknown, root: unknown): string[] {
  if (!isObject(schema) || Object.keys(schema).some((key) => !expressible.has(key))) {
    if (!isObject(schema) || Object.keys(schema).length === 0) return [];
    const definitions = isObject(root) && schema !== root ? pick(root, ["$defs", "definitions"]) : {};
    const shown = JSON.stringify(withoutDialect({ ...pick(schema, Object.keys(schema)), ...definitions }));
    return [`<schema>${xmlText(shown)}</schema>`];
  }
  const values = Array.isArray(schema.enum) ? schema.enum : [];
  const required = requiredOf(schema);
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  return [
    ...values.map((value) => `<enum>${xmlText(plain(value))}</enum>`),
    ...properties.map(([key, property]) => parameter(key, property, required.includes(key), root)),
    ...(schema.items === undefined ? [] : [described("items", "", schema.items, root)]),
    ...(isObject(schema.additionalProperties)
      ? [described("parameter", ' name="*"', schema.additionalProperties, root)]
      : []),
  ];
}

function parameter(name: string, schema: unknown, required: boolean, root: unknown): string {
  return described("parameter", attribute("name", name), schema, root, required ? ' required="true"' : "");
}

function described(tag: string, head: string, schema: unknown, root: unknown, tail = ""): string {
  const inside = content(schema, root);
  const facts = isObject(schema) ? schema : {};
  const type = Array.isArray(facts.type) ? facts.type.join("|") : facts.type;
  const attributes = [
    attribute("type", typeof type === "string" ? type : undefined),
    attribute("description", typeof facts.description === "string" ? facts.description : undefined),
    "default" in facts ? attribute("default", plain(facts.default)) : "",
    ...inAttributes.map((key) => (key in facts ? attribute(key, plain(facts[key])) : "")),
  ];
  return element(`${tag}${head}${attributes.join("")}${tail}`, tag, inside);
}

function element(open: string, tag: string, inside: readonly string[]): string {
  if (inside.length === 0) return tag === "am:tool" ? `<${open}></${tag}>` : `<${open}/>`;
  return `<${open}>\n${inside.join("\n")}\n</${tag}>`;
}

const attribute = (name: string, value: string | undefined) =>
  value === undefined ? "" : ` ${name}="${xmlAttribute(value)}"`;

/** A value as text: strings as they are, all else as JSON. */
const plain = (value: unknown) => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

const pick = (object: SchemaObject, keys: readonly string[]) =>
  Object.fromEntries(keys.filter((key) => Object.hasOwn(object, key)).map((key) => [key, object[key]]));
