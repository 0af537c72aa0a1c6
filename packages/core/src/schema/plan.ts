import { oncePer } from "../common/once-per.js";
import { isObject } from "../common/plain-object.js";
import type { JsonSchema } from "../types.js";
import { closesRecord } from "./framework-keywords.js";
import { type KeyTest, keyTest } from "./key-test.js";
import { excessOf } from "./limits.js";
import { listedValues } from "./listed-values.js";
import { type QuickCheck, quickCheckOf } from "./quick-check.js";
import { requiredOf } from "./required.js";
import { annotations, inexact, isExact, resolve } from "./resolve.js";
import {
  branchesOf,
  choices,
  isOnly,
  isOnlyString,
  type PlanKind,
  plainTypesOf,
  planKind,
  type SchemaObject,
  takesText,
} from "./schema-types.js";
import { bareSpelling, singularSpelling } from "./spelling.js";

/** How to handle the value in one place of the arguments while it is still being written. */
export interface Plan {
  readonly kind: PlanKind;
  /** The schema here, `$ref` and `allOf` resolved. */
  readonly schema: JsonSchema;
  /** Declared properties, for `object`. */
  readonly properties: ReadonlyMap<string, Plan>;
  /** The same as {@link property} returns them: every lookup shares one object, and one string for the key. */
  readonly declared: ReadonlyMap<string, Property>;
  /** Properties by pattern, for `object`. */
  readonly patterns: readonly (readonly [KeyTest, Plan])[];
  /** Every other property, for `object`; `false`: there may be none. */
  readonly additional: Plan | false;
  /** Every item after the `prefix`, for `array`. */
  readonly items: Plan;
  readonly prefix: readonly Plan[];
  /** The branches of `anyOf` and `oneOf`, for `buffered`. */
  readonly branches: readonly Plan[];
  /** The plain types that the schema allows; undefined if it names none. */
  readonly types: readonly string[] | undefined;
  /** The keywords that `quicklyMatches` checks; undefined: the schema has others, which only the validator checks. */
  readonly quick: QuickCheck | undefined;
  /** The only type allowed, for a value without parts that has no other requirements. */
  readonly onlyType: string | undefined;
  /** Whether any string stays as it is, although other types are allowed too. */
  readonly takesText: boolean;
  /** Whether only a string is allowed, so that markup contains it without quotes. */
  readonly onlyString: boolean;
}

/** A property of an object: the key that the schema declares, and the plan of its value. */
export interface Property {
  readonly key: string;
  readonly plan: Plan;
}

/**
 * The plan for arguments of a schema, cached by schema object. The arguments of a call are always an object, so a
 * schema without requirements gives an `object` plan.
 *
 * @example planFor({ type: "object", properties: { city: { type: "string" } } }).properties.get("city")?.kind; // "string"
 */
export function planFor(schema: JsonSchema | undefined): Plan {
  if (isObject(schema)) return planned(schema);
  return schema === false ? { ...anyObject, schema } : anyObject;
}

const planned = oncePer((schema: SchemaObject): Plan => {
  // A schema that is too large is not visited: the call is refused when it is checked.
  return excessOf(schema) ? { ...anyObject, schema: {} } : new Planner(schema).root(schema);
});

/**
 * The property for a key: its own name and plan, the declared key of which it is another spelling (if exactly one
 * matches), or undefined if the schema forbids it.
 */
export function property(plan: Plan, key: string): Property | undefined {
  const own = plan.declared.get(key);
  if (own) return own;
  for (const [pattern, patterned] of plan.patterns) if (pattern(key)) return { key, plan: patterned };
  const spelled = respelled(plan, key);
  if (spelled !== undefined) return plan.declared.get(spelled);
  return plan.additional ? { key, plan: plan.additional } : undefined;
}

/** Whether the schema declares a property with that name, or with another spelling of it. */
export const declares = (plan: Plan, key: string): boolean =>
  plan.properties.has(key) || plan.properties.has(property(plan, key)?.key ?? key);

function respelled(plan: Plan, key: string): string | undefined {
  const required = requiredKeys(plan);
  if (plan.properties.size === 0 || required.has(key)) return undefined;
  const wanted = bareSpelling(key);
  if (wanted === "") return undefined;
  const only = spellings(plan).get(wanted) ?? (spellings(plan).has(wanted) ? undefined : inOtherNumber(plan, key));
  if (only === undefined) return undefined;
  // If the schema explicitly allows other keys, this is one of them, unless the declared key is required.
  return !takesOthers(plan) || required.has(only) ? only : undefined;
}

const requiredKeys = oncePer((plan: Plan): ReadonlySet<string> => new Set(requiredOf(plan.schema)));

/** The properties by their bare spelling, and the required ones by their singular; undefined: several have it. */
const spellings = oncePer((plan: Plan) => bySpelling([...plan.properties.keys()], bareSpelling));
const singulars = oncePer((plan: Plan) =>
  bySpelling(
    [...requiredKeys(plan)].filter((name) => plan.properties.has(name)),
    singularSpelling,
  ),
);

function bySpelling(names: readonly string[], spelling: (name: string) => string) {
  const found = new Map<string, string | undefined>();
  for (const name of names) found.set(spelling(name), found.has(spelling(name)) ? undefined : name);
  return found;
}

/** The required key of which a forbidden key is the singular or plural, if exactly one matches. */
function inOtherNumber(plan: Plan, key: string): string | undefined {
  return plan.additional === false ? singulars(plan).get(singularSpelling(key)) : undefined;
}

/** Whether a schema declares that there are no keys. */
export const takesNothing = ({ schema, properties, patterns }: Plan) =>
  isObject(schema) && isObject(schema.properties) && properties.size + patterns.length === 0;

/** Types of values that are neither text nor made of parts. */
const PLAIN: ReadonlySet<string> = new Set(["number", "integer", "boolean", "null"]);

/** Whether a schema admits only numbers. */
export const takesOnlyNumbers = ({ types }: Plan): boolean =>
  types?.every((type) => type === "number" || type === "integer") ?? false;

/** Whether a schema admits only numbers, booleans and null. */
export const takesOnlyPlain = ({ types }: Plan): boolean => types?.every((type) => PLAIN.has(type)) ?? false;

const isListed = ({ schema }: Plan) => isObject(schema) && listedValues(schema) !== undefined;

/** Whether a schema lists the values that it admits, or those of a list's items. */
export const takesListed = (plan: Plan): boolean =>
  isListed(plan) || (plan.types?.includes("array") === true && isListed(plan.items));

/** Whether a schema admits no string and lists no values, so that any word for nothing is no value of it. */
export const takesNoWord = (plan: Plan): boolean =>
  plan.types !== undefined && !plan.types.some((type) => type === "string" || type === "any") && !takesListed(plan);

/** Whether a schema explicitly allows keys that it does not declare. */
export const takesOthers = ({ schema, additional, properties }: Plan) =>
  isObject(schema) &&
  additional !== false &&
  (schema.additionalProperties !== undefined || Number(schema.minProperties) > properties.size);

const nothing = {
  properties: new Map<string, Plan>(),
  declared: new Map<string, Property>(),
  patterns: [],
  prefix: [],
  branches: [],
  types: undefined,
  takesText: false,
  onlyString: false,
  quick: undefined,
  onlyType: undefined,
};

/** The plan for a value of which the schema requires nothing. */
export const anyPlan: Plan = {
  ...nothing,
  kind: "any",
  schema: true,
  get additional() {
    return anyPlan;
  },
  get items() {
    return anyPlan;
  },
};

const anyObject: Plan = { ...nothing, kind: "object", schema: true, additional: anyPlan, items: anyPlan };

class Planner {
  /** Recursive schemas have recursive plans: parts are planned on first use, once for each schema object. */
  private planned: Map<object, Plan> | undefined;

  constructor(private readonly document: JsonSchema) {}

  plan(schema: unknown): Plan {
    if (!isObject(schema)) return schema === false ? { ...anyPlan, kind: "buffered", schema: false } : anyPlan;
    this.planned ??= new Map();
    const known = this.planned.get(schema);
    if (known) return known;
    const plan = new SchemaPlan(this.orNullOf(resolve(schema, this.document)), this);
    this.planned.set(schema, plan);
    return plan;
  }

  /** A union of one type and null as that type or null, so that its values are read like those of the type alone. */
  private orNullOf(schema: SchemaObject): SchemaObject {
    if ((schema.anyOf === undefined) === (schema.oneOf === undefined)) return schema;
    const branches = branchesOf(schema).map((branch) => (isObject(branch) ? resolve(branch, this.document) : {}));
    const [one, ...others] = branches.filter((branch) => !isOnly(branch, "null"));
    if (!one || others.length > 0 || branches.length !== 2 || choices.some((keyword) => keyword in one)) return schema;
    const [type, ...more] = plainTypesOf(one) ?? [];
    if (type === undefined || more.length > 0) return schema;
    const either = { ...one, type: [type, "null"] };
    return isExact(schema) && branches.every(isExact) ? either : inexact(either);
  }

  /** The plan of the arguments, which are an object even if the schema does not require one. */
  root(schema: SchemaObject): Plan {
    const plan = new SchemaPlan(resolve(schema, this.document), this);
    const saysNothing = plan.kind === "any" || (plan.kind === "array" && plan.types === undefined);
    return saysNothing ? new SchemaPlan(plan.schema, this, "object") : plan;
  }
}

/** The plan of a schema. Its parts are planned on first use. */
class SchemaPlan implements Plan {
  readonly kind: PlanKind;
  readonly types: readonly string[] | undefined;
  readonly takesText: boolean;
  readonly onlyString: boolean;
  readonly quick: QuickCheck | undefined;
  readonly onlyType: string | undefined;
  private parts: {
    properties?: ReadonlyMap<string, Plan>;
    declared?: ReadonlyMap<string, Property>;
    patterns?: readonly (readonly [KeyTest, Plan])[];
    additional?: Plan | false;
    items?: Plan;
    prefix?: readonly Plan[];
    branches?: readonly Plan[];
  } = {};

  constructor(
    readonly schema: SchemaObject,
    private readonly planner: Planner,
    kind?: PlanKind,
  ) {
    const types = plainTypesOf(schema);
    // Null is tried first: otherwise `"null"` for a list would become `["null"]`.
    this.types = types?.includes("null") ? ["null", ...types.filter((type) => type !== "null")] : types;
    this.kind = kind ?? planKind(schema, this.types);
    this.takesText = takesText(schema);
    this.onlyString = isOnlyString(schema, this.types);
    const isBare =
      isExact(schema) && Object.keys(schema).every((keyword) => keyword === "type" || annotations.has(keyword));
    this.onlyType =
      isBare && this.types?.length === 1 && /^(?:string|number|integer|boolean|null)$/.test(this.types[0]!)
        ? this.types[0]
        : undefined;
    this.quick = isExact(schema) ? quickCheckOf(schema) : undefined;
  }

  get properties(): ReadonlyMap<string, Plan> {
    this.parts.properties ??= new Map(
      Object.entries(isObject(this.schema.properties) ? this.schema.properties : {}).map(([name, part]) => [
        name,
        this.planner.plan(part),
      ]),
    );
    return this.parts.properties;
  }

  get declared(): ReadonlyMap<string, Property> {
    this.parts.declared ??= new Map([...this.properties].map(([key, plan]) => [key, { key, plan }]));
    return this.parts.declared;
  }

  get patterns(): readonly (readonly [KeyTest, Plan])[] {
    const { patternProperties } = this.schema;
    this.parts.patterns ??= Object.entries(isObject(patternProperties) ? patternProperties : {}).flatMap(
      ([source, part]) => {
        const pattern = keyTest(source);
        return pattern ? [[pattern, this.planner.plan(part)] as const] : [];
      },
    );
    return this.parts.patterns;
  }

  get additional(): Plan | false {
    const { additionalProperties: given } = this.schema;
    this.parts.additional ??= closesRecord(this.schema) ? anyPlan : given !== false && this.planner.plan(given);
    return this.parts.additional;
  }

  get items(): Plan {
    this.parts.items ??= this.planner.plan(
      Array.isArray(this.schema.items) ? this.schema.additionalItems : this.schema.items,
    );
    return this.parts.items;
  }

  get prefix(): readonly Plan[] {
    const { prefixItems, items } = this.schema;
    const tuple = Array.isArray(prefixItems) ? prefixItems : items;
    this.parts.prefix ??= Array.isArray(tuple) ? tuple.map((part) => this.planner.plan(part)) : [];
    return this.parts.prefix;
  }

  get branches(): readonly Plan[] {
    this.parts.branches ??= branchesOf(this.schema).map((part) => this.planner.plan(part));
    return this.parts.branches;
  }
}

/** Whether a key is optional and its value cannot be null: a null then means that the key is absent. */
export function isLeftOut(parent: Plan, key: string, plan: Plan): boolean {
  return !requiredKeys(parent).has(key) && !takesNull(plan);
}

function takesNull({ kind, schema, branches, types }: Plan): boolean {
  if (kind === "any" || typeof schema === "boolean" || schema.nullable === true) return true;
  const listed = listedValues(schema);
  if (listed) return listed.includes(null);
  if (branches.length > 0) return branches.some(takesNull);
  return types === undefined ? kind === "buffered" : types.includes("null") || types.includes("any");
}

/** Whether the schema explicitly allows strings. */
export function takesString(plan: Plan): boolean {
  const { branches, types } = plan;
  if (isListed(plan)) return true;
  return branches.length > 0 ? branches.some(takesString) : types?.includes("string") === true;
}

/** Whether the schema allows no string but a list, whose items may be any strings. */
export function needsTexts(plan: Plan): boolean {
  if (takesString(plan)) return false;
  const choices = plan.branches.length > 0 ? plan.branches : [plan];
  return choices.some(({ types, items }) => types?.includes("array") === true && takesAnyText(items));
}

/** Whether any string is allowed; `false` for an enum, which names the strings. */
export function takesAnyText(plan: Plan): boolean {
  const { kind, branches, types } = plan;
  if (kind === "any") return true;
  if (isListed(plan)) return false;
  return branches.length > 0 ? branches.some(takesAnyText) : types?.includes("string") === true;
}
