import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { ToolDefinition } from "@toolingua/core";
import { encodingOf, isObject } from "@toolingua/core/adapters";
import type { Jiti } from "jiti";
import { CliError, shownMessage } from "../terminal/errors.js";
import { type LoadedTool, loadedTool } from "./loaded-tool.js";
import { whileLoading } from "./while-loading.js";

/**
 * Loads the tools that a module exports: tools and lists of them, objects and classes with tools as methods
 * (`@toolingua/tools`), tools of LangChain and of the AI SDK, also in objects of them, as `generateText` takes them. If a TypeScript module exports none, its functions become tools,
 * by their types. The module is executed, TypeScript too. `onProblem` and `onProgress`: as those of `loadTools`.
 *
 * @param source a path, or the name of a package installed in `folder`
 *
 * Errors: `CliError` (`not-found`, `bad-input`, `not-installed`), `ToolDefinitionError`, `SchemaFromTypesError`; those of
 * `fromAiSdkTools`.
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
  const values = new Map<unknown, string>();
  for (const [name, value] of Object.entries(exported)) if (!values.has(value)) values.set(value, name);
  const search: Search = { toolsOf: await toolsOfDecorated(jiti, path), source, seen: new Set(values.keys()) };
  const tools = await allOf([...values].map(([value, name]) => toolsIn(value, name, search)));
  if (tools.length > 0) return [...new Map(tools.map((tool) => [tool.name, tool])).values()];
  if (/^\.[mc]?tsx?$/.test(extname(path))) return await toolsOfFunctions(path, exported, source, onProgress);
  throw new CliError(
    "bad-input",
    `${source} exports no tools: none with a name and execute(), no list or class of them. Plain functions become tools in a .ts file, by their types.`,
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

/** The tools in one export. Other exports, such as helper functions, contain none. */
async function toolsIn(value: unknown, name: string, search: Search): Promise<LoadedTool[]> {
  const { toolsOf, source } = search;
  if (Array.isArray(value))
    return await toolsInside(
      value.map((item, index) => [`${name}_${index}`, item]),
      search,
    );
  if (typeof value === "function")
    return isToolClass(value, toolsOf) ? await toolsIn(made(value, source), name, search) : [];
  if (!isObject(value)) return [];
  if (typeof value.toToolList === "function") return await toolsIn(value.toToolList(), name, search);
  const tool = await asTool(value, name);
  if (tool) return [loadedTool(tool)];
  const methods = decorated(value, toolsOf).map((one) => loadedTool(one));
  return methods.length > 0 || !isPlainObject(value) ? methods : await toolsInside(Object.entries(value), search);
}

/** The tools in the items of a list, or the values of an object, that were not seen yet. */
async function toolsInside(items: readonly (readonly [string, unknown])[], search: Search): Promise<LoadedTool[]> {
  const fresh = items.filter(([, item]) => !search.seen.has(item));
  for (const [, item] of fresh) search.seen.add(item);
  return await allOf(fresh.map(([name, item]) => toolsIn(item, name, search)));
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

const allOf = async (lists: Promise<LoadedTool[]>[]): Promise<LoadedTool[]> => (await Promise.all(lists)).flat();

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
    throw new CliError("bad-input", message, { cause });
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
