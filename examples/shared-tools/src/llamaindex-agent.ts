import type { BaseLLM, ChatMessage } from "@llamaindex/core/llms";
import { agent } from "@llamaindex/workflow";
import { toLlamaIndexTools, withToolCalling } from "@toolingua/llamaindex";
import { examples } from "./examples.js";
import { how, systemPrompt } from "./how.js";
import type { Shop } from "./shop.js";

/** Asks LlamaIndex's agent. */
export async function askLlamaIndex(model: BaseLLM, shop: Shop, question: string): Promise<string> {
  const llm = withToolCalling(model, { ...how, maxToolRounds: 5 });
  const chatHistory = examples.flatMap(({ id, question, name, args, result }): ChatMessage[] => [
    { role: "user", content: question },
    { role: "assistant", content: "", options: { toolCall: [{ id, name, input: args }] } },
    { role: "user", content: result, options: { toolResult: { id, result, isError: false } } },
    { role: "assistant", content: result },
  ]);
  const { data } = await agent({ llm, tools: toLlamaIndexTools(shop), systemPrompt }).run(question, { chatHistory });
  return String(data.result).trim();
}
