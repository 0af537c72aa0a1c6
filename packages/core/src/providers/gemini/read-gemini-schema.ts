import { isObject } from "../../common/plain-object.js";
import { type JsonObject, join } from "../../schema/json.js";
import { objectAt } from "../common/expect.js";
import type { Losses } from "../common/losses.js";
import { counts } from "./gemini-schema.js";

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
    losses.add(join(path, "nullable"), "nullable", "has no effect without a type");
  }
  return out;
}

function readProperties(properties: JsonObject, order: unknown, path: string, losses: Losses): JsonObject {
  const first = Array.isArray(order) ? order.filter((key) => Object.hasOwn(properties, String(key))).map(String) : [];
  const keys = [...new Set([...first, ...Object.keys(properties)])];
  const read = (key: string) => [key, readGeminiSchema(properties[key], join(path, "properties", key), losses)];
  return Object.fromEntries(keys.map(read));
}
