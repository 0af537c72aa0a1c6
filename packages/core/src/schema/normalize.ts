import { clip } from "../common/clip.js";
import { isMisspelling, plainName } from "../common/nearest-name.js";
import { isObject } from "../common/plain-object.js";
import type { JsonSchema } from "../types.js";
import { type JsonObject, join, printJson } from "./json.js";
import { hasOneOf, typeNamed, unknownType } from "./json-types.js";
import { excessOf } from "./limits.js";
import { exclusiveBounds, targetOf } from "./older-drafts.js";
import { whyUnmatchable } from "./pattern/pattern.js";
import { ignoresBesideRef, isAmbiguous, resolveReference, type Target } from "./references.js";
import { typesOf } from "./words.js";

/** A keyword that cannot be checked: its place in the schema (JSON pointer), its name, and the reason. */
export interface SchemaProblem {
  path: string;
  keyword: string;
  message: string;
}

/**
 * A schema in the form on which validation and grammars work: JSON Schema 2020-12 without annotations, where every
 * `$ref` is `#` or `#/$defs/<n>` and leads somewhere, and where every keyword has a value of the right shape.
 */
export interface NormalSchema {
  root: JsonSchema;
  problems: SchemaProblem[];
  /** Whether the schema is too large to be visited, so that no value can be checked. */
  isTooLarge: boolean;
  /** The place in the given schema from which a node of `root` comes. */
  origin(node: unknown): { path: string; schema: unknown } | undefined;
  /** The node to which a `$ref` of `root` leads. */
  resolve(ref: string): JsonSchema;
}

/**
 * Normalises a schema of any draft from 4 on, OpenAPI 3.0 (`nullable`) and the type names of other dialects (`dict`,
 * `float`, `STRING`). Never throws: invalid keywords are left out and listed in `problems`. The given schema is not
 * changed; it may be frozen, share objects, or contain cycles of objects.
 *
 * @example normalizeSchema({ type: "integer", nullable: true }).root; // { type: ["integer", "null"] }
 */
export function normalizeSchema(schema: JsonSchema): NormalSchema {
  const normalizer = new Normalizer(schema);
  const excess = excessOf(schema);
  let root: JsonSchema = true;
  let isTooLarge = excess !== undefined;
  if (excess) normalizer.problems.push({ path: excess.path, keyword: "schema", message: excess.message });
  else
    try {
      root = normalizer.run();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      isTooLarge = true;
      normalizer.problems.push({ path: "", keyword: "schema", message: "has references that lead too deep" });
    }
  const defs = isObject(root) && isObject(root.$defs) ? root.$defs : {};
  return {
    root,
    problems: normalizer.problems,
    isTooLarge,
    origin: (node) => (isObject(node) ? normalizer.origins.get(node) : undefined),
    resolve: (ref) => (ref === "#" ? root : (defs[ref.slice("#/$defs/".length)] as JsonSchema)),
  };
}

/** A `$ref` that applies to the same value as the schema around it; a cycle of these would never end. */
interface Edge {
  node: JsonObject;
  to: string;
  path: string;
}

class Normalizer {
  readonly problems: SchemaProblem[] = [];
  readonly origins = new Map<object, { path: string; schema: unknown }>();
  private readonly seen = new Set<object>();
  private readonly names = new Map<object, string>();
  private readonly waiting: (Target & { name: string })[] = [];
  private readonly edges = new Map<string, Edge[]>();
  /** The schema that is being normalised: `#` or a definition's `$ref`. */
  private current = "#";
  private readonly legacyRef: boolean;

  constructor(private readonly given: JsonSchema) {
    this.legacyRef = ignoresBesideRef(given);
  }

  run(): JsonSchema {
    if (!isObject(this.given)) return this.schema(this.given, "", true);
    this.names.set(this.given, "#");
    const root = this.node(this.given, "", true);
    const defs: JsonObject = {};
    for (let next = this.waiting.shift(); next; next = this.waiting.shift()) {
      this.current = `#/$defs/${next.name}`;
      defs[next.name] = this.node(next.schema as JsonObject, next.path, true);
    }
    this.breakCircles();
    if (Object.keys(defs).length > 0) root.$defs = defs;
    return root;
  }

  problem(path: string, keyword: string, message: string): undefined {
    this.problems.push({ path, keyword, message });
    return undefined;
  }

  /** `same`: the schema applies to the same value as the definition that contains it. */
  schema(raw: unknown, path: string, same: boolean): JsonSchema {
    if (typeof raw === "boolean") return raw;
    if (!isObject(raw)) {
      this.problem(path, "schema", `should be an object or a boolean, is ${describe(raw)}`);
      return true;
    }
    // Already seen: shared or circular objects become references, so that the work stays linear.
    return this.seen.has(raw) ? this.reference({ schema: raw, path }, path, same) : this.node(raw, path, same);
  }

  private reference(target: Target, path: string, same: boolean): JsonSchema {
    if (!isObject(target.schema)) return this.schema(target.schema, target.path, same);
    let name = this.names.get(target.schema);
    if (name === undefined) {
      const index = String(this.names.size);
      name = `#/$defs/${index}`;
      this.names.set(target.schema, name);
      this.waiting.push({ ...target, name: index });
    }
    const node: JsonObject = { $ref: name };
    this.origins.set(node, { path, schema: target.schema });
    if (same) {
      const edges = this.edges.get(this.current) ?? [];
      edges.push({ node, to: name, path });
      this.edges.set(this.current, edges);
    }
    return node;
  }

  private node(raw: JsonObject, path: string, same: boolean): JsonObject {
    this.seen.add(raw);
    const out: JsonObject = {};
    this.origins.set(out, { path, schema: raw });
    const keyword = ["$ref", "$dynamicRef", "$recursiveRef"].find((name) => raw[name] !== undefined);
    if (keyword !== undefined) {
      const reached = this.follow(keyword, raw[keyword], path, same);
      if (reached === false || (isObject(reached) && this.legacyRef)) return this.wrap(reached, path, raw);
      if (isObject(reached)) out.allOf = [reached];
    }
    for (const keyword of Object.keys(raw)) {
      const read = readers.get(keyword);
      if (raw[keyword] === undefined) continue;
      if (!read) {
        const meant = keywordMeant(keyword, raw);
        if (meant !== undefined) this.problem(path, keyword, noKeyword(JSON.stringify(meant)));
        continue;
      }
      const value = read(raw[keyword], new Place(this, raw, keyword, path, same));
      if (value === undefined) continue;
      if (keyword === "allOf" && Array.isArray(out.allOf)) out.allOf.push(...(value as unknown[]));
      else out[targetOf(keyword, raw)] = value;
    }
    exclusiveBounds(out, raw);
    const types = typesOf(out);
    const listed = Array.isArray(out.enum) && types.length > 0 ? out.enum : [];
    if (listed.length > 0 && !listed.some((value) => hasOneOf(types, value))) {
      this.problem(path, "type", `should be that of the values under enum, is ${describe(raw.type)}`);
      delete out.type;
    }
    this.dependencies(out, raw, path, same);
    return raw.nullable === true ? this.nullable(out, path, raw) : simplify(out);
  }

  private follow(keyword: string, ref: unknown, path: string, same: boolean): JsonSchema | undefined {
    const target = typeof ref === "string" ? resolveReference(this.given, ref, path) : undefined;
    if (!target) return this.problem(path, keyword, `leads nowhere: ${describe(ref)}`);
    if (keyword !== "$ref" && isAmbiguous(this.given, ref as string, target))
      return this.problem(path, keyword, `leads to one of several: ${describe(ref)}`);
    return this.reference(target, path, same);
  }

  private wrap(schema: JsonSchema, path: string, raw: JsonObject): JsonObject {
    const node = schema === false ? { not: {} } : (schema as JsonObject);
    this.origins.set(node, { path, schema: raw });
    return node;
  }

  private nullable(out: JsonObject, path: string, raw: JsonObject): JsonObject {
    if (Object.keys(out).length === 0) return out;
    const types = typesOf(out);
    if (types.length > 0 && !["allOf", "anyOf", "oneOf", "const", "not", "if"].some((keyword) => keyword in out)) {
      if (!types.includes("null")) out.type = [...types, "null"];
      if (Array.isArray(out.enum) && !out.enum.includes(null)) out.enum = [...out.enum, null];
      return out;
    }
    const node = { anyOf: [simplify(out), { type: "null" }] };
    this.origins.set(node, { path, schema: raw });
    return node;
  }

  /** Draft 4 to 7: `dependencies` contains what is now `dependentRequired` and `dependentSchemas`. */
  private dependencies(out: JsonObject, raw: JsonObject, path: string, same: boolean): void {
    if (!isObject(raw.dependencies)) return;
    for (const [key, value] of Object.entries(raw.dependencies)) {
      const keyword = Array.isArray(value) ? "dependentRequired" : "dependentSchemas";
      const entry = Array.isArray(value) ? value : this.schema(value, join(path, "dependencies", key), same);
      out[keyword] = Object.fromEntries([...Object.entries((out[keyword] as JsonObject) ?? {}), [key, entry]]);
    }
  }

  private breakCircles(): void {
    const state = new Map<string, "open" | "done">();
    const visit = (name: string): void => {
      state.set(name, "open");
      for (const { node, to, path } of this.edges.get(name) ?? []) {
        if (state.get(to) === "open") {
          delete node.$ref;
          this.problem(path, "$ref", "refers to itself without going deeper");
        } else if (!state.has(to)) visit(to);
      }
      state.set(name, "done");
    };
    for (const name of this.edges.keys()) if (!state.has(name)) visit(name);
  }
}

/** Replaces `{ allOf: [x] }` by x. */
function simplify(out: JsonObject): JsonObject {
  const [only] = Array.isArray(out.allOf) && out.allOf.length === 1 && Object.keys(out).length === 1 ? out.allOf : [];
  return isObject(only) ? only : out;
}

/** The place of a keyword, for its reader. */
class Place {
  constructor(
    private readonly normalizer: Normalizer,
    readonly raw: JsonObject,
    readonly keyword: string,
    private readonly path: string,
    private readonly same: boolean,
  ) {}

  note(problem: string): undefined {
    return this.normalizer.problem(this.path, this.keyword, problem);
  }

  refuse(wanted: string, value: unknown): undefined {
    return this.note(`should be ${wanted}, is ${describe(value)}`);
  }

  /** A list, which should not be empty. */
  list(wanted: string, value: unknown): unknown[] | undefined {
    if (!Array.isArray(value)) return this.refuse(wanted, value);
    if (value.length === 0) this.refuse(wanted, value);
    return value;
  }

  /** Notes why a pattern is not checked. */
  leaveOut(reason: string, pattern: unknown): undefined {
    return this.note(`${reason}, so it is not checked: ${describe(pattern)}`);
  }

  /** A subschema; `key` is its place below the keyword. */
  child(raw: unknown, same: boolean, key?: string): JsonSchema {
    const own = `${this.path}/${this.keyword}`;
    const path = key === undefined ? own : join(own, key);
    return this.normalizer.schema(raw, path, same && this.same);
  }
}

type Reader = (value: unknown, place: Place) => unknown;

const schema =
  (same: boolean): Reader =>
  (value, place) =>
    place.child(value, same);

const schemas =
  (same: boolean): Reader =>
  (value, place) => {
    const list = place.list("a list of schemas", value);
    // None of no alternatives matches.
    if (list?.length === 0) return place.keyword === "allOf" ? undefined : [false];
    return list && Array.from(list, (part, i) => place.child(part, same, String(i)));
  };

const schemaMap =
  (same: boolean): Reader =>
  (value, place) => {
    if (!isObject(value)) return place.refuse("an object of schemas", value);
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, place.child(part, same, key)]));
  };

const number: Reader = (value, place) => (Number.isFinite(value) ? value : place.refuse("a number", value));

/** `true` is the form of draft 4, handled with the bound that it changes. */
const bound: Reader = (value, place) => (typeof value === "boolean" ? undefined : number(value, place));

const count: Reader = (value, place) =>
  Number.isInteger(value) && (value as number) >= 0 ? value : place.refuse("a whole number from 0", value);

const strings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");

const type: Reader = (value, place) => {
  const given = [value].flat();
  if (given.length === 0) return place.refuse("a type", value);
  const types = new Set<string>();
  for (const name of given) {
    const type = typeNamed(name);
    if (type === undefined) return place.note(unknownType(name).message);
    types.add(type);
  }
  if (types.has("any")) return undefined;
  return types.size === 1 ? [...types][0] : [...types];
};

const pattern: Reader = (value, place) => {
  const compiled = typeof value === "string" ? toUnicodePattern(value) : undefined;
  if (compiled === undefined) return place.refuse("a regular expression of ECMAScript", value);
  const reason = whyUnmatchable(compiled);
  return reason === undefined ? compiled : place.leaveOut(reason, value);
};

/** A pattern that compiles with the flag `u`: escapes that only other dialects allow (`\\-`) become `\\x2d`. */
function toUnicodePattern(source: string): string | undefined {
  const repaired = source.replace(/\\(.)/gs, (sequence: string, char: string) =>
    /[-_!"#%&',:;<=>@`~ ]/.test(char) ? `\\x${char.charCodeAt(0).toString(16)}` : sequence,
  );
  for (const candidate of [source, repaired]) {
    try {
      new RegExp(candidate, "u");
      return candidate;
    } catch {
      // The next spelling, or none.
    }
  }
  return undefined;
}

const keywords: Record<string, Reader> = {
  type,
  enum: (value, place) => place.list("a list of values", value),
  const: (value) => value,
  allOf: schemas(true),
  anyOf: schemas(true),
  oneOf: schemas(true),
  not: schema(true),
  if: schema(true),
  // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema.
  then: (value, place) => ("if" in place.raw ? place.child(value, true) : undefined),
  else: (value, place) => ("if" in place.raw ? place.child(value, true) : undefined),
  dependentSchemas: schemaMap(true),
  dependentRequired: (value, place) =>
    isObject(value) && Object.values(value).every(strings) ? value : place.refuse("an object of lists of keys", value),
  properties: schemaMap(false),
  patternProperties: (value, place) => {
    if (!isObject(value)) return place.refuse("an object of schemas", value);
    const entries = Object.entries(value).map(([key, part]) => [toUnicodePattern(key), place.child(part, false, key)]);
    if (entries.some(([key]) => key === undefined)) return place.refuse("regular expressions of ECMAScript", value);
    for (const [key] of entries) {
      const reason = whyUnmatchable(key as string);
      if (reason !== undefined) return place.leaveOut(reason, key);
    }
    return Object.fromEntries(entries);
  },
  additionalProperties: schema(false),
  unevaluatedProperties: schema(false),
  propertyNames: schema(false),
  required: (value, place) => (strings(value) ? value : place.refuse("a list of keys", value)),
  minProperties: count,
  maxProperties: count,
  items: (value, place) => {
    if (!Array.isArray(value)) return place.child(value, false);
    return value.length > 0 && !("prefixItems" in place.raw) ? schemas(false)(value, place) : undefined;
  },
  prefixItems: schemas(false),
  additionalItems: (value, place) => (Array.isArray(place.raw.items) ? place.child(value, false) : undefined),
  unevaluatedItems: schema(false),
  contains: schema(false),
  minContains: count,
  maxContains: count,
  minItems: count,
  maxItems: count,
  uniqueItems: (value, place) => (typeof value === "boolean" ? value : place.refuse("true or false", value)),
  minimum: number,
  maximum: number,
  exclusiveMinimum: bound,
  exclusiveMaximum: bound,
  multipleOf: (value, place) =>
    typeof value === "number" && value > 0 ? number(value, place) : place.refuse("a number above 0", value),
  minLength: count,
  maxLength: count,
  pattern,
  format: (value, place) => {
    if (typeof value !== "string" || value in {}) return place.refuse("a name", value);
    // If a pattern states which times are meant (zod's does, for times without a zone), the stricter format is dropped.
    return typeof place.raw.pattern === "string" && /^(date-)?time$/.test(value) ? undefined : value;
  },
};

const readers = new Map(Object.entries(keywords));

/** Whether a key of a schema is a keyword that is checked. */
export const isChecked = (key: string): boolean => readers.has(key);

/** The keywords of which others may be misspellings, with annotations that a model reads; short ones differ by chance. */
const SPELT: readonly string[] = [...readers.keys(), "description", "title", "default"].filter(
  (name) => name.length > 3 && !/const|then|else/.test(name),
);

/** A key that may be a keyword: `minimun`, `any_of`. Others, such as `x-format`, are those of other systems. */
const WORDS = /^(?!x[_-])[a-z]{2,}(?:[_-][a-z]{2,})*$/i;

/**
 * The keyword of which a key of a schema is certainly a misspelling: the schema lacks it, and it would take the value. Other
 * unknown keywords are legal, and mean nothing.
 *
 * @example keywordMeant("requird", { requird: ["city"] }); // "required"
 */
function keywordMeant(key: string, schema: JsonObject): string | undefined {
  if (key.length < 4 || SPELT.includes(key) || !WORDS.test(key)) return undefined;
  const written = plainName(key);
  // With more words it is a name of its own: `descriptionEn`.
  const meant = SPELT.find((name) => {
    const right = name.toLowerCase();
    return written === right || (!/[_-]/.test(key) && !written.includes(right) && isMisspelling(key, name, 1));
  });
  if (meant === undefined || meant in schema) return undefined;
  // Other schemas may have an `item`.
  if (meant === "items" && schema.type !== "array") return undefined;
  const probe = new Normalizer(true);
  const read = readers.get(meant);
  read?.(schema[key], new Place(probe, schema, meant, "", false));
  const takes = read ? probe.problems.length === 0 : typeof schema[key] !== "object";
  return takes ? meant : undefined;
}

/** What is wrong with a key that is no keyword. */
export const noKeyword = (meant: string): string => `is not a keyword of JSON Schema. Did you mean ${meant}?`;

const describe = (value: unknown) => clip(printJson(value), 60);
