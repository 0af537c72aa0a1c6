import { didYouMean } from "@toolingua/core/adapters";
import { CliError } from "../terminal/errors.js";

/**
 * The tools with these names, in the order of the names; all tools if there are no names.
 *
 * Errors: `CliError` (`usage`) for an unknown name.
 *
 * @example onlyTools(tools, ["add"]);
 */
export function onlyTools<Tool extends { name: string }>(
  tools: readonly Tool[],
  names: readonly string[] | undefined,
): readonly Tool[] {
  if (names === undefined) return tools;
  return names.map((name) => {
    const tool = tools.find((one) => one.name === name);
    if (tool) return tool;
    const known = tools.map((one) => one.name);
    throw new CliError("usage", `There is no tool "${name}". ${didYouMean(name, known)}`);
  });
}
