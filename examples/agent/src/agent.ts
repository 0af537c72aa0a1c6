import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { type ToolCallingOptions, withToolCalling } from "@toolingua/langchain";
import { createAgent, createMiddleware, HumanMessage } from "langchain";
import { examples } from "./few-shot.js";
import { repository } from "./paths.js";
import { calculateTool } from "./tools/calculate.js";
import { readFileTool } from "./tools/read-file.js";
import { timeTool } from "./tools/time.js";

export interface AgentOptions {
  protocol: NonNullable<ToolCallingOptions["protocol"]>;
  /** Tell the model what was wrong with a call, and ask again. */
  retry: boolean;
  /** Every question must be answered by a tool; a grammar lets the model write nothing but a call. */
  constrain: boolean;
  /** What time it is, for tests. */
  now?: (() => Date) | undefined;
}

/** A LangChain agent with three tools, on a model that knows nothing of tools. */
export function createExampleAgent(model: BaseChatModel, { protocol, retry, constrain, now }: AgentOptions) {
  return createAgent({
    model: withToolCalling(model, {
      protocol,
      style: "signature",
      onInvalidCall: retry ? "retry" : "surface",
      constraint: constrain ? "auto" : "off",
    }),
    tools: [timeTool(now), calculateTool, readFileTool(repository)],
    systemPrompt: "You are a helpful assistant.",
    middleware: [fewShot, ...(constrain ? [callThenAnswer] : [])],
  });
}

/** Worked examples before every conversation, without being part of it. */
const fewShot = createMiddleware({
  name: "FewShot",
  wrapModelCall: (request, handler) => handler({ ...request, messages: [...examples, ...request.messages] }),
});

/** One call first, then an answer: a model this small, left to choose, makes up answers or calls for ever. */
const callThenAnswer = createMiddleware({
  name: "CallThenAnswer",
  wrapModelCall: (request, handler) => {
    const asked = HumanMessage.isInstance(request.messages.at(-1));
    const modelSettings = { ...request.modelSettings, parallel_tool_calls: false };
    return handler({ ...request, modelSettings, toolChoice: asked ? "required" : "none" });
  },
});
