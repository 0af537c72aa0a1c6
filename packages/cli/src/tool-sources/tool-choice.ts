import { readToolChoice, type ToolChoice, type ToolDefinition } from "@toolingua/core";
import { didYouMean } from "@toolingua/core/adapters";
import { CliError } from "../terminal/errors.js";

/**
 * Parses `--tool-choice`: `auto`, `none`, `required`, or the name of a tool.
 *
 * Errors: `CliError` (`usage`), with the tool that was probably meant.
 *
 * @example givenToolChoice("add", definitions); // { name: "add" }
 */
export function givenToolChoice(asked: string, tools: readonly ToolDefinition[]): ToolChoice {
  const choice = readToolChoice(asked, tools);
  if (choice !== undefined) return choice;
  const names = ["auto", "none", "required", ...tools.map(({ name }) => name)];
  const none = tools.length > 0 ? undefined : "No tools are given: --tools, --mcp and --openapi give them.";
  throw new CliError(
    "usage",
    `--tool-choice ${asked}: this is neither auto, none or required nor the name of a tool. ${didYouMean(asked, names, none)}`,
  );
}
