import { OptionsError, type ToolDefinition } from "@toolingua/core";
import { checkArgument } from "@toolingua/core/adapters";

/** How a function takes the arguments of a call: as one object, or each as a parameter; `rest`: the last is `...rest`. */
export type Taking = "object" | { names: readonly string[]; rest: boolean };

const takings = new WeakMap<ToolDefinition, Taking>();

/** Notes how the function of a definition takes its arguments. */
export function taking<D extends ToolDefinition>(definition: D, how: Taking): D {
  takings.set(definition, how);
  return definition;
}

/**
 * The arguments of a call in the order of the function's parameters. A missing one is `undefined`, so that its default counts.
 *
 * Errors: `OptionsError` (`bad-option`) for a definition that `toolsFromFiles` did not return.
 *
 * @example
 * // export function forecast(city: string, days = 3) { … }
 * const [definition] = toolsFromFiles(["weather.ts"]);
 * forecast(...positionalArguments(definition, { city: "Oslo" })); // forecast("Oslo", undefined)
 */
export function positionalArguments(definition: ToolDefinition, args: Record<string, unknown>): unknown[] {
  const how = takings.get(definition);
  if (how === undefined) throw new OptionsError("bad-option", "`definition` is one that `toolsFromFiles` returned.");
  checkArgument("args", "object", args);
  if (how === "object") return [args];
  const values = how.names.map((name) => args[name]);
  const last = how.rest ? values.pop() : undefined;
  return Array.isArray(last) ? [...values, ...last] : values;
}
