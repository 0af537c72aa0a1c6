import { checkOptions, converted, jsonPointer, listAt, objectAt } from "@toolingua/core/adapters";
import { type ConversationState, firstRecord, fold, LOG_VERSION } from "@toolingua/core/conversation";
import type { Converted } from "@toolingua/core/providers";
import { checkTree } from "../schema/check-tree.js";
import type { PmlDocument } from "../tree.js";
import { fromConversation, type ToMessagesOptions } from "./messages.js";
import { addAll } from "./providers.js";
import { saidIn, toMessagesRules } from "./said.js";
import { loseRest } from "./values.js";
import { writableText } from "./writable-text.js";

/**
 * Converts a document to the state of a `ToolConversation`, which can continue it. The log has a single record, because
 * the document does not contain the history of events. Calls without a result are pending.
 *
 * Errors: `PmlTreeError` `bad-tree`.
 *
 * @example
 * ToolConversation.fromJSON(toConversationState(document).value, { model, tools: toConversation(document).value.tools });
 */
export function toConversationState(
  document: PmlDocument,
  options: ToMessagesOptions = {},
): Converted<ConversationState> {
  checkOptions(toMessagesRules, options);
  checkTree(document);
  return converted((losses) => {
    const { tools, conversation } = document;
    const { messages } = saidIn(document, losses, { ...options, keepsConversation: true });
    if (tools) losses.add("/tools", "tools", "a state keeps only hashes of them: give them to fromJSON");
    if (conversation?.topic !== undefined) losses.add("/conversation/topic", "topic", "has no counterpart in a state");
    const id = conversation?.id;
    if (id === undefined || id === "") losses.add("/conversation/id", "id", "was made");
    // No conversation has a tool without a name.
    const named = tools?.list.filter(({ name }) => name.trim() !== "");
    const record = firstRecord({ messages, tools: named, conversationId: id === "" ? undefined : id });
    return { version: LOG_VERSION, log: [record] };
  });
}

/**
 * Converts the messages of a conversation's state to a document. Reports the lost history: usage, decisions, retries,
 * budgets.
 *
 * Errors: `ProviderFormatError` for data that is not a state; `ConversationLogError` for an invalid log.
 *
 * @example const { value: document } = fromConversationState(conversation.toJSON());
 */
export function fromConversationState(given: ConversationState): Converted<PmlDocument> {
  return converted((losses) => {
    loseRest(objectAt(given, "", "the state of a conversation: { version, log }"), ["version", "log"], "", losses);
    listAt(given.log, "/log");
    const { log } = given;
    const { messages, id } = fold(log);
    log.forEach((record, i) => {
      const what = LEFT_OUT[record.type];
      if (what) losses.add(jsonPointer("/log", i), record.type, what);
      if (record.type === "reply" && record.usage) losses.add(jsonPointer("/log", i, "usage"), "usage", "is omitted");
      if (record.type === "user" && record.trusted)
        losses.add(jsonPointer("/log", i, "trusted"), "trusted", "is omitted");
    });
    const { value, losses: more } = fromConversation({ messages }, { id: writableText(id, "/log/0/id", losses) });
    addAll(losses, more);
    return value;
  });
}

/** The events that documents do not record. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  forked: "from which conversation it was forked is omitted",
  failed: "failed turns are omitted",
  "approval-needed": "the asked person is omitted",
  decision: "what was decided shows only in calls and results",
  exhausted: "the exceeded budget is omitted",
  compacted: "all messages are written, including those that the model is no longer shown",
  end: "the ends of runs are omitted",
};
