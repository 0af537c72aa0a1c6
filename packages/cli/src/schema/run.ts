import type { ToolDefinition } from "@toolingua/core";
import { placeOf } from "@toolingua/core/adapters";
import { type Converted, providers } from "@toolingua/core/providers";
import { CliError } from "../terminal/errors.js";
import type { Terminal } from "../terminal/terminal.js";
import { loadToolsIn, type ToolOptions } from "../tool-sources/load-tools.js";
import { onlyTools } from "../tool-sources/only-tools.js";

/** The options of `toolingua schema`. */
export interface SchemaOptions extends ToolOptions {
  provider: "toolingua" | "openai" | "openai-responses" | "openai-functions" | "anthropic" | "gemini" | "mcp";
  only?: string[];
}

/** `toolingua schema`: prints tools as JSON, in the form of a provider. */
export async function run(terminal: Terminal, sources: readonly string[], options: SchemaOptions): Promise<void> {
  const given = { ...options, tools: [...sources, ...(options.tools ?? [])] };
  if (given.tools.length === 0 && !options.mcp && !options.openapi) {
    throw new CliError("usage", "The tools are missing: give a file, --mcp or --openapi.");
  }
  const { tools, close } = await loadToolsIn(terminal, given);
  await close();
  const definitions = onlyTools(tools, options.only).map(
    ({ name, description, parameters }): ToolDefinition => ({
      name,
      ...(description !== undefined && { description }),
      ...(parameters !== undefined && { parameters }),
    }),
  );
  const { value, losses } = inForm(definitions, options.provider);
  for (const { path, what, why } of losses) terminal.note(`lost: ${what} at ${placeOf(path)}: ${why}`);
  terminal.printJson(value);
}

function inForm(tools: readonly ToolDefinition[], provider: SchemaOptions["provider"]): Converted<unknown> {
  if (provider === "toolingua") return { value: tools, losses: [] };
  if (provider !== "mcp") return providers[provider].toTools(tools);
  const value = tools.map(({ parameters, ...tool }) => ({ ...tool, inputSchema: parameters }));
  return { value, losses: [] };
}
