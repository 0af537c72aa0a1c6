import { clip } from "../../common/clip.js";
import { reportedUsage } from "../../common/usage.js";
import { escapeText } from "../../prompt/escape.js";
import type { Protocol } from "../../protocol.js";
import type { ChatMessage, TextMessage, ToolDefinition, Usage } from "../../types.js";
import { parseOpenedReply } from "../opened-reply.js";
import { ToolIndex } from "./tool-index.js";
import type { SelectedTools, SelectionRequest } from "./tool-selection.js";

/** The length of a description for selecting a tool, in characters. */
const SHORT = 100;

/**
 * The catalogue for selecting tools: a line each, with the name and the first sentence of the description, which is escaped.
 *
 * @example catalogue([{ name: "add", description: "Adds. Both must be integers." }]); // "add: Adds."
 */
export const catalogue = (tools: readonly ToolDefinition[]): string =>
  tools
    .map(({ name, description = "" }) => {
      const [sentence = ""] = description.trim().split(/(?<=[.!?])\s|\n/);
      const short = clip(sentence, SHORT);
      return short === "" ? name : `${name}: ${escapeText(short)}`;
    })
    .join("\n");

/**
 * Asks the model in text which tools a conversation needs. It sees one line per tool and the user's wish. Every tool that its
 * answer names is selected, but not those that only its reasoning names; if it names none, the tools that match the user's
 * words best are selected.
 */
export async function selectByText(
  { messages, tools, limit, model, signal }: SelectionRequest,
  protocol: Protocol,
  startWithReasoning?: boolean | undefined,
): Promise<SelectedTools> {
  const task = `From this list, write the names of those that it may need to answer the user, one on each line, at most ${limit}. If it needs none, write: none`;
  const request: TextMessage[] = [
    { role: "system", content: `You choose tools for an assistant. ${task}\n${catalogue(tools)}` },
    { role: "user", content: escapeText(lastWish(messages)) },
  ];
  let text = "";
  let usage: Usage | undefined;
  let reasoning = "";
  for await (const chunk of model({ messages: request, ...(signal && { signal }) })) {
    if (typeof chunk === "string") text += chunk;
    else {
      usage = reportedUsage(chunk.usage) ?? usage;
      reasoning += chunk.reasoning ?? "";
    }
  }
  const answer = parseOpenedReply(text, reasoning, { tools: [], protocol, startWithReasoning }).text;
  const index = ToolIndex.of(tools);
  const named = index.named(answer);
  const none = /^\W*none\b/i.test(answer);
  return { names: named.length > 0 || none ? named.slice(0, limit) : index.find(lastWish(messages), limit), usage };
}

/** Selects the tools that the user's wish names, and those that match its words best, without a request to the model. */
export function selectByWords({ messages, tools, limit }: SelectionRequest): SelectedTools {
  const index = ToolIndex.of(tools);
  const phrase = lastWish(messages);
  return { names: [...new Set([...index.named(phrase), ...index.find(phrase, limit)])].slice(0, limit) };
}

/** The user's wish: the text of the last user message, or of the last message if the user said nothing. */
export function lastWish(messages: readonly ChatMessage[]): string {
  const last = messages.findLast((message) => message.role === "user");
  return last?.content ?? messages.at(-1)?.content ?? "";
}
