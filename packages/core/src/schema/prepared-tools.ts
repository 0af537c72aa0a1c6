import type { JsonSchema, ToolDefinition } from "../types.js";
import { openRecords } from "./open-record.js";
import { type AnyTool, checkToolList, definitionFrom, jsonSchemaOfTool, readTool } from "./tool-shapes.js";

/**
 * How much is kept of tools that were seen, in bytes as {@link BYTES} estimates them, with what is worked out of them
 * (compiled schemas, rendered text): at most `bytes` for definitions and `bytesOfLists` for lists, 64 MiB in all.
 */
export const KEPT = {
  /** Definitions of one name: tools of several users, or of several versions. */
  versions: 16,
  /** The bytes of one definition. A larger one is prepared anew for each turn. */
  bytesOfOne: 4 * 2 ** 20,
  /** The bytes of all definitions. The names that were used longest ago go first. */
  bytes: 32 * 2 ** 20,
  /** Lists of definitions. Those used longest ago go first. */
  lists: 256,
  /** The bytes of all lists: each counts what its definitions count, for the text in which a prompt shows them. */
  bytesOfLists: 32 * 2 ** 20,
} as const;

/**
 * What is reserved for a value (an object, an array, a string or a number) and for a character of a name, a description, a
 * key or a string: two bytes in the definition, as many in its escaped copy, and the rest for prompts of several protocols.
 */
export const BYTES = { value: 300, character: 16 } as const;

/** A definition, and what it was made of: a private copy, which nobody can change. */
interface Version {
  description: string | undefined;
  schema: unknown;
  definition: ToolDefinition;
}

/** By name, those used last at the end. */
const known = new Map<string, Version[]>();

/** The bytes of each definition that is kept. These cannot change, and need no second look. */
const sizes = new Map<object, number>();
let bytes = 0;

/** Lists of definitions that are all kept, those used last first, with their bytes. */
let lists: { tools: readonly ToolDefinition[]; size: number }[] = [];
/** Whether lists may have definitions that are no longer kept. */
let isStale = false;

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
  const definitions = tools.map((tool, i) => (isKept(tool) ? used(tool) : preparedTool(tool, `#${i + 1}`)));
  dropOldest();
  return sameList(definitions);
}

const isKept = (tool: AnyTool): tool is ToolDefinition => sizes.has(tool);

/** The definition, whose name is now the one used last. */
function used(definition: ToolDefinition): ToolDefinition {
  const versions = known.get(definition.name) ?? [];
  known.delete(definition.name);
  known.set(definition.name, versions);
  return definition;
}

function preparedTool(tool: AnyTool, where: string): ToolDefinition {
  const { name, description, given } = readTool(tool, where);
  // Most schemas are JSON Schema already; only another kind has to be converted before it can be compared.
  const found = definitionOfContent(name, description, given);
  if (found) return found;
  const schema = given === undefined ? undefined : jsonSchemaOfTool(name, given);
  const converted = schema === given ? undefined : definitionOfContent(name, description, schema);
  if (converted) return converted;
  const size = BYTES.value + BYTES.character * (name.length + (description?.length ?? 0));
  const copied = frozenCopy(schema, { left: KEPT.bytesOfOne - size, inside: new Set() });
  if (!copied) return definitionFrom(name, description, schema && openRecords(schema));
  const own = copied.value as JsonSchema | undefined;
  const definition = deepFrozen(definitionFrom(name, description, own && openRecords(own)));
  keep({ description, schema: own, definition }, copied.size + size);
  return definition;
}

/** The definition that was made of this content before. */
function definitionOfContent(
  name: string,
  description: string | undefined,
  schema: unknown,
): ToolDefinition | undefined {
  const found = known.get(name)?.find((one) => one.description === description && isSame(schema, one.schema));
  return found && used(found.definition);
}

function keep(version: Version, size: number): void {
  const { name } = version.definition;
  const versions = [version, ...(known.get(name) ?? [])];
  forget(versions.splice(KEPT.versions));
  known.delete(name);
  known.set(name, versions);
  sizes.set(version.definition, size);
  bytes += size;
}

function forget(versions: readonly Version[]): void {
  for (const { definition } of versions) {
    bytes -= sizes.get(definition) ?? 0;
    isStale = sizes.delete(definition) || isStale;
  }
}

/** Drops what was used longest ago, and the lists that have it. */
function dropOldest(): void {
  for (const [name, versions] of known) {
    if (bytes <= KEPT.bytes) break;
    known.delete(name);
    forget(versions);
  }
  if (isStale) lists = lists.filter(({ tools }) => tools.every(isKept));
  isStale = false;
}

/** The array that was given for the same definitions before. Only lists of which every definition is kept are kept. */
function sameList(tools: readonly ToolDefinition[]): readonly ToolDefinition[] {
  const at = lists.findIndex(
    (list) => list.tools.length === tools.length && list.tools.every((tool, i) => tool === tools[i]),
  );
  const found = at < 0 ? undefined : lists.splice(at, 1)[0];
  if (!found && (tools.length === 0 || !tools.every(isKept))) return tools;
  const list = found ?? {
    tools: Object.freeze(tools),
    size: tools.reduce((sum, tool) => sum + (sizes.get(tool) ?? 0), 0),
  };
  lists.unshift(list);
  if (found) return list.tools;
  let size = 0;
  let end = 0;
  for (const one of lists) {
    size += one.size;
    if (size > KEPT.bytesOfLists || end === KEPT.lists) break;
    end++;
  }
  lists.length = end;
  return list.tools;
}

/** The value, of which nobody can change any part. What is frozen already has frozen parts. */
function deepFrozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(Object.freeze(value))) deepFrozen(part);
  return value;
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

/** A copy of plain data that nobody can change, and its bytes; undefined where there can be none, or `left` are too few. */
function frozenCopy(
  value: unknown,
  bounds: { left: number; inside: Set<object> },
): { value: unknown; size: number } | undefined {
  const before = bounds.left;
  const copy = (part: unknown): unknown => {
    bounds.left -= BYTES.value + (typeof part === "string" ? BYTES.character * part.length : 0);
    if (bounds.left < 0 || typeof part === "function") throw new Uncopyable();
    if (typeof part !== "object" || part === null) return part;
    if (bounds.inside.has(part) || (!Array.isArray(part) && !isPlainData(part))) throw new Uncopyable();
    bounds.inside.add(part);
    const made = Array.isArray(part)
      ? part.map(copy)
      : Object.fromEntries(
          Object.entries(part).map(([key, own]) => {
            bounds.left -= BYTES.character * key.length;
            return [key, copy(own)];
          }),
        );
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
