import { isObject, nearestNames } from "@toolingua/core/adapters";

/**
 * A method of HTTP, in upper case. One of `additionalOperations` (OpenAPI 3.2) may have any other name, in upper case as well:
 * compare it as `String(method)`.
 */
export type Method = "GET" | "PUT" | "POST" | "DELETE" | "OPTIONS" | "HEAD" | "PATCH" | "TRACE" | "QUERY";

/** The methods of a path. */
export const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/** The keys of the specification's objects (3.0 to 3.2), by kind. */
const KEYS = {
  document: ["openapi", "$self", "info", "servers", "paths", "webhooks", "components", "security", "tags"],
  path: [...METHODS, "additionalOperations", "parameters", "servers", "summary", "description"],
  operation: [
    ...["operationId", "summary", "description", "tags", "parameters", "requestBody", "responses", "callbacks"],
    ...["deprecated", "security", "servers", "externalDocs"],
  ],
  parameter: [
    ...["name", "in", "description", "required", "deprecated", "allowEmptyValue", "style", "explode"],
    ...["allowReserved", "schema", "content", "example", "examples"],
  ],
  body: ["description", "content", "required"],
  mediaType: ["schema", "itemSchema", "encoding", "prefixEncoding", "itemEncoding", "example", "examples"],
};

/** The kind of an object in a document. */
type ObjectKind = keyof typeof KEYS;

/** Checks the keys of an object; `what`: how a message names it. */
export type CheckKeys = (kind: ObjectKind, value: unknown, what: string) => void;

/** Keywords of a schema that Swagger 2.0 has in the parameter itself. */
const OF_SCHEMA = ["type", "format", "enum", "items", "default", "minimum", "maximum", "pattern"];

/**
 * What is probably wrong with the keys of an object: a misspelt one, whose right one is missing, or a schema's keyword beside
 * the schema. undefined: nothing. Extensions (`x-…`) and keys that resemble none are ignored.
 *
 * @example misspeltKey("parameter", { name: "id", in: "path", shema: {} }); // '"shema". Did you mean "schema"?'
 */
export function misspeltKey(kind: ObjectKind, value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const known = KEYS[kind];
  for (const key of Object.keys(value)) {
    if (known.includes(key) || /^[x$]/i.test(key)) continue;
    const isBare = kind === "parameter" && value.schema === undefined && value.content === undefined;
    if (isBare && OF_SCHEMA.includes(key)) return `"${key}" outside of its "schema". Put it into "schema".`;
    const { meant } = nearestNames(key, known);
    if (meant !== undefined && value[meant] === undefined) return `"${key.slice(0, 100)}". Did you mean "${meant}"?`;
  }
  return undefined;
}
