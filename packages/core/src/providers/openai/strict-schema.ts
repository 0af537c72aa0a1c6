import { isObject } from "../../common/plain-object.js";
import { type JsonObject, join, placeOf } from "../../schema/json.js";
import { MAPS, VALUES } from "../../schema/references.js";
import { requiredOf } from "../../schema/required.js";
import { plainTypesOf } from "../../schema/schema-types.js";
import { describeJson } from "../../schema/words.js";
import { Losses } from "../common/losses.js";
import type { ObjectSchema } from "../common/parameters.js";

// OpenAI's strict mode: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas

/** Keywords that strict mode refuses, about strings and lists: they are omitted, and a validator still checks them. */
const bounds = new Set(["minLength", "maxLength", "uniqueItems", "contains", "minContains", "maxContains"]);

/** Keywords that strict mode refuses and that decide which values match: without them, replies might never match the tool. */
const inexpressible = new Set([
  "allOf",
  "not",
  "if",
  "then",
  "else",
  "dependencies",
  "dependentRequired",
  "dependentSchemas",
  "patternProperties",
  "propertyNames",
  "minProperties",
  "maxProperties",
  "unevaluatedProperties",
  "unevaluatedItems",
  "prefixItems",
]);

/**
 * The schema for OpenAI's strict mode: every object is closed and requires all its properties; optional properties
 * become nullable, and `parseToolCallArguments` reads null as absent. Bounds of strings and lists are omitted;
 * apart from them and from `oneOf`, which becomes `anyOf`, the schema accepts what strict mode allows. `undefined` if the
 * mode cannot express the schema: objects with any keys, lists of anything, values without a type, keywords such as
 * `allOf`. The reasons are reported in both cases.
 *
 * @example strictSchema({ type: "object", properties: { a: { type: "string" } } }, "", losses);
 * // { type: "object", properties: { a: { type: ["string", "null"] } }, required: ["a"], additionalProperties: false }
 */
export function strictSchema(schema: ObjectSchema, path: string, losses: Losses): ObjectSchema | undefined {
  const found = new Losses();
  const unsaid: string[] = [];
  const written = strict(withoutArguments(schema), path, found, unsaid);
  const [first] = unsaid;
  if (first !== undefined) {
    losses.add(path, "strict", `strict mode does not support ${first}; omitted`);
    return undefined;
  }
  for (const { path: at, what, why, instead } of found.list) losses.add(at, what, why, instead);
  return written as ObjectSchema;
}

/** A tool without any properties has no arguments; other schemas are returned unchanged. */
function withoutArguments(schema: ObjectSchema): ObjectSchema {
  const { properties = {}, additionalProperties } = schema;
  const isEmpty = isObject(properties) && Object.keys(properties).length === 0;
  return isEmpty && additionalProperties === undefined ? { ...schema, additionalProperties: false } : schema;
}

/** `unsaid`: collects the parts that the mode cannot express, with their places. */
function strict(schema: unknown, path: string, losses: Losses, unsaid: string[]): JsonObject {
  if (!isObject(schema)) {
    unsaid.push(`${describeJson(schema)} (${path})`);
    return {};
  }
  const types = plainTypesOf(schema) ?? [];
  const isTyped = types.length > 0 || ["$ref", "anyOf", "oneOf", "enum", "const"].some((key) => key in schema);
  if (!isTyped) unsaid.push(`a value of any type (${placeOf(path)})`);
  if ("anyOf" in schema && "oneOf" in schema) unsaid.push(`\`anyOf\` and \`oneOf\` of one value (${placeOf(path)})`);
  const isObjects = types.includes("object");
  const objectKey = ["properties", "required", "additionalProperties"].find((key) => key in schema);
  if (types.length === 0 && objectKey !== undefined)
    unsaid.push(`\`${objectKey}\` without \`type: "object"\` (${placeOf(path)})`);
  // Each of the two would be closed, and then none of their properties matches both.
  const other = ["$ref", "anyOf", "oneOf"].find((key) => key in schema);
  if (isObjects && other !== undefined) unsaid.push(`an object that is also \`${other}\` (${placeOf(path)})`);
  if (types.includes("array") && schema.items === undefined) unsaid.push(`a list of anything (${placeOf(path)})`);
  const written: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    const at = join(path, key);
    if (inexpressible.has(key)) unsaid.push(`\`${key}\` (${at})`);
    else if (bounds.has(key)) losses.add(at, key, "is refused by strict mode: omitted");
    else if (key === "oneOf") {
      const why = "is `anyOf` in strict mode";
      losses.add(at, key, why, [join(path, "anyOf")]);
      written.anyOf = within("anyOf", value, at, losses, unsaid);
    } else written[key] = within(key, value, at, losses, unsaid);
  }
  return isObjects ? closed(schema, written, path, losses, unsaid) : written;
}

function within(key: string, value: unknown, path: string, losses: Losses, unsaid: string[]): unknown {
  if (VALUES.has(key)) return value;
  const each = (part: unknown, step: string | number) => strict(part, join(path, step), losses, unsaid);
  if (MAPS.has(key) && isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, each(part, name)]));
  if (key === "anyOf" && Array.isArray(value)) return value.map(each);
  return key === "items" ? strict(value, path, losses, unsaid) : value;
}

/** The object with all its properties required, and no others allowed. */
function closed(schema: JsonObject, written: JsonObject, path: string, losses: Losses, unsaid: string[]): JsonObject {
  const { additionalProperties: others = true } = schema;
  const properties = isObject(written.properties) ? written.properties : {};
  const names = Object.keys(properties);
  const hasAnyKeys = isObject(others) || (others === true && names.length === 0);
  if (hasAnyKeys) unsaid.push(`an object with any keys (${placeOf(path)})`);
  else if (others === true && names.length > 0)
    losses.add(join(path, "additionalProperties"), "additionalProperties", "strict mode closes every object");
  const required = requiredOf(schema);
  const undeclared = required.find((name) => !names.includes(name));
  if (undeclared !== undefined)
    unsaid.push(`"${undeclared}", which is required and not among the properties (${placeOf(path)})`);
  const optional = names.filter((name) => !required.includes(name));
  for (const name of optional) {
    const why = "is required in strict mode: null means absent";
    losses.add(join(path, "properties", name), "optional", why, [join(path, "required")]);
  }
  return {
    ...written,
    properties: Object.fromEntries(
      names.map((name) => [name, optional.includes(name) ? orNull(properties[name] as JsonObject) : properties[name]]),
    ),
    required: [...names],
    additionalProperties: false,
  };
}

/** The schema, or null. */
function orNull(schema: JsonObject): JsonObject {
  const { type, enum: listed, anyOf } = schema;
  const types = plainTypesOf(schema);
  const isOpen = "$ref" in schema || "const" in schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf.filter((one) => !isNull(one)), { type: "null" }] };
  if (isOpen || types === undefined || type === undefined) return { anyOf: [schema, { type: "null" }] };
  return {
    ...schema,
    type: [...types.filter((one) => one !== "null"), "null"],
    ...(Array.isArray(listed) && { enum: [...listed.filter((one) => one !== null), null] }),
  };
}

const isNull = (schema: unknown) => isObject(schema) && schema.type === "null";
