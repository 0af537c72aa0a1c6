import { type AnyTool, normalizeTools, type ToolDefinition } from "@toolingua/core";
import { isObject, misspeltSchemaKey, placeOf } from "@toolingua/core/adapters";
import type { Converted } from "@toolingua/core/providers";
import type { McpServerConfig } from "@toolingua/mcp";
import { misspelt } from "../json.js";
import { CliError } from "../terminal/errors.js";
import { type LoadedTool, loadedTool } from "./loaded-tool.js";

/** The kinds of JSON and YAML documents. */
type DocumentTools =
  | { kind: "tools"; tools: LoadedTool[]; losses: string[] }
  | { kind: "openapi" }
  | { kind: "mcp"; servers: Record<string, McpServerConfig> };

/**
 * Reads the tools in a document: a list of tools, or an object with `tools` or `functions`. Accepts Toolingua's form,
 * those of OpenAI (Chat Completions, Responses, functions), Anthropic and Gemini, and MCP's. Recognises OpenAPI
 * documents and `mcpServers` configurations, which other functions read.
 *
 * Errors, which do not name the document: `CliError` (`bad-input`), `ToolDefinitionError`, `ProviderFormatError`.
 *
 * @param from what the document is named in losses
 * @example await documentTools([{ name: "now", input_schema: { type: "object" } }], "tools.json");
 */
export async function documentTools(document: unknown, from: string): Promise<DocumentTools> {
  if (isObject(document)) {
    if ("openapi" in document || "swagger" in document) return { kind: "openapi" };
    // `connectMcp` checks them.
    if (isObject(document.mcpServers))
      return { kind: "mcp", servers: document.mcpServers as Record<string, McpServerConfig> };
  }
  const losses: string[] = [];
  const tools: LoadedTool[] = [];
  for (const [index, given] of listIn(document).entries()) {
    const number = index + 1;
    const { value, losses: lost } = await readTool(given, number);
    losses.push(
      ...lost.map(({ path, what, why }) => `${from}, tool ${number}: ${what} at ${placeOf(path)} is lost: ${why}.`),
    );
    tools.push(...value.map((tool) => loadedTool(tool)));
  }
  return { kind: "tools", tools, losses };
}

function listIn(document: unknown): unknown[] {
  if (Array.isArray(document)) return document;
  if (isObject(document)) {
    const inside = document.tools ?? document.functions;
    if (Array.isArray(inside)) return inside;
    if (typeof document.name === "string" || "functionDeclarations" in document || "function" in document)
      return [document];
  }
  const right = "a list of tools, an object with `tools`, an OpenAPI document, or an `mcpServers` configuration";
  const hint = misspelt(document, ["tools", "functions", "openapi", "swagger", "mcpServers", "name"]);
  throw new CliError("bad-input", `There are no tools. Expected: ${right}.${hint}`);
}

/** Reads a tool. Only a provider's form needs the code for it. */
async function readTool(given: unknown, number: number): Promise<Converted<ToolDefinition[]>> {
  if (!isObject(given))
    throw new CliError("bad-input", `Tool ${number} is not an object, but ${JSON.stringify(given)}.`);
  refuseMisspeltKey(given);
  const ofProvider = await providerTool(given);
  if (ofProvider) return ofProvider;
  const { name, description } = given;
  if (typeof name !== "string")
    throw new CliError("bad-input", `Tool ${number} has no name.${misspelt(given, ["name"])}`);
  const parameters = given.parameters ?? given.inputSchema ?? given.schema;
  const tool = loadedTool({ name, parameters, ...(typeof description === "string" && { description }) });
  return { value: [tool], losses: [] };
}

/** A tool in a provider's form, which is detected by the field that only this form has. */
async function providerTool(given: Record<string, unknown>): Promise<Converted<ToolDefinition[]> | undefined> {
  const declared = given.functionDeclarations ?? given.function_declarations;
  const isFunction = isObject(given.function);
  if (!isFunction && declared === undefined && !("input_schema" in given) && given.type !== "function")
    return undefined;
  const { providers } = await import("@toolingua/core/providers");
  if (isFunction) return providers.openai.fromTools([{ ...given, type: "function" }]);
  if (declared !== undefined) return providers.gemini.fromTools([{ functionDeclarations: declared }]);
  if ("input_schema" in given) return providers.anthropic.fromTools([given]);
  return providers["openai-responses"].fromTools([{ ...given, type: "function" }]);
}

/**
 * Refuses a tool whose schema is under a misspelt key: it would be left out, and calls would not be checked.
 *
 * Errors: `ToolDefinitionError`.
 */
function refuseMisspeltKey(given: Record<string, unknown>): void {
  const fields = isObject(given.function) ? given.function : given;
  if (typeof fields.name === "string" && misspeltSchemaKey(fields)) normalizeTools([given as AnyTool]);
}
