import { isObject } from "../../common/plain-object.js";
import type { JsonObject } from "../../schema/json.js";
import { matcherFor } from "../../schema/pattern/pattern.js";
import type { JsonSchema } from "../../types.js";
import type { NodeContext } from "./node-context.js";

/** Undeclared keys: all of them or those that match a schema, with the schema of their values. */
export interface Others {
  keys: true | JsonSchema;
  schema: JsonSchema;
  /** The keyword that allows them. */
  by: "additionalProperties" | "patternProperties" | "propertyNames";
}

/** The keys of an object. */
export interface ObjectShape {
  /** The declared keys, in the order in which they are written. */
  properties: [string, JsonSchema][];
  others: Others[];
}

type ShapeContext = Pick<NodeContext, "closed" | "flat" | "matches" | "narrowed" | "standsFor" | "unenforced">;

/**
 * The keys of an object in the order in which they are written, and the other keys that it may contain. `wide` includes
 * keys that a grammar cannot distinguish from those of another keyword; it is used where nothing matches without them.
 */
export function objectShape(node: JsonObject, context: ShapeContext, wide = false): ObjectShape {
  const { properties: declared = {} } = node as { properties?: Record<string, JsonSchema> };
  const { propertyNames = true, additionalProperties: additional = true } = node as Record<string, JsonSchema>;
  const addition = (name: string): [string, JsonSchema] => [name, additional];
  const required = ((node.required as string[] | undefined) ?? []).filter((name) => !Object.hasOwn(declared, name));
  const all = [...Object.entries(declared), ...required.map(addition)];
  const named = (list: [string, JsonSchema][]) =>
    propertyNames === true
      ? list
      : list.map(([name, part]): [string, JsonSchema] => [name, context.matches(propertyNames, name) && part]);
  const listed = listedKeys(node, context);
  if (listed) {
    const more = listed.filter((name) => !all.some(([own]) => own === name));
    return { properties: named(byPattern(node, [...all, ...more.map(addition)])), others: [] };
  }
  const properties = named(all);
  if (node.patternProperties !== undefined) {
    if (!wide || additional === false) {
      const shape = patterned(node, all, context);
      return { ...shape, properties: named(shape.properties) };
    }
    context.unenforced("patternProperties");
  }
  const isStated = node.additionalProperties !== undefined;
  if (!wide && !isStated && context.closed && properties.length > 0) {
    context.narrowed("additionalProperties");
    return { properties, others: [] };
  }
  if (additional === false) return { properties, others: [] };
  if (propertyNames === true)
    return { properties, others: [{ keys: true, schema: additional, by: "additionalProperties" }] };
  if (properties.some(([name]) => context.matches(propertyNames, name))) {
    if (!wide) {
      context.narrowed("additionalProperties");
      return { properties, others: [] };
    }
    // An undeclared key may have the name of a declared one.
    if (node.properties !== undefined) context.unenforced("properties");
  }
  const matching = { allOf: [{ type: "string" }, propertyNames] };
  return { properties, others: [{ keys: matching, schema: additional, by: "propertyNames" }] };
}

/**
 * Keys by pattern, if no key matches two patterns and no declared key matches any. Of the keys that match no pattern,
 * only the declared ones are written.
 */
function patterned(node: JsonObject, declared: readonly [string, JsonSchema][], context: ShapeContext): ObjectShape {
  const patterns = patternsOf(node);
  const properties = byPattern(node, declared);
  if (node.additionalProperties !== false) context.narrowed("additionalProperties");
  const starts = patterns.map(([pattern]) => /^\^([\w/:@-])(?![*?{|])[^|]*$/.exec(pattern)?.[1]);
  const isApart = patterns.length === 1 || (!starts.includes(undefined) && new Set(starts).size === starts.length);
  if (
    !isApart ||
    declared.some(([name]) => patterns.some(([pattern]) => matchesPattern(pattern, name))) ||
    node.propertyNames !== undefined
  ) {
    context.narrowed("patternProperties");
    return { properties, others: [] };
  }
  const others = patterns.map(([pattern, schema]): Others => {
    const keys = { type: "string", pattern };
    context.standsFor(keys, "patternProperties");
    return { keys, schema, by: "patternProperties" };
  });
  return { properties, others };
}

const patternsOf = (node: JsonObject) =>
  Object.entries((node.patternProperties as Record<string, JsonSchema> | undefined) ?? {});

const matchesPattern = (pattern: string, name: string) => matcherFor(pattern)(name);

/** Adds to each named key the schemas of the patterns that it matches. */
function byPattern(node: JsonObject, named: readonly [string, JsonSchema][]): [string, JsonSchema][] {
  return named.map(([name, schema]) => {
    const parts = patternsOf(node).flatMap(([pattern, part]) => (matchesPattern(pattern, name) ? [part] : []));
    const own = Object.hasOwn((node.properties as object | undefined) ?? {}, name) ? [schema] : [];
    return parts.length === 0 ? [name, schema] : [name, { allOf: [...own, ...parts] }];
  });
}

/** The keys that `propertyNames` lists, if it is an enum. */
function listedKeys(node: JsonObject, { flat, matches }: ShapeContext): string[] | undefined {
  const names = isObject(node.propertyNames) ? flat(node.propertyNames) : undefined;
  if (!isObject(names) || !Array.isArray(names.enum)) return undefined;
  return names.enum.filter((name): name is string => typeof name === "string" && matches(names, name));
}
