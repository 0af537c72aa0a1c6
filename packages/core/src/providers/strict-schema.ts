import { isObject } from "../plain-object.js";
import { requiredOf } from "../required.js";
import { type JsonObject, join } from "../schema/json.js";
import { typesOf } from "../schema/plan.js";
import { MAPS, VALUES } from "../schema/references.js";
import { describeValue } from "../schema/words.js";
import { Losses } from "./losses.js";
import type { ObjectSchema } from "./parameters.js";

// OpenAI's strict mode: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas

/** Keywords that strict mode refuses; a validator still checks them. */
const refused = new Set([
  "allOf",
  "not",
  "if",
  "then",
  "else",
  "dependentRequired",
  "dependentSchemas",
  "patternProperties",
  "propertyNames",
  "minProperties",
  "maxProperties",
  "unevaluatedProperties",
  "unevaluatedItems",
  "prefixItems",
  "contains",
  "minContains",
  "maxContains",
  "uniqueItems",
  "minLength",
  "maxLength",
]);

/**
 * The schema for OpenAI's strict mode: every object is closed and requires all its properties; optional properties
 * become nullable, and `parseToolCallArguments` reads null as absent. `undefined` if the mode cannot express the
 * schema: objects with any keys, lists of anything, values without a type. The reasons are reported in both cases.
 *
 * @example strictSchema({ type: "object", properties: { a: { type: "string" } } }, "", losses);
 * // { type: "object", properties: { a: { type: ["string", "null"] } }, required: ["a"], additionalProperties: false }
 */
export function strictSchema(schema: ObjectSchema, path: string, losses: Losses): ObjectSchema | undefined {
  const found = new Losses();
  const unsaid: string[] = [];
  const written = strict(schema, path, found, unsaid);
  const [first] = unsaid;
  if (first !== undefined) {
    losses.add(path, "strict", `strict mode cannot say ${first}: written without it`);
    return undefined;
  }
  for (const { path: at, what, why, instead } of found.list) losses.add(at, what, why, instead);
  return written as ObjectSchema;
}

/** `unsaid`: collects the parts that the mode cannot express, with their places. */
function strict(schema: unknown, path: string, losses: Losses, unsaid: string[]): JsonObject {
  if (!isObject(schema)) {
    unsaid.push(`${describeValue(schema)} (${path})`);
    return {};
  }
  const types = typesOf(schema) ?? [];
  const isTyped = types.length > 0 || ["$ref", "anyOf", "oneOf", "enum", "const"].some((key) => key in schema);
  if (!isTyped) unsaid.push(`a value of any type (${path || "/"})`);
  if (types.includes("array") && schema.items === undefined) unsaid.push(`a list of anything (${path || "/"})`);
  const written: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    const at = join(path, key);
    if (refused.has(key)) losses.add(at, key, "is refused by strict mode: left out");
    else if (key === "oneOf") {
      const why = "is `anyOf` in strict mode";
      losses.add(at, key, why, [join(path, "anyOf")]);
      written.anyOf = within("anyOf", value, at, losses, unsaid);
    } else written[key] = within(key, value, at, losses, unsaid);
  }
  return types.includes("object") ? closed(schema, written, path, losses, unsaid) : written;
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
  const isRecord = isObject(others) || (others === true && names.length === 0 && path !== "");
  if (isRecord) unsaid.push(`an object with any keys (${path || "/"})`);
  else if (others === true && names.length > 0)
    losses.add(join(path, "additionalProperties"), "additionalProperties", "strict mode closes every object");
  const required = requiredOf(schema);
  const optional = names.filter((name) => !required.includes(name));
  for (const name of optional) {
    const why = "may not be left out in strict mode: null stands for that";
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
  const types = typesOf(schema);
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
