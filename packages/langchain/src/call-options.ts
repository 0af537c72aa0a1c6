import type { BaseChatModelCallOptions, BindToolsInput } from "@langchain/core/language_models/chat_models";
import type { RunnableConfig } from "@langchain/core/runnables";

/** Call options: those of every chat model, `tools`, and the wrapped model's own `C`. */
export type ToolCallingCallOptions<C extends RunnableConfig = RunnableConfig> = BaseChatModelCallOptions & {
  tools?: BindToolsInput[];
  parallel_tool_calls?: boolean;
} & Omit<C, keyof BaseChatModelCallOptions | "tools" | "parallel_tool_calls">;
