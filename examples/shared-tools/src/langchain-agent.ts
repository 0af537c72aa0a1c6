import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { toLangChainTools, withToolCalling } from "@toolingua/langchain";
import { AIMessage, createAgent, HumanMessage, ToolMessage } from "langchain";
import { examples } from "./examples.js";
import { how, systemPrompt } from "./how.js";
import type { Shop } from "./shop.js";

/** Asks LangChain's agent. */
export async function askLangChain(model: BaseChatModel, shop: Shop, question: string): Promise<string> {
  const agent = createAgent({ model: withToolCalling(model, how), tools: toLangChainTools(shop), systemPrompt });
  const shown = examples.flatMap(({ id, question, name, args, result }) => [
    new HumanMessage(question),
    new AIMessage({ content: "", tool_calls: [{ type: "tool_call", id, name, args }] }),
    new ToolMessage({ tool_call_id: id, name, content: result }),
    new AIMessage(result),
  ]);
  const { messages } = await agent.invoke({ messages: [...shown, new HumanMessage(question)] }, { recursionLimit: 12 });
  return messages.at(-1)?.text.trim() ?? "";
}
