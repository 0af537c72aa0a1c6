import { didYouMean, isMisspelling, nearestNames } from "../common/nearest-name.js";
import { isObject } from "../common/plain-object.js";
import { OptionsError } from "../errors.js";
import { checkNames } from "../schema/check-names.js";
import { printJson } from "../schema/json.js";
import type { ToolChoice, ToolDefinition } from "../types.js";

/**
 * The tools that the prompt offers.
 *
 * Errors: `ToolDefinitionError` (`missing-name`, `duplicate-name`); {@link OptionsError} (`bad-option`) for a choice that is
 * none, that names none of the tools, or that requires a call without tools.
 */
export function offeredTools(tools: readonly ToolDefinition[], toolChoice: ToolChoice): readonly ToolDefinition[] {
  checkNames(tools);
  checkToolChoice(
    toolChoice,
    tools.map(({ name }) => name),
  );
  return toolChoice === "none" ? [] : tools;
}

const MODES: readonly unknown[] = ["auto", "none", "required"] satisfies ToolChoice[];

function checkToolChoice(choice: unknown, names: readonly string[]): void {
  if (choice === "required" && names.length === 0)
    refuse("requires a call, but there is no tool to call: `tools` is empty.");
  if (MODES.includes(choice)) return;
  if (!isObject(choice) || typeof choice.name !== "string")
    return refuse(`is "auto", "none", "required" or { name }, not ${printJson(choice)}. ${choiceMeant(choice, names)}`);
  if (!names.includes(choice.name))
    refuse(`names ${printJson(choice.name)}, which is not a tool. ${didYouMean(choice.name, names)}`);
}

function choiceMeant(choice: unknown, names: readonly string[]): string {
  if (typeof choice === "string") {
    if (names.includes(choice)) return `Did you mean { name: ${printJson(choice)} }?`;
    const { meant } = nearestNames(choice, MODES as string[]);
    if (meant !== undefined) return `Did you mean "${meant}"?`;
  }
  if (isObject(choice) && Object.keys(choice).some((key) => isMisspelling(key, "name", 1)))
    return "Did you mean `name`?";
  return "readToolChoice() reads the forms of providers.";
}

function refuse(what: string): never {
  throw new OptionsError("bad-option", `\`toolChoice\` ${what}`);
}
