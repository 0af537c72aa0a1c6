import { callKey } from "../common/call-key.js";
import type { ToolCall, ToolResult } from "../types.js";
import { checkLog } from "./check-record.js";
import { checkConversationOptions } from "./conversation-options.js";
import { ConversationLogError } from "./errors.js";
import { FeedbackError } from "./execution.js";
import { fold } from "./fold.js";
import type { ConversationRecord } from "./records.js";
import { begunConversation } from "./tool-conversation.js";
import type { ConversationOptions, ConversationResult, ConversationTool, Schemas } from "./types.js";

/**
 * Options of {@link replay}: those of the conversation, such as another model or protocol. `messages`, `instructions`
 * and `store` are ignored: the first two come from the log, and nothing is stored.
 */
export type ReplayOptions<S extends Schemas = Schemas> = Omit<
  ConversationOptions<S>,
  "store" | "messages" | "instructions"
>;

/** The result of a replay, and its log. */
type Replayed = ConversationResult & { log: readonly ConversationRecord[] };

/**
 * Repeats a conversation with another model, protocol or set of options: sends the user's messages again, one after the
 * other. If the log has a result for a call (same name, equal arguments), the call gets that result without approval:
 * the first such call the first result, and so on. Any other call runs if its tool has `execute`. If it needs approval,
 * the replay stops there, with the call in `pending` (`needs-approval`). With definitions without `execute`, a replay
 * runs no tool and stops there (`needs-results`).
 *
 * Triggers of a message are read again. They are missing from logs of versions that did not record them.
 *
 * Errors: those of `ToolConversation`; `ConversationLogError`.
 *
 * @example
 * const { log } = await replay(conversation.log, { model, tools: definitions, protocol: "hermes" });
 * diffLogs(conversation.log, log);
 */
export function replay<const S extends Schemas>(
  log: readonly ConversationRecord[],
  options: ReplayOptions<S>,
): Promise<Replayed>;
export function replay(log: readonly ConversationRecord[], options: ReplayOptions): Promise<Replayed>;
export async function replay(log: readonly ConversationRecord[], options: ReplayOptions): Promise<Replayed> {
  checkConversationOptions(options);
  checkLog(log, "replay");
  const recorded = resultsIn(log);
  /** The recorded result for each call of the replay. Each result is used once, in the order of the calls. */
  const given = new Map<string, ToolResult | undefined>();
  const resultOf = (call: ToolCall) => {
    if (!given.has(call.id)) given.set(call.id, recorded.get(callKey(call))?.shift());
    return given.get(call.id);
  };
  const { needsApproval } = options;
  const [begin] = log;
  const conversation = begunConversation(
    {
      ...options,
      store: undefined,
      instructions: undefined,
      messages: begin?.type === "begin" ? begin.messages : [],
      // A call that starts early would take the result of the call that replaces it if the reply is asked for again.
      eagerReadOnly: false,
      ...(needsApproval && { needsApproval: (call, tool) => !resultOf(call) && needsApproval(call, tool) }),
    },
    {
      runs: (call, tool) => {
        const result = resultOf(call);
        return result ? replayed(tool, result) : tool;
      },
    },
  );
  const isAsked = log.some(({ type }) => type === "user") || conversation.messages.some(({ role }) => role === "user");
  if (!isAsked)
    throw new ConversationLogError("bad-log", "`replay` sends the messages of users again, and this log has none.");
  let result: ConversationResult | undefined;
  for (const record of log) {
    if (record.type !== "user") continue;
    const { content, written = content, trusted = false } = record;
    result = await conversation.run(written, { trusted }).result();
    if (result.pending.length > 0 || result.stopReason === "error") break;
  }
  result ??= await conversation.run().result();
  return { ...result, log: conversation.log };
}

type Recorded = Map<string, ToolResult[]>;

/** The results by call as the model made it, in the order in which the calls were made. */
function resultsIn(log: readonly ConversationRecord[]): Recorded {
  const { calls } = fold(log);
  const recorded: Recorded = new Map();
  for (const record of log) {
    if (record.type !== "reply") continue;
    for (const call of record.calls) {
      const result = calls.get(call.id)?.result;
      if (!result) continue;
      const key = callKey(call);
      const others = recorded.get(key);
      if (others) others.push(result);
      else recorded.set(key, [result]);
    }
  }
  return recorded;
}

/** A tool that returns this result and needs no approval. */
const replayed = (tool: ConversationTool, { content, isError }: ToolResult): ConversationTool => ({
  ...tool,
  needsApproval: false,
  execute: () => (isError ? new FeedbackError(content) : content),
});
