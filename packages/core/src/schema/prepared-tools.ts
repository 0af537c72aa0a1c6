import { isPlainObject } from "../common/plain-object.js";
import type { JsonSchema, ToolDefinition } from "../types.js";
import { acceptParameters, refuseMistakes } from "./check-parameters.js";
import { withoutFrameworkKeywords } from "./framework-keywords.js";
import { type AnyTool, checkToolList, checkUnique, definitionFrom, jsonSchemaOfTool, readTool } from "./tool-shapes.js";
import { refuseUnwritable } from "./unwritable.js";

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

/** A definition, and the content that it was made of. */
interface Version {
  description: string | undefined;
  schema: Content;
  definition: ToolDefinition;
}

/** The definitions of one name. */
interface Named {
  versions: readonly Version[];
  /** Whether it was used since the oldest ones were dropped, so that it is not dropped yet. */
  isUsed: boolean;
}

/** By name, the oldest first. */
const known = new Map<string, Named>();

/** The bytes of each definition that is kept. These cannot change, and need no second look. */
const sizes = new Map<object, number>();
let bytes = 0;

/** Lists of definitions that are all kept, those used last first, with their bytes. */
let lists: { tools: readonly ToolDefinition[]; size: number }[] = [];
/** Whether lists may have definitions that are no longer kept. */
let isStale = false;

/** The lists that were made here, also those that are no longer kept. */
const made = new WeakSet<readonly object[]>();

/**
 * Tools of any shape as definitions, which are the same objects (frozen, in the same array) whenever the tools have the same
 * content: what is worked out of a definition (its compiled schema, its part of the prompt) is found again by its identity,
 * also where tools come as new objects with each request. A tool that was changed in between has other content, and gives
 * another definition. Content is compared value by value, in the order of keys; nothing is found by a hash.
 *
 * A tool whose schema is too large ({@link KEPT}), contains itself or is no plain data is prepared each time.
 *
 * Errors: {@link ToolDefinitionError} (`unknown-shape`, `missing-name`, `duplicate-name`, `parameters-not-object`,
 * `invalid-schema`).
 *
 * @example preparedTools([{ name: "now" }]) === preparedTools([{ name: "now" }]); // true
 */
export function preparedTools(tools: readonly AnyTool[]): readonly ToolDefinition[] {
  checkToolList(tools);
  // Also a hole in the list is no tool; `map` would pass over it.
  const definitions = Array.from(tools, (tool, i) => (isKept(tool) ? used(tool) : preparedTool(tool, `#${i + 1}`)));
  if (bytes > KEPT.bytes) dropOldest();
  if (isStale) dropLists();
  return sameList(definitions);
}

/**
 * Whether {@link preparedTools} made this list and froze it with all its parts, so that what is worked out of it stays true.
 * A list that an application froze can have tools that change.
 */
export const isPrepared = (tools: readonly object[]): boolean => made.has(tools);

const isKept = (tool: AnyTool): tool is ToolDefinition => sizes.has(tool);

function used(definition: ToolDefinition): ToolDefinition {
  const named = known.get(definition.name);
  if (named) named.isUsed = true;
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
  refuseMistakes(name, schema);
  refuseUnwritable(name, schema);
  const size = BYTES.value + BYTES.character * (name.length + (description?.length ?? 0));
  const copied = frozenCopy(schema, { left: KEPT.bytesOfOne - size, inside: new Set() });
  if (!copied) return definitionFrom(name, description, schema && withoutFrameworkKeywords(schema));
  const own = copied.value as JsonSchema | undefined;
  const definition = deepFrozen(definitionFrom(name, description, own && withoutFrameworkKeywords(own)));
  if (definition.parameters !== undefined) acceptParameters(definition.parameters);
  keep({ description, schema: copied.content, definition }, copied.size + size);
  return definition;
}

/** The definition that was made of this content before. */
function definitionOfContent(
  name: string,
  description: string | undefined,
  schema: unknown,
): ToolDefinition | undefined {
  const named = known.get(name);
  if (!named) return undefined;
  for (const one of named.versions) {
    if (one.description !== description || !isSame(schema, one.schema)) continue;
    named.isUsed = true;
    return one.definition;
  }
  return undefined;
}

function keep(version: Version, size: number): void {
  const { name } = version.definition;
  const versions = [version, ...(known.get(name)?.versions ?? [])];
  forget(versions.splice(KEPT.versions));
  known.delete(name);
  known.set(name, { versions, isUsed: false });
  sizes.set(version.definition, size);
  bytes += size;
}

function forget(versions: readonly Version[]): void {
  for (const { definition } of versions) {
    bytes -= sizes.get(definition) ?? 0;
    isStale = sizes.delete(definition) || isStale;
  }
}

/** Drops the oldest names that were not used since the last time. */
function dropOldest(): void {
  for (const [name, named] of known) {
    if (bytes <= KEPT.bytes) break;
    known.delete(name);
    if (named.isUsed) known.set(name, { versions: named.versions, isUsed: false });
    else forget(named.versions);
  }
}

/** Drops the lists with definitions that are no longer kept. */
function dropLists(): void {
  lists = lists.filter(({ tools }) => tools.every(isKept));
  isStale = false;
}

/** The array that was given for the same definitions before. Only lists of which every definition is kept are kept. */
function sameList(tools: readonly ToolDefinition[]): readonly ToolDefinition[] {
  const at = lists.findIndex((list) => isList(list.tools, tools));
  if (at === 0) return lists[0]?.tools ?? tools;
  const found = at < 0 ? undefined : lists.splice(at, 1)[0];
  if (!found) checkUnique(tools);
  if (!found && (tools.length === 0 || !tools.every(isKept))) return tools;
  const list = found ?? {
    tools: Object.freeze(tools),
    size: tools.reduce((sum, tool) => sum + (sizes.get(tool) ?? 0), 0),
  };
  made.add(list.tools);
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

function isList(a: readonly ToolDefinition[], b: readonly ToolDefinition[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** The value, of which nobody can change any part. What is frozen already has frozen parts. */
function deepFrozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(Object.freeze(value))) deepFrozen(part);
  return value;
}

/** The content of a private copy, with its keys listed once: those of an object, or none for an array. */
class Branch {
  constructor(
    readonly keys: readonly string[] | undefined,
    readonly parts: readonly Content[],
  ) {}
}
type Content = Branch | string | number | boolean | bigint | symbol | null | undefined;

function contentOf(copy: unknown): Content {
  if (typeof copy !== "object" || copy === null) return copy as Content;
  if (Array.isArray(copy)) return new Branch(undefined, Array.from(copy, contentOf));
  return new Branch(Object.keys(copy), Object.values(copy).map(contentOf));
}

/** Whether a value has this content. Takes as long as the content is large, whatever is given. */
function isSame(given: unknown, content: Content): boolean {
  if (!(content instanceof Branch)) return Object.is(given, content);
  if (typeof given !== "object" || given === null) return false;
  const { keys, parts } = content;
  if (Array.isArray(given) !== (keys === undefined)) return false;
  if (!keys) return hasParts(given as readonly unknown[], parts);
  if (!isPlainObject(given)) return false;
  let i = 0;
  // No list of the keys is made. A key of the prototype differs, so that the tool is prepared anew.
  for (const key in given) {
    if (key !== keys[i] || !isSame(given[key], parts[i])) return false;
    i++;
  }
  return i === keys.length;
}

function hasParts(given: readonly unknown[], parts: readonly Content[]): boolean {
  if (given.length !== parts.length) return false;
  for (let i = 0; i < parts.length; i++) if (!isSame(given[i], parts[i])) return false;
  return true;
}

/** A copy of plain data that nobody can change, and its bytes; undefined where there can be none, or `left` are too few. */
function frozenCopy(
  value: unknown,
  bounds: { left: number; inside: Set<object> },
): { value: unknown; content: Content; size: number } | undefined {
  const before = bounds.left;
  const copy = (part: unknown): unknown => {
    bounds.left -= BYTES.value + (typeof part === "string" ? BYTES.character * part.length : 0);
    if (bounds.left < 0 || typeof part === "function") throw new Uncopyable();
    if (typeof part !== "object" || part === null) return part;
    if (bounds.inside.has(part) || (!Array.isArray(part) && !isPlainObject(part))) throw new Uncopyable();
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
    const made = copy(value);
    return { value: made, content: contentOf(made), size: before - bounds.left };
  } catch (error) {
    // Also data that is nested deeper than the stack.
    if (error instanceof Uncopyable || error instanceof RangeError) return undefined;
    throw error;
  }
}

class Uncopyable extends Error {}
