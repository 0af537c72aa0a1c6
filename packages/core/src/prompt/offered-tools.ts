import { isObject } from "../common/plain-object.js";
import { ToolinguaError } from "../errors.js";
import { checkNames } from "../schema/check-names.js";
import { printJson } from "../schema/json.js";
import type { ToolChoice, ToolDefinition } from "../types.js";

/**
 * The tools that the prompt offers.
 *
 * Errors: `ToolDefinitionError` (`missing-name`, `duplicate-name`); `ToolinguaError` `bad-tool-choice`, and
 * `unknown-tool` if none of them has the given name.
 */
export function offeredTools(tools: readonly ToolDefinition[], toolChoice: ToolChoice): readonly ToolDefinition[] {
  checkNames(tools);
  checkToolChoice(toolChoice);
  const offered = toolChoice === "none" ? [] : tools;
  if (typeof toolChoice !== "object" || offered.some((tool) => tool.name === toolChoice.name)) return offered;
  const names = offered.map((tool) => tool.name).join(", ") || "none";
  throw new ToolinguaError("unknown-tool", `toolChoice names "${toolChoice.name}"; the tools are: ${names}.`);
}

function checkToolChoice(choice: unknown): void {
  if (choice === "auto" || choice === "none" || choice === "required") return;
  if (isObject(choice) && typeof choice.name === "string") return;
  throw new ToolinguaError(
    "bad-tool-choice",
    `toolChoice is "auto", "none", "required" or { name }, not ${printJson(choice)}. readToolChoice() reads the forms of providers.`,
  );
}
