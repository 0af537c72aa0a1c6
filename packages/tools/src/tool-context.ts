import type { Tool, ToolExecutionContext } from "@toolingua/core";

/**
 * What a tool's function is told about its call. `context` is the application's own (the user, the request): it is given by
 * {@link withContext}, and no model sees it. Annotate it to have its type: `ToolContext<{ user: User }>`.
 */
export interface ToolContext<C = unknown> extends ToolExecutionContext {
  readonly context: C;
}

/** An object that lists tools: a `ToolSpec`. */
interface ToolList {
  toToolList(): readonly Tool[];
}

/**
 * The same tools with a context for their functions, for one user or one request. Models see nothing of it. Usage limits and
 * caches stay those of the tools that were given; results are cached for each context by itself.
 *
 * @example
 * const orders = tool("orders", { description: "The user's orders" }, (_, { context }: ToolContext<{ user: string }>) =>
 *   `none of ${context.user}`);
 * const agent = createAgent({ model, tools: toLangChainTools(withContext([orders], { user: "ann" })) });
 */
export function withContext(tools: readonly Tool[] | ToolList, context: unknown): Tool[] {
  const list = "toToolList" in tools ? tools.toToolList() : tools;
  return list.map((tool) => {
    const { name, description, parameters, resultAsAnswer, needsApproval, timeoutMs, exclusive, readOnly, onCrash } =
      tool;
    const { title, annotations, resultSchema } = tool as {
      title?: unknown;
      annotations?: unknown;
      resultSchema?: unknown;
    };
    const said = { description, parameters, resultAsAnswer, needsApproval, timeoutMs, exclusive, readOnly, onCrash };
    const shown = { ...said, title, annotations, resultSchema };
    return {
      ...(Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined)) as Partial<Tool>),
      name,
      execute: (args, call) => tool.execute(args, Object.assign({}, call, { context })),
    };
  });
}
