import { isObject } from "../../common/plain-object.js";
import { type JsonObject, join } from "../../schema/json.js";
import { MAPS, VALUES } from "../../schema/references.js";
import type { Losses } from "../common/losses.js";

// The subset of JSON Schema that Gemini accepts as `parametersJsonSchema`:
// https://ai.google.dev/api/caching#FunctionDeclaration

const taken = new Set([
  "$id",
  "$anchor",
  "$defs",
  "$ref",
  "type",
  "format",
  "title",
  "description",
  "enum",
  "items",
  "prefixItems",
  "minItems",
  "maxItems",
  "minimum",
  "maximum",
  "anyOf",
  "oneOf",
  "properties",
  "additionalProperties",
  "required",
  "propertyOrdering",
]);

/**
 * A JSON Schema without the keywords that Gemini does not support, which are reported. `const` becomes `enum`.
 *
 * @example geminiJsonSchema({ type: "string", minLength: 1 }, "", losses); // { type: "string" }
 */
export function geminiJsonSchema(schema: JsonObject, path: string, losses: Losses): JsonObject {
  const within = (value: unknown, at: string): unknown => {
    if (Array.isArray(value)) return value.map((part, i) => within(part, join(at, i)));
    return isObject(value) ? geminiJsonSchema(value, at, losses) : value;
  };
  const written: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    const at = join(path, key);
    if (key === "const") {
      losses.add(at, key, "became an `enum` of one value", [join(path, "enum")]);
      written.enum = [value];
    } else if (!taken.has(key)) losses.add(at, key, "Gemini's JSON Schema does not have this keyword");
    else if (VALUES.has(key) || key === "required" || key === "type") written[key] = value;
    else if (MAPS.has(key) && isObject(value))
      written[key] = Object.fromEntries(
        Object.entries(value).map(([name, part]) => [name, within(part, join(at, name))]),
      );
    else written[key] = within(value, at);
  }
  return written;
}
