import { parseReply } from "../../full/index.js";
import type { Protocol } from "../../protocol.js";
import type { ChatMessage, TextMessage, ToolDefinition, Usage } from "../../types.js";
import { reportedUsage } from "../../usage.js";
import { ToolIndex } from "./tool-index.js";
import type { SelectedTools, SelectionRequest } from "./tool-selection.js";

/** Characters of a description that help to choose; the rest helps to call. */
const SHORT = 100;

/**
 * Tools as what one chooses from: a line each, with the name and the first sentence of the description.
 *
 * @example catalogue([{ name: "add", description: "Adds. Both must be integers." }]); // "add: Adds."
 */
export const catalogue = (tools: readonly ToolDefinition[]): string =>
  tools
    .map(({ name, description = "" }) => {
      const [sentence = ""] = description.trim().split(/(?<=[.!?])\s|\n/);
      const short = sentence.length > SHORT ? `${sentence.slice(0, SHORT - 1).trimEnd()}…` : sentence;
      return short === "" ? name : `${name}: ${short}`;
    })
    .join("\n");

/**
 * Asks the model in words which tools a conversation needs. It sees a line for each tool and what the user wants; every
 * tool its answer names is selected. Where it names none, those that fit the user's words best are.
 */
export async function selectByText(
  { messages, tools, limit, model, signal }: SelectionRequest,
  protocol: Protocol,
): Promise<SelectedTools> {
  const task = `From this list, write the names of those that it may need to answer the user, one on each line, at most ${limit}. If it needs none, write: none`;
  const request: TextMessage[] = [
    { role: "system", content: `You choose tools for an assistant. ${task}\n${catalogue(tools)}` },
    { role: "user", content: wish(messages) },
  ];
  let text = "";
  let usage: Usage | undefined;
  for await (const chunk of model({ messages: request, ...(signal && { signal }) })) {
    if (typeof chunk === "string") text += chunk;
    else usage = reportedUsage(chunk.usage) ?? usage;
  }
  const answer = parseReply(text, { tools: [], protocol }).text;
  const index = ToolIndex.of(tools);
  const named = index.named(answer);
  const none = /^\W*none\b/i.test(answer);
  return { names: named.length > 0 || none ? named.slice(0, limit) : index.find(wish(messages), limit), usage };
}

/** What the tools are to be chosen for: what the user last said. */
export function wish(messages: readonly ChatMessage[]): string {
  const last = messages.findLast((message) => message.role === "user");
  return last?.content ?? messages.at(-1)?.content ?? "";
}
