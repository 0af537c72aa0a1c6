import { normalizeTools, type Tool, type ToolDefinition, type ToolInput } from "@toolingua/core";

/** A tool of any source: its definition, and the functions to run it if the source has them. */
export type LoadedTool = ToolDefinition & Partial<Omit<Tool, keyof ToolDefinition>>;

/** The parts of a tool besides its definition. */
type Running = Partial<Omit<Tool, keyof ToolDefinition>>;

/**
 * A tool as plain data with bound functions and parameters as JSON Schema. `lenient`: schema problems that were already
 * reported are not errors.
 *
 * Errors: `ToolDefinitionError`.
 *
 * @example loadedTool({ name: "now", execute: () => new Date() }).parameters; // { type: "object", properties: {} }
 */
export function loadedTool(tool: ToolInput & Running, { lenient = false } = {}): LoadedTool {
  const [definition] = normalizeTools([tool], lenient ? { onProblem: () => {} } : {});
  const { resultAsAnswer, needsApproval, timeout, exclusive, readOnly, onCrash } = tool;
  return {
    name: tool.name,
    ...definition,
    ...(resultAsAnswer !== undefined && { resultAsAnswer }),
    ...(needsApproval !== undefined && { needsApproval }),
    ...(timeout !== undefined && { timeout }),
    ...(exclusive !== undefined && { exclusive }),
    ...(readOnly !== undefined && { readOnly }),
    ...(onCrash !== undefined && { onCrash }),
    ...(tool.execute && { execute: tool.execute.bind(tool) }),
  };
}
