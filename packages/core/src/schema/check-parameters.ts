import { isObject } from "../common/plain-object.js";
import type { JsonSchema } from "../types.js";
import { type CompiledSchema, compileSchema } from "./compile.js";
import { ToolDefinitionError } from "./errors.js";
import { DECLARING } from "./framework-keywords.js";
import { type JsonObject, stepsOf } from "./json.js";
import { typeNamed } from "./json-types.js";
import { excessOf } from "./limits.js";
import { isChecked, noKeyword, type SchemaProblem } from "./normalize.js";
import { MAPS, VALUES } from "./references.js";
import { typesOf } from "./words.js";

// `normalizeTools` reports every problem of a schema. All other functions that take tools refuse only what is certainly
// a mistake of the author: a keyword that they do not know may have a meaning elsewhere.

/** Parameters that were checked, or whose problems were reported to the application. */
const accepted = new WeakSet<object>();

/** Parameters that are accepted from now on: their problems were reported to the application. */
export function acceptParameters(parameters: unknown): void {
  if (isObject(parameters)) accepted.add(parameters);
}

/**
 * Refuses parameters that are certainly a mistake: no object matches them, a keyword has a value of another kind
 * (`required: true`) or lists nothing (`enum: []`), a type is unknown, `properties` or `required` is misspelt, or properties
 * are beside `properties` instead of under it. Checks an object once.
 *
 * Errors: {@link ToolDefinitionError} (`parameters-not-object`, `invalid-schema`).
 *
 * @example
 * refuseMistakes("weather", { type: "objct" }); // throws: … type should be a JSON type, is "objct". Did you mean "object"?
 */
export function refuseMistakes(name: string, parameters: JsonSchema | undefined): void {
  if (parameters === undefined) return;
  // A schema that is too large is refused, with its place, where limits are checked.
  if (isObject(parameters) && (accepted.has(parameters) || excessOf(parameters))) return;
  const mistakes = mistakesIn(parameters);
  if (mistakes.length > 0) throw invalidSchema(name, mistakes);
  requireObject(name, compileSchema(parameters));
  acceptParameters(parameters);
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
export const mistakesIn = (schema: JsonSchema): SchemaProblem[] => [
  ...compileSchema(schema).problems.filter((problem) => isMistake(problem, schema)),
  ...(isObject(schema) ? misplacedProperties(schema, true) : []),
];

/** Keywords without which arguments are not declared: misspelt, they are certainly a mistake. */
const DECLARES = ["properties", "required"].map((keyword) => noKeyword(JSON.stringify(keyword)));

/** Whether a problem is a mistake in any system. A null is how some of them write that there is no value. */
function isMistake({ path, keyword, message }: SchemaProblem, schema: JsonSchema): boolean {
  let holder: unknown = schema;
  for (const step of stepsOf(path)) holder = Object(holder)[step];
  if (keyword === "schema") return holder != null && !isObject(holder);
  const value = Object(holder)[keyword];
  if (value === null) return false;
  if (!isChecked(keyword)) return DECLARES.includes(message);
  // A value of the right kind may have a meaning in another system, such as a pattern of another language.
  if (/^(?:enum|anyOf|oneOf)$/.test(keyword)) return !Array.isArray(value) || value.length === 0;
  if (/^(?:prefixItems|allOf)$/.test(keyword)) return !Array.isArray(value);
  if (/^(?:pattern|format)$/.test(keyword)) return typeof value !== "string";
  if (keyword === "type") return [value].flat().some(isMistakenType);
  return keyword !== "patternProperties" || !isObject(value);
}

const isMistakenType = (name: unknown) => name !== null && typeNamed(name) === undefined;

/** The error for parameters with these problems. */
export function invalidSchema(name: string, problems: readonly SchemaProblem[]): ToolDefinitionError {
  const message = `The parameters of tool ${JSON.stringify(name)} are not a valid JSON Schema: ${listed(problems)}`;
  return new ToolDefinitionError("invalid-schema", name, message, { path: problems[0]?.path });
}

/** Problems as the end of a sentence. */
export function listed(problems: readonly SchemaProblem[]): string {
  const found = problems.map(
    ({ path, keyword, message }) => `${path === "" ? "" : `${path} `}${keyword} ${hinted(message)}`,
  );
  return `${found.join("; ")}${found.at(-1)?.endsWith("?") ? "" : "."}`;
}

/** With the schema that a text in its place means: `properties: { city: "string" }`. */
const hinted = (message: string) =>
  message.replace(/^should be an object or a boolean, is ("(\w+)")$/, (said, text, name) =>
    typeNamed(name) === undefined ? said : `${said}. Did you mean { "type": ${text} }?`,
  );

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
