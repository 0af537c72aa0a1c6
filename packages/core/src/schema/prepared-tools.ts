import type { JsonSchema, ToolDefinition } from "../types.js";
import { openRecords } from "./open-record.js";
import { type AnyTool, checkToolList, definitionFrom, jsonSchemaOfTool, readTool } from "./tool-shapes.js";

/**
 * How much is kept of tools that were seen. A value is an object, an array, a key, a string or a number: with what is worked
 * out of it (a compiled schema, the rendered text) it takes some 300 bytes.
 */
export const KEPT = {
  /** Definitions of one name: tools of several users, or of several versions. */
  versions: 16,
  /** Values of one definition. A larger one is prepared anew for each turn. */
  valuesOfOne: 20_000,
  /** Values of all. The names that were used longest ago go first. */
  values: 100_000,
} as const;

/** A definition, and what it was made of: a private copy, which nobody can change. */
interface Version {
  description: string | undefined;
  schema: unknown;
  definition: ToolDefinition;
  size: number;
}

/** By name, those used last at the end. */
const known = new Map<string, Version[]>();
let values = 0;

/** The definitions made here: they cannot change, and need no second look. */
const prepared = new WeakSet<object>();

/** The lists of definitions, by the first of each. */
const lists = new WeakMap<ToolDefinition, (readonly ToolDefinition[])[]>();
const LISTS_KEPT = 4;

/**
 * Tools of any shape as definitions, which are the same objects (frozen, in the same array) whenever the tools have the same
 * content: what is worked out of a definition (its compiled schema, its part of the prompt) is found again by its identity, also
 * where tools come as new objects with each request. A tool that was changed in between has other content, and gives another
 * definition. Content is compared value by value, in the order of keys; nothing is found by a hash.
 *
 * A tool whose schema is too large ({@link KEPT}), contains itself or is no plain data is prepared each time.
 *
 * Errors: {@link ToolDefinitionError} (`unknown-shape`, `missing-name`, `invalid-schema`).
 *
 * @example preparedTools([{ name: "now" }]) === preparedTools([{ name: "now" }]); // true
 */
export function preparedTools(tools: readonly AnyTool[]): readonly ToolDefinition[] {
  checkToolList(tools);
  return sameList(tools.map((tool, i) => (isPrepared(tool) ? tool : preparedTool(tool, `#${i + 1}`))));
}

const isPrepared = (tool: AnyTool): tool is ToolDefinition => prepared.has(tool);

function preparedTool(tool: AnyTool, where: string): ToolDefinition {
  const { name, description, given } = readTool(tool, where);
  const schema = given === undefined ? undefined : jsonSchemaOfTool(name, given);
  const versions = known.get(name);
  const found = versions?.find((one) => one.description === description && isSame(schema, one.schema));
  if (versions && found) {
    known.delete(name);
    known.set(name, versions);
    return found.definition;
  }
  const copied = frozenCopy(schema, { left: KEPT.valuesOfOne, inside: new Set() });
  if (!copied) return definitionFrom(name, description, schema && openRecords(schema));
  const own = copied.value as JsonSchema | undefined;
  const definition = Object.freeze(definitionFrom(name, description, own && openRecords(own)));
  prepared.add(definition);
  keep(name, { description, schema: own, definition, size: copied.size + 1 });
  return definition;
}

function keep(name: string, version: Version): void {
  const versions = known.get(name) ?? [];
  known.delete(name);
  known.set(name, versions);
  versions.unshift(version);
  values += version.size;
  for (const { size } of versions.splice(KEPT.versions)) values -= size;
  for (const [oldest, gone] of known) {
    if (values <= KEPT.values || oldest === name) break;
    known.delete(oldest);
    for (const { size } of gone) values -= size;
  }
}

/** The array that was given for the same definitions before. */
function sameList(tools: readonly ToolDefinition[]): readonly ToolDefinition[] {
  const [first] = tools;
  if (!first) return tools;
  const before = lists.get(first) ?? [];
  const found = before.find((list) => list.length === tools.length && list.every((tool, i) => tool === tools[i]));
  if (found) return found;
  lists.set(first, [Object.freeze(tools), ...before.slice(0, LISTS_KEPT - 1)]);
  return tools;
}

/** Whether data has the content of a copy. No longer than the copy is large, whatever is given. */
function isSame(given: unknown, copy: unknown): boolean {
  if (typeof copy !== "object" || copy === null) return Object.is(given, copy);
  if (typeof given !== "object" || given === null) return false;
  if (Array.isArray(copy)) {
    if (!Array.isArray(given) || given.length !== copy.length) return false;
    for (let i = 0; i < copy.length; i++) if (!isSame(given[i], copy[i])) return false;
    return true;
  }
  if (Array.isArray(given) || !isPlainData(given)) return false;
  const keys = Object.keys(copy);
  const own = Object.keys(given);
  if (own.length !== keys.length) return false;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] ?? "";
    if (own[i] !== key || !isSame(Reflect.get(given, key), Reflect.get(copy, key))) return false;
  }
  return true;
}

/** A copy of plain data that nobody can change, and how many values it has; undefined where there can be none. */
function frozenCopy(
  value: unknown,
  bounds: { left: number; inside: Set<object> },
): { value: unknown; size: number } | undefined {
  const before = bounds.left;
  const copy = (part: unknown): unknown => {
    bounds.left--;
    if (bounds.left < 0 || typeof part === "function") throw new Uncopyable();
    if (typeof part !== "object" || part === null) return part;
    if (bounds.inside.has(part) || (!Array.isArray(part) && !isPlainData(part))) throw new Uncopyable();
    bounds.inside.add(part);
    const made = Array.isArray(part)
      ? part.map(copy)
      : Object.fromEntries(Object.entries(part).map(([key, own]) => [key, copy(own)]));
    bounds.inside.delete(part);
    return Object.freeze(made);
  };
  try {
    return { value: copy(value), size: before - bounds.left };
  } catch (error) {
    // Also data that is nested deeper than the stack.
    if (error instanceof Uncopyable || error instanceof RangeError) return undefined;
    throw error;
  }
}

class Uncopyable extends Error {}

/** An object as JSON has them, of this realm or another: no instance of a class. */
function isPlainData(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}
