import { normalizeTools, type Tool, type ToolExecutionContext } from "@toolingua/core";
import { type ToolList, toolsIn } from "@toolingua/core/adapters";

/**
 * The context of a call for a tool's function. `context` is the application's own (the user, the request), set by
 * {@link withContext}; models do not see it. Annotate it to have its type: `ToolContext<{ user: User }>`.
 */
export interface ToolContext<C = unknown> extends ToolExecutionContext {
  readonly context: C;
}

/**
 * Binds tools to a context for their functions, for one user or one request. Models do not see it. Usage limits and
 * caches are shared with the given tools; results are cached separately for each context.
 *
 * Errors: `ToolDefinitionError`, as of `normalizeTools`.
 *
 * @example
 * const orders = tool("orders", { description: "The user's orders" }, (_, { context }: ToolContext<{ user: string }>) =>
 *   `none of ${context.user}`);
 * const agent = createAgent({ model, tools: toLangChainTools(withContext([orders], { user: "ann" })) });
 */
export function withContext(tools: readonly Tool[] | ToolList, context: unknown): Tool[] {
  const list = toolsIn(tools);
  normalizeTools(list);
  return list.map((tool) => {
    const { name, description, parameters, resultAsAnswer, needsApproval, timeout, exclusive, readOnly, onCrash } =
      tool;
    const { title, annotations, resultSchema } = tool as {
      title?: unknown;
      annotations?: unknown;
      resultSchema?: unknown;
    };
    const said = { description, parameters, resultAsAnswer, needsApproval, timeout, exclusive, readOnly, onCrash };
    const shown = { ...said, title, annotations, resultSchema };
    return {
      ...(Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined)) as Partial<Tool>),
      name,
      execute: (args, call) => tool.execute(args, Object.assign({}, call, { context })),
    };
  });
}
