import { isObject } from "../common/plain-object.js";
import { typeNamed } from "./json-types.js";
import { listedValues } from "./listed-values.js";
import { annotations } from "./resolve.js";

// What a schema says about the types of its value.

export type SchemaObject = { [keyword: string]: unknown };

/**
 * `string`: it can only be a string, so it streams; `object`, `array`: each part has its own plan;
 * `any`: the schema requires nothing, so it streams as it comes; `buffered`: it is buffered until complete, then coerced.
 */
export type PlanKind = "string" | "object" | "array" | "any" | "buffered";

/** Keywords whose meaning depends on the whole value, which is buffered for them. */
export const choices = ["enum", "const", "anyOf", "oneOf", "not", "if"];

/** Whether a schema keeps any string as it is, although it allows other types too. */
export function takesText(schema: SchemaObject): boolean {
  const admits = (part: unknown) =>
    isObject(part) && !choices.some((keyword) => keyword in part) && (plainTypesOf(part)?.includes("string") ?? false);
  const branches = branchesOf(schema);
  const isChoice = branches.length > 0 && branches.includes([schema.anyOf, schema.oneOf].flat()[0]);
  return isChoice ? branches.some(admits) : admits(schema);
}

/** Whether a schema allows only strings. */
export function isOnlyString(schema: SchemaObject, types: readonly string[] | undefined): boolean {
  const listed = listedValues(schema);
  if (listed) return listed.every((value) => typeof value === "string");
  return types?.length === 1 && types[0] === "string";
}

/** Whether one type is all that a schema allows. */
export const isOnly = (schema: SchemaObject, type: string) =>
  plainTypesOf(schema)?.every((one) => one === type) ?? false;

/** How a value of the schema is read while it is being written. `types`: those that the schema allows, if it names any. */
export function planKind(schema: SchemaObject, types: readonly string[] | undefined): PlanKind {
  // Branches that only require properties (`anyOf: [{ required: … }]`) do not change how an object is read.
  const own = types?.filter((type) => type !== "null");
  const shaping = choices.filter(
    (keyword) => keyword in schema && !(own?.[0] === "object" && onlyDemands(schema, keyword)),
  );
  if (shaping.length > 0) return "buffered";
  if (own?.length === 1 && (own[0] === "object" || own[0] === "array")) return own[0];
  if (types?.every((type) => type === "string")) return "string";
  if (types) return types.every((type) => type === "any") ? "any" : "buffered";
  if ("properties" in schema || "patternProperties" in schema) return "object";
  if ("items" in schema || "prefixItems" in schema) return "array";
  return "any";
}

/** Whether the branches of a keyword only require properties. */
function onlyDemands(schema: SchemaObject, keyword: string): boolean {
  if (keyword === "not" || keyword === "if") return true;
  const branches = schema[keyword];
  return (
    Array.isArray(branches) &&
    branches.every((branch) => isObject(branch) && Object.keys(branch).every((key) => key === "required"))
  );
}

/** The plain types that a schema allows by its own `type` and `nullable`; undefined if it names none. */
export function plainTypesOf(schema: SchemaObject): readonly string[] | undefined {
  const declared = Array.isArray(schema.type) ? schema.type : schema.type === undefined ? [] : [schema.type];
  const types = declared
    .filter((type): type is string => typeof type === "string")
    .map((type) => typeNamed(type) ?? type);
  if (types.length === 0) return undefined;
  if (schema.nullable === true && !types.includes("null")) types.push("null");
  return types;
}

/** The branches of `anyOf` and `oneOf`, each with the keywords beside them. */
export function branchesOf(schema: SchemaObject): unknown[] {
  const branches = [schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  if (branches.length === 0) return [];
  // The keywords beside the branches apply to each of them.
  const { anyOf, oneOf, ...beside } = schema;
  const shared = Object.keys(beside).some((key) => !annotations.has(key));
  return shared ? branches.map((branch) => ({ allOf: [beside, branch] })) : branches;
}
