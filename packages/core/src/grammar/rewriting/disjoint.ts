import { isObject } from "../../common/plain-object.js";
import { common } from "../../schema/identity.js";
import type { JsonObject } from "../../schema/json.js";
import { typeOf } from "../../schema/json-types.js";
import { listedValues } from "../../schema/listed-values.js";
import { typesOf } from "../../schema/words.js";
import type { JsonSchema } from "../../types.js";

/** Whether types, listed values, or the values of a key that both require show that no value matches two of these. */
export function areDisjoint(schemas: readonly JsonSchema[], resolve: (ref: string) => JsonSchema): boolean {
  return schemas.every((a, i) => schemas.slice(i + 1).every((b) => disjoint(a, b, resolve)));
}

function disjoint(a: JsonSchema, b: JsonSchema, resolve: (ref: string) => JsonSchema, depth = 0): boolean {
  if (a === false || b === false) return true;
  if (a === true || b === true || depth > 8) return false;
  if (typeof a.$ref === "string") return disjoint(resolve(a.$ref), b, resolve, depth + 1);
  if (typeof b.$ref === "string") return disjoint(a, resolve(b.$ref), resolve, depth + 1);
  const [valuesA, valuesB] = [listedValues(a), listedValues(b)];
  if (valuesA && valuesB) return common(valuesA, valuesB).length === 0;
  const [typesA, typesB] = [kindsOf(a, valuesA), kindsOf(b, valuesB)];
  if (typesA.length > 0 && typesB.length > 0 && !typesA.some((type) => typesB.includes(type))) return true;
  if (typesA.join() !== "object" || typesB.join() !== "object") return false;
  return tags(a).some(
    (key) => tags(b).includes(key) && disjoint(property(a, key), property(b, key), resolve, depth + 1),
  );
}

function kindsOf(node: JsonObject, values: readonly unknown[] | undefined): string[] {
  if (!values) return typesOf(node).map((type) => (type === "integer" ? "number" : type));
  return [...new Set(values.map(typeOf))];
}

const tags = (node: JsonObject): string[] =>
  isObject(node.properties) ? ((node.required as string[] | undefined) ?? []) : [];

const property = (node: JsonObject, key: string): JsonSchema => {
  const properties = node.properties as Record<string, JsonSchema>;
  return Object.hasOwn(properties, key) ? properties[key]! : true;
};
