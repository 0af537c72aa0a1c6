import { oncePer } from "../common/once-per.js";
import { isObject } from "../common/plain-object.js";
import type { JsonSchema } from "../types.js";
import { formats } from "./formats.js";
import { Identities } from "./identity.js";
import type { JsonObject } from "./json.js";
import { hasOneOf } from "./json-types.js";
import { isMultiple } from "./multiple.js";
import { Budget, matcherFor, TooCostly } from "./pattern/pattern.js";
import { typesOf } from "./words.js";

/** Whether a value satisfies one keyword of a node. */
type Check = (value: unknown, run: SchemaMatcher) => boolean;

/**
 * Makes the check of a keyword from its argument. Typed as a method, since normal form guarantees the argument's type.
 */
type CheckOf = { make(argument: unknown, node: JsonObject): Check }["make"];

interface NodeChecks {
  checks: readonly Check[];
  /** Whether several schemas apply to one value, so that caching results pays off. */
  isShared: boolean;
}

/** A value is not JSON: a function, a symbol, a bigint, undefined. */
class NotJson extends Error {}

/** Whether an error means that a value cannot be checked. */
export const isBeyondLimits = (error: unknown): boolean =>
  error instanceof RangeError || error instanceof TooCostly || error instanceof NotJson;

/**
 * Checks values against nodes of a schema in normal form. Results are cached, so that each schema checks each part of a
 * value once and nested unions take no exponential time. An instance is for one value and its parts; values from the
 * schema itself can be checked in the same run.
 *
 * Errors: {@link NotJson}; `TooCostly` for a pattern that takes too many steps; RangeError for values nested deeper
 * than the stack allows.
 */
export class SchemaMatcher {
  readonly budget = new Budget();
  private known: Map<object, Map<unknown, boolean>> | undefined;
  private identities: Identities | undefined;
  private listed: Map<readonly unknown[], Set<number>> | undefined;

  constructor(readonly resolve: (ref: string) => JsonSchema) {}

  matches(node: JsonSchema, value: unknown): boolean {
    if (typeof node === "boolean") return node;
    if (value === undefined || (typeof value !== "object" && typeof value !== "string" && !isPlainScalar(value)))
      throw new NotJson(`a ${typeof value} is not JSON`);
    const own = checksOf(node);
    if (!own.isShared) return this.passes(own.checks, value);
    this.known ??= new Map();
    let answers = this.known.get(node);
    if (!answers) {
      answers = new Map();
      this.known.set(node, answers);
    }
    let answer = answers.get(value);
    if (answer === undefined) {
      answer = this.passes(own.checks, value);
      answers.set(value, answer);
    }
    return answer;
  }

  /** The keywords of a node that the value itself violates, without those that apply subschemas. */
  broken(node: JsonObject, value: unknown): string[] {
    return ASSERTIONS.filter((keyword) => {
      const make = keyword in node ? keywords[keyword] : undefined;
      return make && !make(node[keyword], node)(value, this);
    });
  }

  isIn(value: unknown, list: readonly unknown[]): boolean {
    this.listed ??= new Map();
    let identities = this.listed.get(list);
    if (!identities) {
      identities = new Set(list.map((one) => this.identity(one)));
      this.listed.set(list, identities);
    }
    return identities.has(this.identity(value));
  }

  identity(value: unknown): number {
    this.identities ??= new Identities();
    return this.identities.of(value);
  }

  matchesPattern(pattern: string, text: string): boolean {
    return matcherFor(pattern)(text, this.budget);
  }

  private passes(checks: readonly Check[], value: unknown): boolean {
    for (const check of checks) if (!check(value, this)) return false;
    return true;
  }
}

const isPlainScalar = (value: unknown) => typeof value === "number" || typeof value === "boolean";

/** The checks of a node. Schemas do not change, so the checks are made once. */
const checksOf = oncePer((node: JsonObject): NodeChecks => {
  const checks: Check[] = [];
  for (const [keyword, make] of Object.entries(keywords))
    if (node[keyword] !== undefined) checks.push(make(node[keyword], node));
  return { checks, isShared: APPLICATORS.some((keyword) => keyword in node) };
});

/** Makes a check for values of one type. Values of other types pass. */
type Only<T> = (test: (value: T, run: SchemaMatcher) => boolean) => Check;

const ofString: Only<string> = (test) => (value: unknown, run) => typeof value !== "string" || test(value, run);
const ofNumber: Only<number> = (test) => (value: unknown, run) => typeof value !== "number" || test(value, run);
const ofArray: Only<unknown[]> = (test) => (value: unknown, run) => !Array.isArray(value) || test(value, run);
const ofObject: Only<JsonObject> = (test) => (value: unknown, run) => !isObject(value) || test(value, run);

/** The checks by keyword, in the order in which they run. */
const keywords: Record<string, CheckOf> = {
  type: (_, node) => {
    const types = typesOf(node);
    return (value: unknown) => hasOneOf(types, value);
  },
  const: (one: unknown) => listCheck([one]),
  enum: (list: unknown[]) => listCheck(list),
  minimum: (least: number) => ofNumber((value) => value >= least),
  exclusiveMinimum: (least: number) => ofNumber((value) => value > least),
  maximum: (most: number) => ofNumber((value) => value <= most),
  exclusiveMaximum: (most: number) => ofNumber((value) => value < most),
  multipleOf: (unit: number) => ofNumber((value) => isMultiple(value, unit)),
  minLength: (least: number) => ofString((value) => value.length >= least && lengthOf(value) >= least),
  maxLength: (most: number) => ofString((value) => value.length <= most || lengthOf(value) <= most),
  pattern: (source: string) => ofString((value, run) => run.matchesPattern(source, value)),
  format: (name: string) => ofString((value) => !Object.hasOwn(formats, name) || formats[name]!(value)),
  minItems: (least: number) => ofArray((value) => value.length >= least),
  maxItems: (most: number) => ofArray((value) => value.length <= most),
  uniqueItems: (wanted: boolean) =>
    ofArray((value, run) => !wanted || new Set(value.map((item) => run.identity(item))).size === value.length),
  minProperties: (least: number) => ofObject((value) => Object.keys(value).length >= least),
  maxProperties: (most: number) => ofObject((value) => Object.keys(value).length <= most),
  required: (keys: string[]) => ofObject((value) => keys.every((key) => Object.hasOwn(value, key))),
  dependentRequired: (dependents: Record<string, string[]>) =>
    ofObject((value) =>
      Object.entries(dependents).every(
        ([key, keys]) => !Object.hasOwn(value, key) || keys.every((other) => Object.hasOwn(value, other)),
      ),
    ),
  propertyNames: (names: JsonSchema) =>
    ofObject((value, run) => Object.keys(value).every((key) => run.matches(names, key))),
  properties: (_, node) => propertiesCheck(node),
  patternProperties: (_, node) => ("properties" in node ? anything : propertiesCheck(node)),
  additionalProperties: (_, node) =>
    "properties" in node || "patternProperties" in node ? anything : propertiesCheck(node),
  prefixItems: (parts: JsonSchema[]) =>
    ofArray((value, run) => parts.every((part, i) => i >= value.length || run.matches(part, value[i]))),
  items: (items: JsonSchema, node) => {
    const from = ((node.prefixItems as unknown[] | undefined) ?? []).length;
    return ofArray((value, run) => {
      for (let i = from; i < value.length; i++) if (!run.matches(items, value[i])) return false;
      return true;
    });
  },
  contains: (wanted: JsonSchema, { minContains = 1, maxContains = Number.POSITIVE_INFINITY }) =>
    ofArray((value, run) => {
      const count = value.filter((item) => run.matches(wanted, item)).length;
      return count >= Number(minContains) && count <= Number(maxContains);
    }),
  $ref: (ref: string) => (value: unknown, run) => run.matches(run.resolve(ref), value),
  allOf: (parts: JsonSchema[]) => (value: unknown, run) => parts.every((part) => run.matches(part, value)),
  anyOf: (parts: JsonSchema[]) => (value: unknown, run) => parts.some((part) => run.matches(part, value)),
  oneOf: (parts: JsonSchema[]) => (value: unknown, run) => {
    let count = 0;
    for (const part of parts) if (run.matches(part, value) && ++count > 1) return false;
    return count === 1;
  },
  not: (denied: JsonSchema) => (value: unknown, run) => !run.matches(denied, value),
  if: (condition: JsonSchema, node) => (value: unknown, run) => {
    const then = (run.matches(condition, value) ? node.then : node.else) as JsonSchema | undefined;
    return then === undefined || run.matches(then, value);
  },
  dependentSchemas: (dependents: Record<string, JsonSchema>) =>
    ofObject((value, run) =>
      Object.entries(dependents).every(([key, part]) => !Object.hasOwn(value, key) || run.matches(part, value)),
    ),
  unevaluatedProperties: (rest: JsonSchema, node) =>
    ofObject((value, run) => unevaluatedKeys(node, value, run).every((key) => run.matches(rest, value[key]))),
  unevaluatedItems: (rest: JsonSchema, node) =>
    ofArray((value, run) => unevaluatedItems(node, value, run).every((i) => run.matches(rest, value[i]))),
};

const anything: Check = () => true;

/** Keywords that apply other schemas to the same value. */
const APPLICATORS = ["$ref", "allOf", "anyOf", "oneOf", "not", "if", "dependentSchemas"];

/** Keywords that restrict the value itself. */
const ASSERTIONS = [
  ...["type", "enum", "const", "minLength", "maxLength", "pattern", "format", "multipleOf", "minimum", "maximum"],
  ...["exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties"],
];

function listCheck(list: unknown[]): Check {
  const scalars = new Set(list.filter((one) => typeof one !== "object" || one === null));
  const containers = list.filter((one) => typeof one === "object" && one !== null);
  return (value: unknown, run) =>
    typeof value === "object" && value !== null
      ? containers.length > 0 && run.isIn(value, containers)
      : scalars.has(value);
}

/** Checks `properties`, `patternProperties` and `additionalProperties`, which depend on each other. */
function propertiesCheck(node: JsonObject): Check {
  const properties = (node.properties as Record<string, JsonSchema> | undefined) ?? {};
  const patterns = Object.entries((node.patternProperties as Record<string, JsonSchema> | undefined) ?? {});
  const others = node.additionalProperties as JsonSchema | undefined;
  return ofObject((value, run) => {
    for (const key of Object.keys(value)) {
      let isDeclared = Object.hasOwn(properties, key);
      if (isDeclared && !run.matches(properties[key]!, value[key])) return false;
      for (const [pattern, part] of patterns) {
        if (!run.matchesPattern(pattern, key)) continue;
        isDeclared = true;
        if (!run.matches(part, value[key])) return false;
      }
      if (!isDeclared && others !== undefined && !run.matches(others, value[key])) return false;
    }
    return true;
  });
}

/** The keys of an object that neither a node nor a schema that it applies to the same object evaluates. */
export function unevaluatedKeys(node: JsonObject, value: JsonObject, run: SchemaMatcher): string[] {
  const left = new Set(Object.keys(value));
  eachApplied(node, value, run, (part) => {
    if (part.additionalProperties !== undefined || (part !== node && part.unevaluatedProperties !== undefined))
      left.clear();
    const patterns = Object.keys((part.patternProperties as object | undefined) ?? {});
    for (const key of left)
      if (Object.hasOwn((part.properties as object | undefined) ?? {}, key)) left.delete(key);
      else if (patterns.some((pattern) => run.matchesPattern(pattern, key))) left.delete(key);
  });
  return [...left];
}

/** The items of an array that are not evaluated in that sense, by index. */
export function unevaluatedItems(node: JsonObject, value: readonly unknown[], run: SchemaMatcher): number[] {
  const left = new Set(value.keys());
  eachApplied(node, value, run, (part) => {
    if (part.items !== undefined || (part !== node && part.unevaluatedItems !== undefined)) left.clear();
    const prefix = ((part.prefixItems as unknown[] | undefined) ?? []).length;
    for (const i of left)
      if (i < prefix || (part.contains !== undefined && run.matches(part.contains as JsonSchema, value[i])))
        left.delete(i);
  });
  return [...left];
}

/** Visits a node and all nodes that it applies to the same value, if the value matches them; each node once. */
function eachApplied(node: JsonSchema, value: unknown, run: SchemaMatcher, take: (node: JsonObject) => void): void {
  const seen = new Set<object>();
  const visit = (part: JsonSchema | undefined): void => {
    if (!isObject(part) || seen.has(part)) return;
    seen.add(part);
    take(part);
    if (typeof part.$ref === "string") visit(run.resolve(part.$ref));
    for (const one of (part.allOf as JsonSchema[] | undefined) ?? []) visit(one);
    for (const keyword of ["anyOf", "oneOf"])
      for (const one of (part[keyword] as JsonSchema[] | undefined) ?? []) if (run.matches(one, value)) visit(one);
    if (part.if !== undefined) {
      const holds = run.matches(part.if as JsonSchema, value);
      if (holds) visit(part.if as JsonSchema);
      visit((holds ? part.then : part.else) as JsonSchema | undefined);
    }
    for (const [key, one] of Object.entries((part.dependentSchemas as Record<string, JsonSchema> | undefined) ?? {}))
      if (isObject(value) && Object.hasOwn(value, key)) visit(one);
  };
  visit(node);
}

/** The length of a string in code points; a lone surrogate counts as one. */
function lengthOf(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    if ((text.charCodeAt(i) & 0xfc00) !== 0xd800 || (text.charCodeAt(i + 1) & 0xfc00) !== 0xdc00) continue;
    length--;
    i++;
  }
  return length;
}
