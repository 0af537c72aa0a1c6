import { extname, isAbsolute, resolve } from "node:path";
import { shownAddress } from "../model-source/url-of.js";
import { CliError, shownMessage } from "../terminal/errors.js";
import { inFile } from "../terminal/in-file.js";
import { printable } from "../terminal/printable.js";
import type { Terminal } from "../terminal/terminal.js";
import type { LoadedTool } from "./loaded-tool.js";
import type { GivenServer, McpTools } from "./mcp-servers.js";

/** The options for the sources of tools, for `loadTools`. */
export interface ToolOptions {
  tools?: string[];
  mcp?: string[];
  /** How many milliseconds an MCP server may take for an answer. Default 60,000. */
  mcpTimeout?: number;
  openapi?: string[];
  /** Whether to trust MCP servers on which of their tools only read. */
  trustMcp?: boolean;
}

/** The tools of all sources. */
interface LoadedTools {
  readonly tools: readonly LoadedTool[];
  /** Stops the MCP servers that were started. Resolves at once if there are none. */
  close(): Promise<void>;
}

/**
 * Loads the tools of `--tools`, `--mcp` and `--openapi`, in this order. The code for a kind of source is imported only
 * if it is used. OpenAPI documents and `mcpServers` configurations are also accepted as `--tools`.
 *
 * `onProblem` receives a message for each part of a source that was left out, and for a source that is waited for;
 * `onProgress` what is done that takes seconds.
 *
 * Errors: `CliError`; those of the packages: `ToolDefinitionError`, `McpServerError`, `OpenApiDocumentError`, …
 *
 * @example
 * const { tools, close } = await loadTools({ tools: ["tools.ts"], mcp: ["npx -y …"] }, (message) => terminal.note(message));
 */
export async function loadTools(
  options: ToolOptions,
  onProblem: (message: string) => void,
  onProgress?: (message: string) => void,
): Promise<LoadedTools> {
  const found: { from: string; tools: readonly LoadedTool[] }[] = [];
  const servers: GivenServer[] = [];
  const addOpenApi = async (from: string) => found.push({ from, tools: await openApi(from, onProblem) });
  for (const from of options.tools ?? []) {
    if (!/^\.(?:json|ya?ml)$/i.test(extname(from)) || isUrl(from)) {
      found.push({ from, tools: await moduleSource(from, onProblem, onProgress) });
      continue;
    }
    const { readDocument } = await import("./read-document.js");
    const { documentTools } = await import("./document-tools.js");
    const document = await readDocument(from);
    const read = await inFile(from, () => documentTools(document, from));
    if (read.kind === "openapi") await addOpenApi(from);
    else if (read.kind === "mcp") {
      const inside = Object.entries(read.servers);
      servers.push(...inside.map(([name, config]): GivenServer => [name, config, from]));
      if (inside.length === 0) found.push({ from, tools: [] });
    } else {
      read.losses.forEach(onProblem);
      found.push({ from, tools: read.tools });
    }
  }
  for (const from of options.openapi ?? []) await addOpenApi(from);
  for (const given of options.mcp ?? []) servers.push((await import("./mcp-servers.js")).givenServer(given));

  let mcp: McpTools | undefined;
  if (servers.length > 0) {
    mcp = await (await import("./mcp-servers.js")).mcpTools(servers, {
      onProblem,
      trusted: options.trustMcp,
      timeout: options.mcpTimeout,
    });
    const names = servers.map(([name]) => name).join(", ");
    found.push({ from: `MCP (${names})`, tools: mcp.tools });
  }
  for (const { from, tools } of found) if (tools.length === 0) onProblem(`${from} has no tools.`);
  try {
    return { tools: withoutClashes(found), close: async () => await mcp?.close() };
  } catch (error) {
    await mcp?.close();
    throw error;
  }
}

/**
 * As {@link loadTools}, with what it reports as notes of a command.
 *
 * @example const { tools, close } = await loadToolsIn(terminal, options);
 */
export const loadToolsIn = (terminal: Terminal, options: ToolOptions): Promise<LoadedTools> =>
  loadTools(
    options,
    (problem) => terminal.note(printable(problem)),
    (work) => terminal.progress(printable(work)),
  );

/** Whether any tools are given. Without tools, a reply is parsed without checking names. */
export const namesTools = ({ tools, mcp, openapi }: ToolOptions): boolean =>
  [tools, mcp, openapi].some((sources) => sources !== undefined && sources.length > 0);

const isUrl = (source: string) => /^https?:\/\//.test(source);

async function moduleSource(
  source: string,
  onProblem: (message: string) => void,
  onProgress: ((message: string) => void) | undefined,
): Promise<readonly LoadedTool[]> {
  if (isUrl(source)) {
    const shown = shownAddress(source);
    throw new CliError("usage", `--tools takes a file or a package, not ${shown}. Did you mean --openapi or --mcp?`);
  }
  const { isFolder, MODULE, missingSource, unreadSource } = await import("./unread-source.js");
  const { moduleTools } = await import("./module-tools.js");
  const [extension, folder] = [extname(source), process.cwd()];
  const isModule = MODULE.test(extension);
  const isFile = source.startsWith(".") || isAbsolute(source) || isModule;
  // A folder or a file without an extension may be a module.
  const isOther = isFile && !isModule && extension.length > 1 && !(await isFolder(source));
  const unread = isOther ? await unreadSource(source) : undefined;
  if (unread) throw unread;
  try {
    return await moduleTools(isFile ? resolve(source) : source, folder, onProblem, onProgress);
  } catch (error) {
    if (!(error instanceof CliError && error.code === "not-found")) throw error;
    throw (await unreadSource(source)) ?? (await missingSource(source, isFile));
  }
}

async function openApi(source: string, onProblem: (message: string) => void): Promise<readonly LoadedTool[]> {
  const { openApiTools } = await import("@toolingua/openapi");
  const { loadedTool } = await import("./loaded-tool.js");
  const tools = await openApiTools(source, { onProblem: (problem) => onProblem(shownMessage(problem)) });
  if (tools.length === 0) throw new CliError("bad-input", `${source} has no operation that can be used.`);
  return tools.map((tool) => loadedTool(tool, { lenient: true }));
}

/** Errors: `CliError` (`bad-input`) for two tools of one name, with both sources. */
function withoutClashes(found: readonly { from: string; tools: readonly LoadedTool[] }[]): LoadedTool[] {
  const owners = new Map<string, string>();
  return found.flatMap(({ from, tools }) =>
    tools.map((tool) => {
      const other = owners.get(tool.name);
      if (other !== undefined) {
        const where = other === from ? `${from} has two tools` : "There are two tools";
        const whose = other === from ? "" : `: of ${other} and of ${from}`;
        throw new CliError("bad-input", `${where} named "${tool.name}"${whose}.`);
      }
      owners.set(tool.name, from);
      return tool;
    }),
  );
}
