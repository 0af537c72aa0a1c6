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
 * (`@toolingua/tools`), tools of LangChain and of the AI SDK. If a TypeScript module exports none, its functions become tools,
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
  const toolsOf = await toolsOfDecorated(jiti, path);
  const values = new Map<unknown, string>();
  for (const [name, value] of Object.entries(exported)) if (!values.has(value)) values.set(value, name);
  const tools = await allOf([...values].map(([value, name]) => toolsIn(value, name, toolsOf, source)));
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
    const why = isUtf16 ? "it is encoded in UTF-16. Save it as UTF-8." : shownMessage(cause);
    throw new CliError("bad-input", `${source} could not be run: ${why}`, { cause });
  }
}

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

/** The tools in one export. Other exports, such as helper functions, contain none. */
async function toolsIn(value: unknown, name: string, toolsOf: ToolsOf, source: string): Promise<LoadedTool[]> {
  if (Array.isArray(value))
    return await allOf(value.map((item, index) => toolsIn(item, `${name}_${index}`, toolsOf, source)));
  if (typeof value === "function")
    return isToolClass(value, toolsOf) ? await toolsIn(made(value, source), name, toolsOf, source) : [];
  if (!isObject(value)) return [];
  if (typeof value.toToolList === "function") return await toolsIn(value.toToolList(), name, toolsOf, source);
  const tool = await asTool(value, name);
  return tool ? [loadedTool(tool)] : decorated(value, toolsOf).map((one) => loadedTool(one));
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
    return { name, ...about, parameters: schema, execute: (args, { signal }) => invoke.call(value, args, { signal }) };
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
  if (tools.length === 0) throw new CliError("bad-input", `${source} exports no tools and no functions.`);
  return tools.map((tool) => {
    const found = Object.hasOwn(exported, tool.name) ? exported[tool.name] : exported.default;
    if (typeof found !== "function") return tool;
    return loadedTool({ ...tool, execute: (args) => found(...positionalArguments(tool, args)) });
  });
}
