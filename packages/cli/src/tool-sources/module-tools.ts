import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { ToolDefinition } from "@toolingua/core";
import { encodingOf, isObject } from "@toolingua/core/adapters";
import type { Jiti } from "jiti";
import { CliError, shownMessage } from "../terminal/errors.js";
import { inFile } from "../terminal/in-file.js";
import { type LoadedTool, loadedTool } from "./loaded-tool.js";
import { whileLoading } from "./while-loading.js";

/**
 * Loads the tools that a module exports: tools of Toolingua, of LangChain and of the AI SDK, lists and objects of them, as
 * `generateText` takes them, and objects and classes with tools as methods (`@toolingua/tools`). An object or a list in such an
 * object is not searched, and no getter of it is run. If a TypeScript module exports no tools, its functions become tools, by
 * their types. The module is executed, TypeScript too. `onProblem` and `onProgress`: as those of `loadTools`.
 *
 * @param source a path, or the name of a package installed in `folder`
 *
 * Errors: `CliError` (`not-found`; `bad-input`, also for two tools of one name; `not-installed`); those of `loadedTool`,
 * `fromAiSdkTools` and the module's getters, named after `source`; `SchemaFromTypesError`.
 *
 * @example await moduleTools("tools.ts", process.cwd(), console.warn);
 */
export async function moduleTools(
  source: string,
  folder: string,
  onProblem: (message: string) => void,
  onProgress: (message: string) => void = () => {},
): Promise<LoadedTool[]> {
  const { createJiti } = await import("jiti");
  mendDecorators();
  const jiti = createJiti(pathToFileURL(`${folder}/`).href, { fsCache: false });
  const path = jiti.esmResolve(source, { try: true });
  if (path === undefined) throw new CliError("not-found", `There is no module ${source} in ${folder}.`);
  const exported: unknown = await imported(jiti, path, source, onProblem);
  if (!isObject(exported)) return [];
  const toolsOf = await toolsOfDecorated(jiti, path);
  const tools = await inFile(source, () => exportedTools(exported, toolsOf, source));
  if (tools.length > 0) return tools;
  if (/^\.[mc]?tsx?$/.test(extname(path))) return await toolsOfFunctions(path, exported, source, onProgress);
  throw new CliError(
    "bad-input",
    `${source} exports no tools: none with a name and execute(), no list, object or class of them. Plain functions become tools in a .ts file, by their types.`,
  );
}

/**
 * jiti also emits the types of decorated parameters. Without `reflect-metadata` these types would be passed to
 * `@tool()` in place of the method, which is lost. So this installs a `Reflect.metadata` that does nothing.
 */
function mendDecorators(): void {
  if ("metadata" in Reflect) return;
  Object.defineProperty(Reflect, "metadata", { value: () => () => undefined, configurable: true, writable: true });
}

async function imported(
  jiti: Jiti,
  path: string,
  source: string,
  onProblem: (message: string) => void,
): Promise<unknown> {
  const onSilence = () => onProblem(`Waiting for ${source}: its code still runs while it loads.`);
  try {
    return await whileLoading(() => jiti.import(path), onSilence);
  } catch (cause) {
    const isUtf16 = await readFile(fileOf(path)).then(
      (bytes) => encodingOf(bytes) !== "utf-8",
      () => false,
    );
    const why = isUtf16 ? "it is encoded in UTF-16. Save it as UTF-8." : whyNotRun(shownMessage(cause));
    throw new CliError("bad-input", `${source} could not be run: ${why}`, { cause });
  }
}

/** The message without the modules that required this one, and a mistake of the syntax on one line, its place first. */
const whyNotRun = (message: string): string =>
  message
    .replace(/\nRequire stack:\n.*$/s, "")
    .replace(/^ParseError: (?<what>.*?)\s*\n\s*(?<where>.*:\d+:\d+)\s*$/s, "$<where>: $<what>");

const fileOf = (path: string) => (path.startsWith("file:") ? fileURLToPath(path) : path);

type ToolsOf = (instance: object) => readonly ToolDefinition[];

/** `toolsOf` from the module's own copy of `@toolingua/tools`, which knows the decorated methods. */
async function toolsOfDecorated(jiti: Jiti, path: string): Promise<ToolsOf> {
  const own = jiti.esmResolve("@toolingua/tools", { try: true, parentURL: path });
  const found: unknown = own === undefined ? await import("@toolingua/tools") : await jiti.import(own);
  if (isObject(found) && typeof found.toolsOf === "function") {
    const { toolsOf } = found;
    return (instance) => toolsOf(instance);
  }
  return () => [];
}

/** A search for tools in what a module exports. */
interface Search {
  toolsOf: ToolsOf;
  source: string;
  /** The exports, and what was found in them: an object may hold itself, or be in several places. */
  seen: Set<unknown>;
}

/** A tool, and where it was found. */
interface Found {
  tool: LoadedTool;
  /** For people: `files.list`. */
  at: string;
  /** The tool as it is exported, or the object whose method it is. */
  of: object;
  /** Whether it is of an object with tools as methods, or of one that was made from an exported class. */
  from?: "object" | "class";
}

/** A place in what a module exports. `name` names a tool of the AI SDK, which has none of its own. */
interface Place {
  name: string;
  at: string;
  inside?: "list" | "object";
}

async function exportedTools(exported: object, toolsOf: ToolsOf, source: string): Promise<LoadedTool[]> {
  const values = new Map<unknown, string>();
  for (const [name, value] of Object.entries(exported)) if (!values.has(value)) values.set(value, name);
  const search: Search = { toolsOf, source, seen: new Set(values.keys()) };
  return withoutClashes(
    await allOf([...values].map(([value, at]) => toolsIn(value, { name: at, at }, search))),
    source,
  );
}

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
    return (await toolsIn(made(value, search.source), place, search)).map((found) => ({ ...found, from: "class" }));
  }
  if (!isObject(value)) return [];
  if (typeof value.toToolList === "function")
    return (await toolsIn(value.toToolList(), { name, at }, search)).map((found) => ({
      ...found,
      at,
      of: value,
      from: "object",
    }));
  const tool = await asTool(value, name);
  const own = tool ? [tool] : decorated(value, search.toolsOf);
  if (own.length > 0) return own.map((one) => ({ tool: loadedTool(one), at, of: value }));
  return inside !== undefined || !isPlainObject(value) ? [] : await toolsInside(itemsOf(value, at), search);
}

type Item = readonly [value: unknown, place: Place];

/** The values of an object, without running its getters. Those of the default export are exports: it may be CommonJS. */
function itemsOf(value: object, at: string): Item[] {
  const placeOf = (name: string): Place =>
    at === "default" ? { name, at: name } : { name, at: `${at}.${name}`, inside: "object" };
  const properties = Object.entries(Object.getOwnPropertyDescriptors(value));
  return properties.flatMap(([name, own]): Item[] =>
    own.enumerable && own.value !== undefined ? [[own.value, placeOf(name)]] : [],
  );
}

/** The tools in the items of a list, or the values of an object, that were not seen yet. */
async function toolsInside(items: readonly Item[], search: Search): Promise<Found[]> {
  const fresh = items.filter(([item]) => !search.seen.has(item));
  for (const [item] of fresh) search.seen.add(item);
  return await allOf(fresh.map(([item, place]) => toolsIn(item, place, search)));
}

/**
 * The tools of an exported class give way to others of the same name, such as those of an object of it or of a class that
 * extends it; and those of an object with tools as methods to others, such as a list of them.
 *
 * Errors: `CliError` (`bad-input`) for two other tools of one name, with both places.
 */
function withoutClashes(found: readonly Found[], file: string): LoadedTool[] {
  const places = new Map<string, string>();
  return found.flatMap(({ tool, at, of, from }) => {
    const isBetter = (one: Found) =>
      from === "class"
        ? one.from !== "class" || (one.of !== of && one.of instanceof of.constructor)
        : from === "object" && one.from === undefined;
    if (found.some((one) => one.tool.name === tool.name && isBetter(one))) return [];
    const other = places.get(tool.name);
    if (other !== undefined)
      throw new CliError("bad-input", `${file} has two tools named "${tool.name}": ${other} and ${at}.`, { file });
    places.set(tool.name, at);
    return [tool];
  });
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

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

/** Whether a class has tools: it has `toToolList`, is a tool itself, or has decorated methods. */
function isToolClass(value: object, toolsOf: ToolsOf): value is new () => object {
  const prototype: unknown = "prototype" in value ? value.prototype : undefined;
  if (!isObject(prototype)) return false;
  if (typeof prototype.toToolList === "function") return true;
  if (typeof prototype.execute === "function" && typeof prototype._run === "function") return true;
  return decorated(prototype, toolsOf).length > 0;
}

function made(tools: new () => object, source: string): object {
  try {
    return new tools();
  } catch (cause) {
    const message = `The class ${tools.name} of ${source} cannot be made without arguments: export an object of it instead.`;
    throw new CliError("bad-input", message, { cause, file: source });
  }
}

/** The decorated methods of an object. */
function decorated(value: object, toolsOf: ToolsOf): readonly ToolDefinition[] {
  try {
    return toolsOf(value);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "bad-spec-functions") return [];
    throw error;
  }
}

/** The functions that a TypeScript module exports, with schemas from their types. */
async function toolsOfFunctions(
  path: string,
  exported: Record<string, unknown>,
  source: string,
  onProgress: (message: string) => void,
): Promise<LoadedTool[]> {
  // The compiler takes seconds.
  onProgress(`Reading the types of ${source}.`);
  const { positionalArguments, toolsFromFiles } = await import("@toolingua/schema-from-types").catch(
    (cause: unknown) => {
      const message = `${source} exports no tools. Its functions could be read as tools: npm install @toolingua/schema-from-types`;
      throw new CliError("not-installed", message, { cause });
    },
  );
  const tools = toolsFromFiles([fileOf(path)]);
  if (tools.length === 0)
    throw new CliError(
      "bad-input",
      `${source} exports no tools and no functions. Functions are read from \`export function …\` and \`export const …\`.`,
    );
  return tools.map((tool) => {
    const found = Object.hasOwn(exported, tool.name) ? exported[tool.name] : exported.default;
    if (typeof found !== "function") return tool;
    return loadedTool({ ...tool, execute: (args) => found(...positionalArguments(tool, args)) });
  });
}
