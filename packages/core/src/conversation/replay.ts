import { canonicalJson } from "../canonical-json.js";
import type { Tool, ToolCall, ToolResult } from "../types.js";
import { checkConversationOptions } from "./check-options.js";
import { fold } from "./fold.js";
import type { ConversationRecord } from "./records.js";
import { ToolConversation } from "./tool-conversation.js";
import type { ConversationOptions, ConversationResult, ConversationTool } from "./types.js";

/** What {@link replay} takes: the options of the conversation, such as another model or protocol. */
export type ReplayOptions = Omit<ConversationOptions, "store" | "messages" | "instructions">;

/**
 * What another model, protocol or set of options would have made of the same conversation: the user's messages are sent
 * again, one after the other. A call that the log has a result for (same name, equal arguments) is given that result, the
 * first time the first and so on, without approval. Any other call runs if its tool has `execute`;
 * where it needs approval, the replay stops there, and the call is in `pending` (`needs-approval`). With definitions
 * without `execute` a replay runs nothing and stops there (`needs-results`).
 *
 * Errors: those of {@link ToolConversation}; `ConversationLogError`.
 *
 * @example
 * const { log } = await replay(conversation.log, { model, tools: definitions, protocol: "hermes" });
 * diffLogs(conversation.log, log);
 */
export async function replay(
  log: readonly ConversationRecord[],
  options: ReplayOptions,
): Promise<ConversationResult & { log: readonly ConversationRecord[] }> {
  checkConversationOptions(options);
  const recorded = resultsIn(log);
  const tools = new Map((options.tools ?? []).map((tool) => [tool.name, tool]));
  /** The results of the calls of the replay, by their ids. */
  const given = new Map<string, ToolResult>();
  /** The calls without a result, of tools that cannot run. */
  const missing = new Set<string>();
  const [begin] = log;
  const conversation = new ToolConversation({
    ...options,
    tools: [...tools.values()].map((tool) => replayed(tool, recorded, given)),
    messages: begin?.type === "begin" ? begin.messages : [],
    // Each call comes here once, before it runs, in the order of the reply.
    needsApproval: async (call) => {
      const result = recorded.get(keyOf(call.name, call.arguments))?.shift();
      if (result) given.set(call.id, result);
      const tool = tools.get(call.name);
      // It would be the client's: the replay stops there.
      if (!result && !tool?.execute) missing.add(call.id);
      if (missing.has(call.id)) return true;
      return !result && tool?.execute !== undefined && asksFirst(call, tool, options.needsApproval);
    },
  });
  let result: ConversationResult | undefined;
  for (const record of log) {
    if (record.type !== "user") continue;
    const { content, trusted = false } = record;
    result = await conversation.run(content, { trusted }).result();
    if (result.pending.length > 0 || result.stopReason === "error") break;
  }
  result ??= await conversation.run().result();
  if (missing.size === 0) return { ...result, log: conversation.log };
  const pending = result.pending.map((one) => (missing.has(one.call.id) ? { ...one, why: "result" as const } : one));
  const isOnlyResults = result.stopReason === "needs-approval" && pending.every(({ why }) => why === "result");
  const stopReason = isOnlyResults ? "needs-results" : result.stopReason;
  const last = conversation.log.length - 1;
  return {
    ...result,
    pending,
    stopReason,
    // As if those tools had been the client's from the beginning: nobody is asked to approve their calls.
    log: conversation.log.flatMap((record, index) => {
      if (record.type === "approval-needed" && missing.has(record.callId)) return [];
      return [index === last && record.type === "end" ? { ...record, stopReason } : record];
    }),
  };
}

type Recorded = Map<string, ToolResult[]>;

const keyOf = (name: string, args: unknown) => `${name}\n${canonicalJson(args)}`;

/** The results by call, as the model made it, in the order in which they were made. */
function resultsIn(log: readonly ConversationRecord[]): Recorded {
  const { calls } = fold(log);
  const recorded: Recorded = new Map();
  for (const record of log) {
    if (record.type !== "reply") continue;
    for (const { id, name, arguments: args } of record.calls) {
      const result = calls.get(id)?.result;
      if (!result) continue;
      const key = keyOf(name, args);
      const others = recorded.get(key);
      if (others) others.push(result);
      else recorded.set(key, [result]);
    }
  }
  return recorded;
}

async function asksFirst(
  call: ToolCall,
  tool: ConversationTool,
  forAll: ConversationOptions["needsApproval"],
): Promise<boolean> {
  const { needsApproval: byTool = false } = tool;
  if (typeof byTool === "function" ? await byTool(call.arguments) : byTool) return true;
  return (await forAll?.(call, tool)) ?? false;
}

/** The tool, which gives what it gave before. */
function replayed(
  tool: ConversationTool,
  recorded: Recorded,
  given: ReadonlyMap<string, ToolResult>,
): ConversationTool {
  const { needsApproval, ...rest } = tool;
  const { name, execute } = tool;
  const isKnown = [...recorded.keys()].some((key) => key.startsWith(`${name}\n`));
  if (!execute && !isKnown) return tool;
  const again: Tool["execute"] = (args, context) => {
    const result = given.get(context.toolCallId);
    if (result) return result.isError ? new Error(result.content) : result.content;
    if (execute) return execute.call(tool, args, context);
    return new Error(`The log has no result for ${name} with these arguments.`);
  };
  return { ...rest, execute: again };
}
