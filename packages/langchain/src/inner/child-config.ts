import { CallbackManager, type CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import type { RunnableConfig } from "@langchain/core/runnables";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";

type Fields = Record<string, unknown>;

/** The configuration of a wrapped model's run: the caller's, the model's own call options, and our callbacks. */
export function childConfig(
  options: Fields,
  runManager: CallbackManagerForLLMRun | undefined,
  own: Fields = {},
): RunnableConfig {
  const ambient: RunnableConfig | undefined = AsyncLocalStorageProviderSingleton.getRunnableConfig();
  const { configurable, metadata, tags } = ambient ?? {};
  return {
    ...(configurable && { configurable }),
    ...(metadata && { metadata }),
    ...(tags && { tags }),
    ...options,
    ...own,
    callbacks: tracersOnly(runManager),
  };
}

/**
 * Callbacks for the wrapped model's run: a child of the wrapper's run in a trace, but no handler sees its tokens.
 * Any other handler, or none (LangChain then inherits the caller's), would show the raw protocol text in addition.
 */
function tracersOnly(runManager: CallbackManagerForLLMRun | undefined): CallbackManager {
  const manager = new CallbackManager(runManager?.runId);
  for (const handler of runManager?.handlers ?? []) {
    if (handler.name === "langchain_tracer") manager.addHandler(handler, true);
  }
  return manager;
}

/** Fields that agents and the framework leak into call options. */
const leaked = [
  "promptIndex",
  "outputVersion",
  "callbacks",
  "config",
  "context",
  "control",
  "executionInfo",
  "interrupt",
  "serverInfo",
  "store",
  "writer",
];

/** Options for tools or output formats. */
const ofTools = [
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "response_format",
  "responseSchema",
  "outputConfig",
  "ls_structured_output_format",
  "strict",
];

const notTheModels = new Set(leaked);
const notForText = new Set([...leaked, ...ofTools]);
const without = (options: Fields, names: ReadonlySet<string>): Fields =>
  Object.fromEntries(Object.entries(options).filter(([key, value]) => !names.has(key) && value !== undefined));

/** The call options for a prompted model, without those for tools, which the prompt describes. */
export const forwarded = (options: Fields): Fields => without(options, notForText);

/** The call options for native tool calling, with those for `bindTools` separate. */
export function forwardedNatively(options: Fields): { binding: Fields; call: Fields } {
  const { tools: _, tool_choice, parallel_tool_calls, strict, ...call } = without(options, notTheModels);
  const binding = without({ tool_choice, parallel_tool_calls, strict }, new Set());
  return { binding, call };
}
