import type { LanguageModelLike } from "@langchain/core/language_models/base";
import { oncePer } from "@toolingua/core/adapters";
import { type AgentMiddleware, createMiddleware } from "langchain";
import { checkToolCallingOptions } from "./check-tool-calling-options.js";
import { chatModelIn, replaceModels } from "./inner/inner-runnable.js";
import type { ToolCallingOptions } from "./options.js";
import { ToolCallingChatModel, withToolCalling } from "./tool-calling-chat-model.js";

/**
 * Tool calling as middleware of `createAgent`, for any model of the agent. Equivalent to wrapping the model with
 * `withToolCalling`; a model that is already wrapped gets these options in addition to its own. Put it last in the
 * list, so that other middleware sees, and can change, the original model.
 *
 * Errors: at once, `OptionsError` `bad-option` and `ProtocolError` `unknown-protocol`; those of `withToolCalling` once
 * the agent runs.
 *
 * @example
 * const agent = createAgent({ model: new ChatCloudflareWorkersAI(), tools, middleware: [toolCallingMiddleware()] });
 */
export function toolCallingMiddleware(options: ToolCallingOptions = {}): AgentMiddleware {
  checkToolCallingOptions(options);
  // One wrapper per model, because the wrapper remembers conversations.
  const wrap = oncePer((model: LanguageModelLike) => withOptions(model, options));
  return createMiddleware({
    name: "ToolCalling",
    wrapModelCall: (request, handler) =>
      handler({ ...request, model: wrap(request.model as LanguageModelLike) as unknown as typeof request.model }),
  });
}

function withOptions(model: LanguageModelLike, options: ToolCallingOptions): LanguageModelLike {
  if (!(chatModelIn(model) instanceof ToolCallingChatModel)) return withToolCalling(model, options);
  if (Object.keys(options).length === 0) return model;
  const replaced = replaceModels(model, (inside) =>
    inside instanceof ToolCallingChatModel ? inside.withOptions(options) : undefined,
  );
  return replaced ?? withToolCalling(model, options);
}
