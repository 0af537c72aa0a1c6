import { isObject } from "../common/plain-object.js";
import type { JsonSchema } from "../types.js";
import { type CompiledSchema, compileSchema } from "./compile.js";
import { ToolDefinitionError } from "./errors.js";
import { DECLARING } from "./framework-keywords.js";
import { type JsonObject, join } from "./json.js";
import { typeNamed, unknownType } from "./json-types.js";
import { excessOf } from "./limits.js";
import { isChecked, keywordMeant, noKeyword, type SchemaProblem } from "./normalize.js";
import { MAPS, VALUES } from "./references.js";
import { typesOf } from "./words.js";

// `normalizeTools` reports every problem of a schema. All other functions that take tools refuse only what is certainly
// a mistake of the author: a keyword or type that they do not know may have a meaning elsewhere.

/** Parameters that were checked, or whose problems were reported to the application. */
const accepted = new WeakSet<object>();

/** Parameters that are accepted from now on: their problems were reported to the application. */
export function acceptParameters(parameters: unknown): void {
  if (isObject(parameters)) accepted.add(parameters);
}

/**
 * Refuses parameters that are certainly a mistake: no object matches them, the name of a type, `properties` or `required` is
 * misspelt, a text is in place of a schema, or properties are beside `properties` instead of under it. Boolean schemas are
 * accepted. Checks an object once.
 *
 * Errors: {@link ToolDefinitionError} (`parameters-not-object`, `invalid-schema`).
 *
 * @example
 * refuseMistakes("weather", { type: "objct" }); // throws: … type should be a JSON type, is "objct". Did you mean "object"?
 */
export function refuseMistakes(name: string, parameters: JsonSchema | undefined): void {
  // A schema that is too large is refused, with its place, where limits are checked.
  if (!isObject(parameters) || accepted.has(parameters) || excessOf(parameters)) return;
  const mistakes = mistakesIn(parameters);
  if (mistakes.length > 0) throw invalidSchema(name, mistakes);
  const { type, $ref, allOf, anyOf, oneOf } = parameters;
  const isPlainObject = type === "object" && ($ref ?? allOf ?? anyOf ?? oneOf) === undefined;
  if (!isPlainObject) requireObject(name, compileSchema(parameters));
  accepted.add(parameters);
}

/**
 * Requires that an object can match, as far as the root shows: a call's arguments are one.
 *
 * Errors: {@link ToolDefinitionError} (`parameters-not-object`).
 */
export function requireObject(name: string, compiled: CompiledSchema): void {
  // A part that is being visited contains itself, and refuses nothing by that.
  const known = new Map<JsonSchema, boolean>();
  const admits = (node: JsonSchema): boolean => {
    if (!isObject(node)) return node === true;
    const before = known.get(node);
    if (before !== undefined) return before;
    known.set(node, true);
    const result = admitsByKeywords(node);
    known.set(node, result);
    return result;
  };
  const admitsByKeywords = (node: JsonObject): boolean => {
    const types = typesOf(node);
    if (types.length > 0 && !types.includes("object")) return false;
    if (typeof node.$ref === "string") return admits(compiled.resolve(node.$ref));
    const all = (node.allOf as JsonSchema[] | undefined) ?? [];
    const any = (node.anyOf ?? node.oneOf) as JsonSchema[] | undefined;
    return all.every(admits) && (any === undefined || any.some(admits));
  };
  if (admits(compiled.root)) return;
  const message = `The parameters of tool ${JSON.stringify(name)} must describe an object ({ type: "object", … }): a call's arguments are one.`;
  throw new ToolDefinitionError("parameters-not-object", name, message, { path: "" });
}

/** What is certainly a mistake in a schema; see {@link refuseMistakes}. */
export const mistakesIn = (schema: JsonObject): SchemaProblem[] => [
  ...mistakesWithin(schema),
  ...misplacedProperties(schema, true),
];

/** The error for parameters with these problems. */
export function invalidSchema(name: string, problems: readonly SchemaProblem[]): ToolDefinitionError {
  const message = `The parameters of tool ${JSON.stringify(name)} are not a valid JSON Schema: ${listed(problems)}`;
  return new ToolDefinitionError("invalid-schema", name, message, { path: problems[0]?.path });
}

/** Problems as the end of a sentence. */
export function listed(problems: readonly SchemaProblem[]): string {
  const found = problems.map(({ path, keyword, message }) => `${path || "/"} ${keyword} ${message}`);
  return `${found.join("; ")}${found.at(-1)?.endsWith("?") ? "" : "."}`;
}

/**
 * Properties that are beside `properties` instead of under it: `{ city: { type: "string" } }`. `certain`: only those that
 * `required` names or that have no `type` beside them; others may be keywords of another system.
 */
export function misplacedProperties(schema: JsonObject, certain = false): SchemaProblem[] {
  if (DECLARING.some((keyword) => schema[keyword] !== undefined)) return [];
  const { type, required } = schema;
  const isBare = typeof type === "object" || !Object.keys(schema).some(isChecked);
  const isNamed = (key: string) => Array.isArray(required) && required.includes(key);
  return Object.entries(schema)
    .filter(([key]) => !certain || isBare || isNamed(key))
    .filter(([key, value]) => isPropertyName(key) && isObject(value) && typeNamed(value.type) !== undefined)
    .map(([keyword]) => ({
      path: "",
      keyword,
      message: noKeyword(`"properties": { ${JSON.stringify(keyword)}: … }`),
    }));
}

/** Whether a key with a schema is probably a property. `type` never has a schema. */
const isPropertyName = (key: string) =>
  key === "type" || !(isChecked(key) || MAPS.has(key) || VALUES.has(key) || /^(?:[$x]-?|contentSchema$)/.test(key));

/** Keywords without which arguments are not declared: misspelt, they are certainly a mistake. */
const DECLARES = ["properties", "required"];

/** Keywords whose values are names of properties. */
const NAMES: ReadonlySet<string> = new Set(["required", "dependentRequired"]);

/** Misspelt types and keywords that declare arguments, and texts in place of schemas: `properties: { city: "string" }`. */
function mistakesWithin(schema: JsonObject): SchemaProblem[] {
  const found: SchemaProblem[] = [];
  const seen = new Set<object>();
  const steps: string[] = [];
  const visit = (value: unknown, isMap: boolean): void => {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    const types = isMap || !("type" in value) ? [] : [value.type].flat();
    for (const name of types) {
      const problem = typeof name === "string" && typeNamed(name) === undefined ? unknownType(name) : undefined;
      if (problem?.meant === undefined) continue;
      found.push({ path: join("", ...steps), keyword: "type", message: problem.message });
    }
    const isList = Array.isArray(value);
    for (const [key, part] of Object.entries(value)) {
      const meant = isMap || isList || isChecked(key) ? undefined : keywordMeant(key, value as JsonObject, DECLARES);
      if (meant !== undefined)
        found.push({ path: join("", ...steps), keyword: key, message: noKeyword(JSON.stringify(meant)) });
      if (!isMap && !isList && (NAMES.has(key) || VALUES.has(key) || !(isChecked(key) || MAPS.has(key)))) continue;
      if (typeof part === "string" && (isMap || key === "items"))
        found.push({ path: join("", ...steps), keyword: key, message: textForSchema(part) });
      steps.push(key);
      visit(part, !isMap && !isList && MAPS.has(key));
      steps.pop();
    }
  };
  visit(schema, false);
  return found;
}

function textForSchema(text: string): string {
  const meant = typeNamed(text) === undefined ? "" : ` Did you mean { "type": ${JSON.stringify(text)} }?`;
  return `should be a schema, is ${JSON.stringify(text)}.${meant}`;
}
