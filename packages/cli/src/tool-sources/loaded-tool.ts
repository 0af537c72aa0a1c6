import { normalizeTools, type Tool, type ToolDefinition, type ToolInput } from "@toolingua/core";

/** A tool of any source: its definition, and what runs it where the source has that. */
export type LoadedTool = ToolDefinition & Partial<Omit<Tool, keyof ToolDefinition>>;

/** What a tool may say of itself besides its definition. */
type Running = Partial<Omit<Tool, keyof ToolDefinition>>;

/**
 * The tool as plain data with its functions bound, its parameters brought to JSON Schema. `lenient`: what makes no sense in a
 * schema has been reported already, and is no error.
 *
 * Errors: `ToolDefinitionError`.
 *
 * @example loadedTool({ name: "now", execute: () => new Date() }).parameters; // { type: "object", properties: {} }
 */
export function loadedTool(tool: ToolInput & Running, { lenient = false } = {}): LoadedTool {
  const [definition] = normalizeTools([tool], lenient ? { onProblem: () => {} } : {});
  const { resultAsAnswer, needsApproval, timeoutMs, exclusive, readOnly, onCrash } = tool;
  return {
    name: tool.name,
    ...definition,
    ...(resultAsAnswer !== undefined && { resultAsAnswer }),
    ...(needsApproval !== undefined && { needsApproval }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(exclusive !== undefined && { exclusive }),
    ...(readOnly !== undefined && { readOnly }),
    ...(onCrash !== undefined && { onCrash }),
    ...(tool.execute && { execute: tool.execute.bind(tool) }),
  };
}
