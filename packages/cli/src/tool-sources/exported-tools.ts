import type { ToolDefinition } from "@toolingua/core";
import { isObject, isPlainObject } from "@toolingua/core/adapters";
import { CliError, codeOf } from "../terminal/errors.js";
import { type LoadedTool, loadedTool } from "./loaded-tool.js";

/** Lists the decorated methods of an object. */
export type ToolsOf = (instance: object) => readonly ToolDefinition[];

/** Where to search: `source` is what the module is named, `onProblem` receives a note of what is left out. */
export interface SearchOptions {
  toolsOf: ToolsOf;
  source: string;
  onProblem: (message: string) => void;
}

/** A search for tools in what a module exports. */
interface Search {
  toolsOf: ToolsOf;
  exported: object;
  /** The exports, and what was found in them: an object may hold itself, or be in several places. */
  seen: Set<unknown>;
  /** What is not used, and why, for people. */
  left: string[];
  /** The classes that could not be made. */
  unmade: { of: Class; at: string; cause: unknown }[];
}

type Class = new () => object;

/** A tool, and where it was found. */
interface Found {
  tool: LoadedTool;
  /** For people: `files.list`. */
  at: string;
  /** The tool as it is exported, or the object whose method it is. */
  of: object;
  /** Whether it is of an object with tools as methods. */
  isMethod?: boolean;
  /** Whether it is in a list, which may be of the tools of an object that is not exported. */
  isListed?: boolean;
  /** The exported class that `of` was made from. */
  made?: Class;
}

/** A place in what a module exports. `name` names a tool of the AI SDK, which has none of its own. */
interface Place {
  name: string;
  at: string;
  inside?: "list" | "object";
}

/**
 * The tools in the exports of a module. Notes getters, which are not run, what looks like a tool and cannot be one, and classes
 * that cannot be made, unless an object of them is exported.
 *
 * Errors: `CliError` (`bad-input`) for two tools of one name, and for such a class if there are no tools; those of
 * `loadedTool`, `fromAiSdkTools` and of getters of tools.
 */
export async function exportedTools(
  exported: object,
  { toolsOf, source, onProblem }: SearchOptions,
): Promise<LoadedTool[]> {
  const values = new Map<unknown, string>();
  for (const [name, value] of Object.entries(exported)) if (!values.has(value)) values.set(value, name);
  const search: Search = { toolsOf, exported, seen: new Set(values.keys()), left: [], unmade: [] };
  const found = await allOf([...values].map(([value, at]) => toolsIn(value, { name: at, at }, search)));
  const missed = search.unmade.filter(({ of }) => !found.some((one) => one.of instanceof of));
  const { left } = search;
  if (found.length > 0) left.push(...missed.map(({ at }) => `${at} (it ${UNMADE})`));
  if (left.length > 0) onProblem(`Left out of ${source}: ${left.sort().join(", ")}.`);
  const [alone] = found.length > 0 ? [] : missed;
  if (alone) {
    const { of, cause } = alone;
    throw new CliError("bad-input", `The class ${of.name} of ${source} ${UNMADE}.`, { cause, file: source });
  }
  return withoutClashes(found, source);
}

const UNMADE = "cannot be made without arguments: export an object of it instead";

/** The tools in one export. Other exports, such as helper functions, contain none. */
async function toolsIn(value: unknown, place: Place, search: Search): Promise<Found[]> {
  const { name, at, inside } = place;
  if (Array.isArray(value)) {
    if (inside === "object") return [];
    const items = value.map((item, i): Item => [item, { name: `${name}_${i}`, at: `${at}[${i}]`, inside: "list" }]);
    return await toolsInside(items, search);
  }
  if (typeof value === "function") {
    if (!isToolClass(value, search.toolsOf)) return [];
    const object = made(value, at, search);
    return (await toolsIn(object, place, search)).map((found) => ({ ...found, made: value }));
  }
  if (!isObject(value)) return [];
  if (typeof value.toToolList === "function")
    return (await toolsIn(value.toToolList(), { name, at }, search)).map((found) => ({
      ...found,
      at,
      of: value,
      isMethod: true,
      isListed: false,
    }));
  const tool = await asTool(value, name);
  if (tool) return [{ tool: loadedTool(tool), at, of: value, isListed: inside === "list" }];
  const methods = decorated(value, search.toolsOf);
  if (methods.length > 0) return methods.map((one) => ({ tool: loadedTool(one), at, of: value, isMethod: true }));
  const isSearched = inside === undefined && isPlainObject(value);
  const found = isSearched ? await toolsInside(itemsOf(value, at, search), search) : [];
  if (found.length === 0 && looksLikeTool(value)) search.left.push(`${at} (${whyUnusable(value)})`);
  return found;
}

type Item = readonly [value: unknown, place: Place];

/**
 * The values of an object, without running its getters. Those of the default export are exports: it may be CommonJS. A module
 * that was compiled to it (`__esModule`) has getters for what it exports from others, so these are run.
 */
function itemsOf(value: object, at: string, { exported, left }: Search): Item[] {
  const placeOf = (name: string): Place =>
    at === "default" ? { name, at: name } : { name, at: `${at}.${name}`, inside: "object" };
  const properties = Object.entries(Object.getOwnPropertyDescriptors(value)).filter(([, own]) => own.enumerable);
  return properties.flatMap(([name, own]): Item[] => {
    const place = placeOf(name);
    const isExport = place.inside === undefined;
    if (own.get && isExport && Reflect.get(value, "__esModule") === true) return [[Reflect.get(value, name), place]];
    const isRead = isExport && Object.hasOwn(exported, name);
    if (own.get && !isRead) left.push(`${place.at} (a getter, which is not run)`);
    return own.value === undefined ? [] : [[own.value, place]];
  });
}

/** The tools in the items of a list, or the values of an object, that were not seen yet. */
async function toolsInside(items: readonly Item[], search: Search): Promise<Found[]> {
  const fresh = items.filter(([item]) => !search.seen.has(item));
  for (const [item] of fresh) search.seen.add(item);
  return await allOf(fresh.map(([item, place]) => toolsIn(item, place, search)));
}

/**
 * The tools of an exported class give way to those of an object of it, or of a class that extends it, and to those in a list;
 * and tools of objects to others that are defined alike.
 *
 * Errors: `CliError` (`bad-input`) for two other tools of one name, with both places.
 */
function withoutClashes(found: readonly Found[], file: string): LoadedTool[] {
  const places = new Map<string, string>();
  return found.flatMap((one) => {
    const { tool, at } = one;
    if (found.some((other) => other.tool.name === tool.name && givesWay(one, other))) return [];
    const place = places.get(tool.name);
    if (place !== undefined)
      throw new CliError("bad-input", `${file} has two tools named "${tool.name}": ${place} and ${at}.`, { file });
    places.set(tool.name, at);
    return [tool];
  });
}

function givesWay(one: Found, other: Found): boolean {
  if (one.made && other.of !== one.of && other.of instanceof one.made) return true;
  if (one.made && other.isListed) return true;
  const isOwned = ({ made, isMethod }: Found) => made !== undefined || isMethod === true;
  return isOwned(one) && !isOwned(other) && definitionOf(one.tool) === definitionOf(other.tool);
}

const definitionOf = ({ description, parameters }: LoadedTool) => JSON.stringify([description, parameters]);

const allOf = async (lists: Promise<Found[]>[]): Promise<Found[]> => (await Promise.all(lists)).flat();

type ToolLike = Parameters<typeof loadedTool>[0];

/**
 * Recognises our tools by `execute`, LangChain's by `invoke` and `schema`, the AI SDK's by `inputSchema`. Those of the
 * AI SDK are named after their export.
 */
async function asTool(value: Record<string, unknown>, exportedAs: string): Promise<ToolLike | undefined> {
  if (isTool(value)) return value;
  const { name, execute, invoke, inputSchema, schema } = value;
  if (typeof execute === "function" && inputSchema !== undefined)
    return (await import("@toolingua/ai-sdk")).fromAiSdkTools({ [exportedAs]: value })[0];
  if (typeof name === "string" && typeof invoke === "function" && schema !== undefined) {
    const about = typeof value.description === "string" ? { description: value.description } : {};
    return {
      name,
      ...about,
      parameters: schema,
      execute: (args, context) => invoke.call(value, args, { signal: context?.signal }),
    };
  }
  return undefined;
}

const isTool = (value: object): value is ToolLike =>
  "name" in value && typeof value.name === "string" && "execute" in value && typeof value.execute === "function";

/**
 * Whether something that is no tool was probably meant as one: it is described, and has a schema or a function. Runs no
 * getter.
 */
function looksLikeTool(value: object): boolean {
  const own = (name: string): unknown => Object.getOwnPropertyDescriptor(value, name)?.value;
  const hasSchema = [own("parameters"), own("inputSchema")].some(
    (schema) => isObject(schema) || typeof schema === "function",
  );
  return typeof own("description") === "string" && (hasSchema || typeof own("execute") === "function");
}

const whyUnusable = ({ execute }: Record<string, unknown>) =>
  typeof execute === "function" ? "it has no name, and no inputSchema" : "it has no execute()";

/** Whether a class has tools: it has `toToolList`, is a tool itself, or has decorated methods. */
function isToolClass(value: object, toolsOf: ToolsOf): value is Class {
  const prototype: unknown = "prototype" in value ? value.prototype : undefined;
  if (!isObject(prototype)) return false;
  if (typeof prototype.toToolList === "function") return true;
  if (typeof prototype.execute === "function" && typeof prototype._run === "function") return true;
  return decorated(prototype, toolsOf).length > 0;
}

/** An object of the class; `undefined` if it needs arguments. */
function made(of: Class, at: string, { unmade }: Search): object | undefined {
  try {
    return new of();
  } catch (cause) {
    unmade.push({ of, at, cause });
    return undefined;
  }
}

/** The decorated methods of an object. */
function decorated(value: object, toolsOf: ToolsOf): readonly ToolDefinition[] {
  try {
    return toolsOf(value);
  } catch (error) {
    if (codeOf(error) === "bad-spec-functions") return [];
    throw error;
  }
}
