import { isObject } from "../../plain-object.js";
import type { JsonObject } from "../../schema/json.js";
import { matcherFor } from "../../schema/pattern/pattern.js";
import type { JsonSchema } from "../../types.js";
import type { NodeContext } from "./node-context.js";

/** Keys that are not declared: all others, or those that fit a schema; and what their values are. */
export interface Others {
  keys: true | JsonSchema;
  schema: JsonSchema;
  /** The keyword that says so. */
  by: "additionalProperties" | "patternProperties" | "propertyNames";
}

/** Which keys an object has. */
export interface ObjectShape {
  /** Those that are declared, in the order they are written. */
  properties: [string, JsonSchema][];
  others: Others[];
}

type ShapeContext = Pick<NodeContext, "closed" | "fits" | "flat" | "narrowed" | "standsFor" | "unenforced">;

/**
 * Which keys there are, in the order they are written, and what others there may be. `wide`: also others that a grammar
 * does not tell from those that a keyword speaks of, where without them nothing fits.
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
      : list.map(([name, part]): [string, JsonSchema] => [name, context.fits(propertyNames, name) && part]);
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
  if (properties.some(([name]) => context.fits(propertyNames, name))) {
    if (!wide) {
      context.narrowed("additionalProperties");
      return { properties, others: [] };
    }
    // A key that is not declared may be one that is.
    if (node.properties !== undefined) context.unenforced("properties");
  }
  const fitting = { allOf: [{ type: "string" }, propertyNames] };
  return { properties, others: [{ keys: fitting, schema: additional, by: "propertyNames" }] };
}

/**
 * Keys by pattern, if no key fits two of them, nor a declared key one. Of the keys that fit none only the declared ones
 * are written.
 */
function patterned(node: JsonObject, declared: readonly [string, JsonSchema][], context: ShapeContext): ObjectShape {
  const patterns = patternsOf(node);
  const properties = byPattern(node, declared);
  if (node.additionalProperties !== false) context.narrowed("additionalProperties");
  const starts = patterns.map(([pattern]) => /^\^([\w/:@-])(?![*?{|])[^|]*$/.exec(pattern)?.[1]);
  const isApart = patterns.length === 1 || (!starts.includes(undefined) && new Set(starts).size === starts.length);
  if (
    !isApart ||
    declared.some(([name]) => patterns.some(([pattern]) => fits(pattern, name))) ||
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

const fits = (pattern: string, name: string) => matcherFor(pattern)(name);

/** Named keys, each also with what the patterns that it fits say of it. */
function byPattern(node: JsonObject, named: readonly [string, JsonSchema][]): [string, JsonSchema][] {
  return named.map(([name, schema]) => {
    const parts = patternsOf(node).flatMap(([pattern, part]) => (fits(pattern, name) ? [part] : []));
    const own = Object.hasOwn((node.properties as object | undefined) ?? {}, name) ? [schema] : [];
    return parts.length === 0 ? [name, schema] : [name, { allOf: [...own, ...parts] }];
  });
}

/** The keys that `propertyNames` lists, when it is a list. */
function listedKeys(node: JsonObject, { fits, flat }: ShapeContext): string[] | undefined {
  const names = isObject(node.propertyNames) ? flat(node.propertyNames) : undefined;
  if (!isObject(names) || !Array.isArray(names.enum)) return undefined;
  return names.enum.filter((name): name is string => typeof name === "string" && fits(names, name));
}
