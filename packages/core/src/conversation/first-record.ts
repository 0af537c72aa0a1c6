import { checkArgument } from "../check-argument.js";
import { randomId } from "../common/random-id.js";
import { type ConversationRecord, LOG_VERSION, toolHashes } from "./records.js";
import type { CheckedOptions } from "./types.js";

/**
 * The first record of a new conversation. Alone in a log, it is the state of a conversation with these `messages` and
 * no others.
 *
 * @example ToolConversation.fromJSON({ version: LOG_VERSION, log: [firstRecord({ messages })] }, { model, tools });
 */
export function firstRecord(
  options: Pick<CheckedOptions, "tools" | "instructions" | "messages" | "conversationId">,
): ConversationRecord {
  checkArgument("options", "object", options);
  const { tools = [], instructions, messages = [], conversationId } = options;
  return {
    at: Date.now(),
    type: "begin",
    version: LOG_VERSION,
    id: conversationId ?? randomId().replace("call", "conv"),
    messages: [...(instructions ? [{ role: "system" as const, content: instructions }] : []), ...messages],
    tools: toolHashes(tools),
  };
}
