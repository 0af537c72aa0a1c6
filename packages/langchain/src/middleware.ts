import type { LanguageModelLike } from "@langchain/core/language_models/base";
import { type AgentMiddleware, createMiddleware } from "langchain";
import type { ToolCallingOptions } from "./options.js";
import { ToolCallingChatModel, withToolCalling } from "./tool-calling-chat-model.js";

/**
 * Tool calling as middleware of `createAgent`, over whatever model the agent has: the same as wrapping that model with
 * `withToolCalling`. It belongs last in the list, so that other middleware still sees, and may change, the model itself.
 *
 * @example
 * const agent = createAgent({ model: new ChatCloudflareWorkersAI(), tools, middleware: [toolCallingMiddleware()] });
 */
export function toolCallingMiddleware(options: ToolCallingOptions = {}): AgentMiddleware {
  // One wrapper for each model: it remembers conversations.
  const wrapped = new WeakMap<object, ToolCallingChatModel>();
  const wrap = (model: LanguageModelLike): ToolCallingChatModel => {
    if (model instanceof ToolCallingChatModel) return model;
    const known = wrapped.get(model) ?? (withToolCalling(model, options) as ToolCallingChatModel);
    wrapped.set(model, known);
    return known;
  };
  return createMiddleware({
    name: "ToolCalling",
    wrapModelCall: (request, handler) =>
      handler({ ...request, model: wrap(request.model as LanguageModelLike) as unknown as typeof request.model }),
  });
}
