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
  throw new CliError("usage", `--tool-choice ${asked}: there is no such tool. ${didYouMean(asked, names)}`);
}
