import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { encodingOf, isObject } from "@toolingua/core/adapters";
import type { Jiti } from "jiti";
import { CliError, shownMessage } from "../terminal/errors.js";
import { inFile } from "../terminal/in-file.js";
import { exportedTools, type ToolsOf } from "./exported-tools.js";
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
  const tools = await inFile(source, () => exportedTools(exported, { toolsOf, source, onProblem }));
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
  const tools = toolsFromFiles([fileOf(path)], { jsonOnly: true });
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
